// The worker's whole job in Go, as one would write it with amqp091-go, database/sql and encoding/json: a request is
// consumed, parsed, looked up in the Core Data store and answered, and acknowledged when the answer is confirmed.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

type options struct {
	amqpURL, queue, replyQueue, store string
	prefetch                          int
}

func parseOptions() options {
	var o options
	flag.StringVar(&o.amqpURL, "amqp-url", "", "the broker")
	flag.StringVar(&o.queue, "queue", "", "where requests come from")
	flag.StringVar(&o.replyQueue, "reply-queue", "", "where answers go")
	flag.StringVar(&o.store, "store", "", "the Core Data store")
	flag.IntVar(&o.prefetch, "prefetch", 500, "how many requests may be unacknowledged")
	flag.Parse()
	if o.amqpURL == "" || o.queue == "" || o.replyQueue == "" || o.store == "" {
		flag.Usage()
		os.Exit(64)
	}
	return o
}

func main() {
	log.SetFlags(0)
	o := parseOptions()
	store, err := openStore(o.store)
	if err != nil {
		log.Fatalf("The store cannot be opened: %v", err)
	}
	defer store.close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := run(ctx, o, store); err != nil {
		log.Fatal(err)
	}
}

// openChannel opens a connection of its own: a blocked publisher must not hold up acknowledgements.
func openChannel(url string) (*amqp.Connection, *amqp.Channel, error) {
	connection, err := amqp.Dial(url)
	if err != nil {
		return nil, nil, err
	}
	channel, err := connection.Channel()
	if err != nil {
		connection.Close()
		return nil, nil, err
	}
	return connection, channel, nil
}

func run(ctx context.Context, o options, store *store) error {
	consumingConnection, consuming, err := openChannel(o.amqpURL)
	if err != nil {
		return err
	}
	defer consumingConnection.Close()
	publishingConnection, publishing, err := openChannel(o.amqpURL)
	if err != nil {
		return err
	}
	defer publishingConnection.Close()

	if err := publishing.Confirm(false); err != nil {
		return err
	}
	confirms := publishing.NotifyPublish(make(chan amqp.Confirmation, o.prefetch))
	returns := publishing.NotifyReturn(make(chan amqp.Return, 1))
	if err := consuming.Qos(o.prefetch, 0, false); err != nil {
		return err
	}
	deliveries, err := consuming.Consume(o.queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}

	// Answers are published in the order of their requests, so confirms come in that order too.
	unconfirmed := make(chan amqp.Delivery, o.prefetch)
	failed := make(chan error, 1)
	go func() { failed <- acknowledge(unconfirmed, confirms, returns) }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case request, isOpen := <-deliveries:
			if !isOpen {
				return amqp.ErrClosed
			}
			if err := answer(ctx, o, store, publishing, request, unconfirmed); err != nil {
				return err
			}
		}
	}
}

func answer(ctx context.Context, o options, store *store, channel *amqp.Channel, request amqp.Delivery,
	unconfirmed chan<- amqp.Delivery) error {
	body, err := store.resolve(request.Body)
	if err != nil {
		log.Printf("A request was rejected: %v", err)
		return request.Reject(false)
	}
	correlationID := request.CorrelationId
	if correlationID == "" {
		correlationID = request.MessageId
	}
	unconfirmed <- request
	return channel.PublishWithContext(ctx, "", o.replyQueue, true, false, amqp.Publishing{
		ContentType:   "application/json",
		Type:          "navigation-command",
		DeliveryMode:  amqp.Persistent,
		CorrelationId: correlationID,
		MessageId:     "re:" + request.MessageId,
		Timestamp:     time.Now(),
		Body:          body,
	})
}

// acknowledge settles requests whose answers are confirmed; those that are confirmed together, together.
func acknowledge(unconfirmed <-chan amqp.Delivery, confirms <-chan amqp.Confirmation, returns <-chan amqp.Return) error {
	for {
		select {
		case returned := <-returns:
			return &amqp.Error{Code: int(returned.ReplyCode), Reason: "no queue takes the answers: " + returned.ReplyText}
		case confirmation, isOpen := <-confirms:
			if !isOpen {
				return amqp.ErrClosed
			}
			request := <-unconfirmed
			isAcknowledged := confirmation.Ack
			for isAcknowledged && len(confirms) > 0 {
				confirmation = <-confirms
				request = <-unconfirmed
				isAcknowledged = confirmation.Ack
			}
			if !isAcknowledged {
				return &amqp.Error{Reason: "the broker refused an answer"}
			}
			if err := request.Ack(true); err != nil {
				return err
			}
		}
	}
}
