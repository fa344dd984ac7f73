"""Asks a running worker with pika: pika_client.py exclusive|direct. The broker is DEEPLINK_TEST_AMQP_URL."""

import os
import sys
import time
import uuid

import pika

import example

REQUEST_QUEUE = "deeplink.activities"
DIRECT_REPLY_TO = "amq.rabbitmq.reply-to"
PATIENCE = 60  # seconds for all answers


def ask(connection, way, requests):
    """Publishes every request at once; returns the answers' bodies in the requests' order, None where none came."""
    channel = connection.channel()
    direct = way == "direct"
    reply_to = DIRECT_REPLY_TO if direct else channel.queue_declare("", exclusive=True).method.queue
    arrivals = []
    channel.basic_consume(reply_to, lambda _, method, properties, body: arrivals.append((properties, body)), auto_ack=True)
    if not direct:  # with confirms a request that reaches no queue is an error
        channel.confirm_delivery()

    identifiers = [str(uuid.uuid4()) for _ in requests]
    for identifier, body in zip(identifiers, requests):
        properties = pika.BasicProperties(
            content_type="application/json", reply_to=reply_to, correlation_id=identifier, message_id=f"m-{identifier}")
        channel.basic_publish("", REQUEST_QUEUE, body, properties, mandatory=True)

    deadline = time.monotonic() + PATIENCE
    while len(arrivals) < len(requests) and time.monotonic() < deadline:
        connection.process_data_events(time_limit=1)
    answers = {}
    for properties, body in arrivals:
        check_properties(properties, direct)
        if answers.setdefault(properties.correlation_id, body) is not body:
            raise SystemExit(f"pika, {way}: two answers with the correlation_id {properties.correlation_id}")
    return [answers.get(identifier) for identifier in identifiers]


def check_properties(properties, direct):
    wanted = {
        "content_type": "application/json",
        "type": "navigation-command",
        "message_id": f"re:m-{properties.correlation_id}",
        "delivery_mode": 1 if direct else 2,
    }
    for name, value in wanted.items():
        if getattr(properties, name) != value:
            raise SystemExit(f"pika: the answer's {name} is {getattr(properties, name)!r}, not {value!r}")
    if not properties.timestamp:
        raise SystemExit("pika: the answer has no timestamp")


def main():
    way = sys.argv[1]
    if way not in ("exclusive", "direct"):
        raise SystemExit("pika_client.py: 'exclusive' or 'direct' is needed")
    connection = pika.BlockingConnection(pika.URLParameters(os.environ["DEEPLINK_TEST_AMQP_URL"]))
    answers = ask(connection, way, example.lines("activities.ndjson"))
    connection.close()
    faults = list(example.differences(answers))
    if faults:
        raise SystemExit(f"pika, {way}:\n" + "\n".join(faults))
    print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
