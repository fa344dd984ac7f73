"""Puts each command in a queue there once more, as a crash of the worker does: repeat.py QUEUE.

The broker is DEEPLINK_AMQP_URL.
"""

import os
import sys

import pika


def main():
    queue = sys.argv[1]
    connection = pika.BlockingConnection(pika.URLParameters(os.environ["DEEPLINK_AMQP_URL"]))
    channel = connection.channel()
    channel.confirm_delivery()
    messages = []
    while (message := channel.basic_get(queue, auto_ack=True))[0]:
        messages.append(message)
    for _ in range(2):
        for _, properties, body in messages:
            channel.basic_publish("", queue, body, properties, mandatory=True)
    connection.close()


if __name__ == "__main__":
    main()
