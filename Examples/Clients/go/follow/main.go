// Takes navigation commands from the default reply queue and carries each out once: here, prints it.
//
//	follow [COUNT]    ends after COUNT different commands; without it, never
//
// The broker is DEEPLINK_AMQP_URL.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const remembered = 100_000

// follower knows which commands were carried out. A service keeps that where it keeps what the commands change, best
// in one transaction with it.
type follower struct {
	remaining int // below 0: no end
	seen      map[string]bool
	order     []string
}

func main() {
	count := -1
	if len(os.Args) > 1 {
		number, err := strconv.Atoi(os.Args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, "follow: the count must be a number")
			os.Exit(64)
		}
		count = number
	}
	follower := &follower{remaining: count, seen: map[string]bool{}}
	for follower.remaining != 0 {
		if err := follower.follow(); err != nil {
			fmt.Fprintf(os.Stderr, "follow: %v; connecting again\n", err)
			time.Sleep(time.Second)
		}
	}
}

// follow takes commands until enough came or the connection is lost.
func (f *follower) follow() error {
	connection, err := amqp.Dial(setting("DEEPLINK_AMQP_URL", "amqp://guest:guest@localhost:5672/%2f"))
	if err != nil {
		return err
	}
	defer connection.Close()
	channel, err := connection.Channel()
	if err != nil {
		return err
	}
	if err := channel.Qos(100, 0, false); err != nil {
		return err
	}
	// The worker declares the queue; a missing one is an error here.
	queue := setting("DEEPLINK_REPLY_QUEUE", "deeplink.commands")
	deliveries, err := channel.Consume(queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	for delivery := range deliveries {
		f.carryOut(delivery)
		// Only now: what is not acknowledged when this program dies comes again.
		if err := delivery.Ack(false); err != nil {
			return err
		}
		if f.remaining == 0 {
			return nil
		}
	}
	return amqp.ErrClosed
}

func (f *follower) carryOut(delivery amqp.Delivery) {
	// Requests without a message_id and a correlation_id cannot be told apart: their answers may share one.
	if delivery.CorrelationId != "" {
		if f.seen[delivery.MessageId] {
			return
		}
		f.seen[delivery.MessageId] = true
		f.order = append(f.order, delivery.MessageId)
		if len(f.order) > remembered {
			delete(f.seen, f.order[0])
			f.order = f.order[1:]
		}
	}
	fmt.Printf("%s\n", delivery.Body)
	if f.remaining > 0 {
		f.remaining--
	}
}

func setting(variable, standard string) string {
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return standard
}
