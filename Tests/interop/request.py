"""Publishes the example's activities without a reply_to, so that their answers go to the default queue.

    request.py COUNT [--events]    the first COUNT of them, as structured CloudEvents

The broker is DEEPLINK_AMQP_URL. Ends when all answers have come there.
"""

import json
import os
import sys
import time

import pika

import example

PATIENCE = 60  # seconds


def main():
    connection = pika.BlockingConnection(pika.URLParameters(os.environ["DEEPLINK_AMQP_URL"]))
    channel = connection.channel()
    channel.confirm_delivery()
    requests = example.lines("activities.ndjson")[:int(sys.argv[1])]
    for number, body in enumerate(requests):
        content_type = "application/json"
        if "--events" in sys.argv:
            content_type = "application/cloudevents+json"
            body = json.dumps({"specversion": "1.0", "id": f"e{number}", "source": "/test", "type": "t",
                               "data": json.loads(body)})
        properties = pika.BasicProperties(content_type=content_type, message_id=f"m{number}")
        channel.basic_publish("", "deeplink.activities", body, properties, mandatory=True)
    deadline = time.monotonic() + PATIENCE
    while channel.queue_declare("deeplink.commands", passive=True).method.message_count < len(requests):
        if time.monotonic() > deadline:
            raise SystemExit("not every answer came to deeplink.commands")
        connection.sleep(0.1)
    connection.close()


if __name__ == "__main__":
    main()
