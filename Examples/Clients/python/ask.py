#!/usr/bin/python3
"""Asks the worker which screen each activity opens.

    ask.py [--direct] [FILE]    activities, one a line; answers go to standard output in the same order

The broker is DEEPLINK_AMQP_URL. Needs pika: Debian's python3-pika, or from PyPI.
"""

import os
import sys
import time
import uuid

import pika
from pika.exceptions import AMQPConnectionError, NackError, UnroutableError

ACTIVITIES = os.environ.get("DEEPLINK_QUEUE", "deeplink.activities")
BROKER = os.environ.get("DEEPLINK_AMQP_URL", "amqp://guest:guest@localhost:5672/%2f")
PATIENCE = 30  # seconds for all answers of one attempt
ATTEMPTS = 3


def ask(requests, answers, direct):
    """Asks what has no answer yet. `requests` and `answers` are by message_id."""
    connection = pika.BlockingConnection(pika.URLParameters(BROKER))
    try:
        channel = connection.channel()
        # A queue of our own, which goes with the connection; or none, which is faster, and loses what comes too late.
        replies = "amq.rabbitmq.reply-to" if direct else channel.queue_declare("", exclusive=True).method.queue

        def take(channel, method, properties, body):
            # At least once: an answer may come again, after a crash for example. It has the same message_id then.
            answers.setdefault(properties.message_id.removeprefix("re:"), body)

        channel.basic_consume(replies, take, auto_ack=True)
        # With confirms publishing returns when the broker has the request; with `mandatory` it fails without the queue.
        channel.confirm_delivery()
        for identifier, body in requests.items():
            if identifier not in answers:
                channel.basic_publish("", ACTIVITIES, body, mandatory=True, properties=pika.BasicProperties(
                    content_type="application/json", delivery_mode=2, reply_to=replies, message_id=identifier,
                    correlation_id=identifier))
        deadline = time.monotonic() + PATIENCE
        while len(answers) < len(requests) and time.monotonic() < deadline:
            connection.process_data_events(time_limit=1)
    finally:
        if connection.is_open:
            connection.close()


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--direct"]
    with open(arguments[0], "rb") if arguments else sys.stdin.buffer as file:
        # The message_id names the request for ever: who asks again must use it again.
        requests = {str(uuid.uuid4()): line.rstrip(b"\n") for line in file}
    answers = {}
    for attempt in range(ATTEMPTS):
        try:
            ask(requests, answers, direct="--direct" in sys.argv)
        except UnroutableError:
            sys.exit(f"ask: the broker has no queue {ACTIVITIES}; is there a worker?")
        except (AMQPConnectionError, NackError) as error:  # the connection was lost, or the queue is full
            print(f"ask: {error!r}; trying again", file=sys.stderr)
            time.sleep(attempt)
        if len(answers) == len(requests):
            break
    for identifier in requests:
        sys.stdout.buffer.write(answers.get(identifier, b"") + b"\n")
    if len(answers) < len(requests):
        sys.exit(f"ask: {len(requests) - len(answers)} of {len(requests)} activities have no answer")


if __name__ == "__main__":
    main()
