// Asks the worker which screen each activity opens.
//
//	ask [FILE]    activities, one a line; answers go to standard output in the same order
//
// The broker is DEEPLINK_AMQP_URL.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const (
	patience = 30 * time.Second // for all answers of one attempt
	attempts = 3
)

var (
	queue         = setting("DEEPLINK_QUEUE", "deeplink.activities")
	errUnroutable = fmt.Errorf("the broker has no queue %s; is there a worker?", queue)
)

type request struct {
	// Names the request for ever: who asks again must use it again.
	messageID string
	body      []byte
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func run() error {
	input := io.Reader(os.Stdin)
	if len(os.Args) > 1 {
		file, err := os.Open(os.Args[1])
		if err != nil {
			return err
		}
		defer file.Close()
		input = file
	}
	requests, err := read(input)
	if err != nil {
		return err
	}
	answers := make(map[string][]byte, len(requests))
	for attempt := 0; attempt < attempts && len(answers) < len(requests); attempt++ {
		err := ask(requests, answers)
		if errors.Is(err, errUnroutable) {
			return err
		} else if err != nil {
			fmt.Fprintf(os.Stderr, "ask: %v; trying again\n", err)
			time.Sleep(time.Duration(attempt) * time.Second)
		}
	}
	output := bufio.NewWriter(os.Stdout)
	for _, request := range requests {
		fmt.Fprintf(output, "%s\n", answers[request.messageID])
	}
	if err := output.Flush(); err != nil {
		return err
	}
	if missing := len(requests) - len(answers); missing > 0 {
		return fmt.Errorf("%d of %d activities have no answer", missing, len(requests))
	}
	return nil
}

func read(input io.Reader) ([]request, error) {
	prefix := make([]byte, 16)
	if _, err := rand.Read(prefix); err != nil {
		return nil, err
	}
	var requests []request
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		body := append([]byte(nil), lines.Bytes()...)
		requests = append(requests, request{fmt.Sprintf("%x-%d", prefix, len(requests)), body})
	}
	return requests, lines.Err()
}

// ask asks what has no answer yet.
func ask(requests []request, answers map[string][]byte) error {
	connection, err := amqp.Dial(setting("DEEPLINK_AMQP_URL", "amqp://guest:guest@localhost:5672/%2f"))
	if err != nil {
		return err
	}
	defer connection.Close()
	channel, err := connection.Channel()
	if err != nil {
		return err
	}
	// A queue of our own, which goes with the connection.
	replies, err := channel.QueueDeclare("", false, true, true, false, nil)
	if err != nil {
		return err
	}
	arrivals, err := channel.Consume(replies.Name, "", true, true, false, false, nil)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := publish(ctx, channel, replies.Name, requests, answers); err != nil {
		return err
	}
	for len(answers) < len(requests) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d answers came within %v", len(answers), len(requests), patience)
		case delivery, open := <-arrivals:
			if !open {
				return amqp.ErrClosed
			}
			// At least once: an answer may come again, after a crash for example. It has the same message_id then.
			answers[strings.TrimPrefix(delivery.MessageId, "re:")] = delivery.Body
		}
	}
	return nil
}

// publish returns when the broker has confirmed every request; with `mandatory` it returns what no queue takes.
func publish(
	ctx context.Context, channel *amqp.Channel, replies string, requests []request, answers map[string][]byte,
) error {
	if err := channel.Confirm(false); err != nil {
		return err
	}
	returned := channel.NotifyReturn(make(chan amqp.Return, len(requests)))
	confirms := channel.NotifyPublish(make(chan amqp.Confirmation, len(requests)))
	waiting := 0
	for _, request := range requests {
		if _, known := answers[request.messageID]; known {
			continue
		}
		err := channel.PublishWithContext(ctx, "", queue, true, false, amqp.Publishing{
			ContentType:   "application/json",
			DeliveryMode:  amqp.Persistent,
			ReplyTo:       replies,
			MessageId:     request.messageID,
			CorrelationId: request.messageID,
			Body:          request.body,
		})
		if err != nil {
			return err
		}
		waiting++
	}
	for ; waiting > 0; waiting-- {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case confirm, open := <-confirms:
			if !open {
				return amqp.ErrClosed
			}
			if !confirm.Ack {
				return errors.New("the broker refused a request; the queue may be full")
			}
		}
	}
	// A message comes back before it is confirmed.
	select {
	case <-returned:
		return errUnroutable
	default:
		return nil
	}
}

func setting(variable, standard string) string {
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return standard
}
