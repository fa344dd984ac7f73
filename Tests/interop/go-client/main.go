// Asks a running worker with amqp091-go, and prints the answers, a line each, in the order of the requests.
//
//	go-client REQUESTS    the broker is DEEPLINK_TEST_AMQP_URL
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const (
	requestQueue = "deeplink.activities"
	patience     = 60 * time.Second
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "go-client: one file of requests is needed")
		os.Exit(64)
	}
	if err := run(os.Getenv("DEEPLINK_TEST_AMQP_URL"), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "go-client:", err)
		os.Exit(1)
	}
}

func run(url, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	requests := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")

	connection, err := amqp.Dial(url)
	if err != nil {
		return err
	}
	defer connection.Close()
	channel, err := connection.Channel()
	if err != nil {
		return err
	}
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
	for number, request := range requests {
		err := channel.PublishWithContext(ctx, "", requestQueue, true, false, amqp.Publishing{
			ContentType:   "application/json",
			CorrelationId: fmt.Sprintf("go-%d", number),
			ReplyTo:       replies.Name,
			Body:          []byte(request),
		})
		if err != nil {
			return err
		}
	}
	answers, err := collect(ctx, arrivals, len(requests))
	if err != nil {
		return err
	}
	return printInOrder(answers, len(requests))
}

// collect waits until each request has its answer.
func collect(ctx context.Context, arrivals <-chan amqp.Delivery, count int) (map[string]string, error) {
	answers := make(map[string]string, count)
	for len(answers) < count {
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%d of %d answers came within %v", len(answers), count, patience)
		case delivery, open := <-arrivals:
			if !open {
				return nil, errors.New("the channel was closed")
			}
			if _, known := answers[delivery.CorrelationId]; known {
				return nil, fmt.Errorf("two answers with the correlation_id %q", delivery.CorrelationId)
			}
			if delivery.Type != "navigation-command" || delivery.ContentType != "application/json" {
				return nil, fmt.Errorf("an answer of type %q and content type %q", delivery.Type, delivery.ContentType)
			}
			answers[delivery.CorrelationId] = string(delivery.Body)
		}
	}
	return answers, nil
}

func printInOrder(answers map[string]string, count int) error {
	output := bufio.NewWriter(os.Stdout)
	for number := 0; number < count; number++ {
		answer, known := answers[fmt.Sprintf("go-%d", number)]
		if !known {
			return fmt.Errorf("request %d has no answer with its correlation_id", number)
		}
		fmt.Fprintln(output, answer)
	}
	return output.Flush()
}
