#!/usr/bin/python3
"""Takes navigation commands from the default reply queue and carries each out once: here, prints it.

    follow.py [COUNT]    ends after COUNT different commands; without it, never

The broker is DEEPLINK_AMQP_URL. Needs pika: Debian's python3-pika, or from PyPI.
"""

import collections
import os
import sys
import time

import pika
from pika.exceptions import AMQPConnectionError

COMMANDS = os.environ.get("DEEPLINK_REPLY_QUEUE", "deeplink.commands")
BROKER = os.environ.get("DEEPLINK_AMQP_URL", "amqp://guest:guest@localhost:5672/%2f")
REMEMBERED = 100_000


class Follower:
    def __init__(self, count):
        self.remaining = count
        # A service keeps this where it keeps what the commands change, best in one transaction with it.
        self.seen = collections.OrderedDict()

    def follow(self):
        """Takes commands until enough came or the connection is lost."""
        connection = pika.BlockingConnection(pika.URLParameters(BROKER))
        channel = connection.channel()
        channel.queue_declare(COMMANDS, passive=True)  # the worker declares it; a missing queue is an error here
        channel.basic_qos(prefetch_count=100)
        for method, properties, body in channel.consume(COMMANDS):
            self.carry_out(properties, body)
            # Only now: what is not acknowledged when this program dies comes again.
            channel.basic_ack(method.delivery_tag)
            if self.remaining == 0:
                break
        channel.cancel()
        connection.close()

    def carry_out(self, properties, body):
        # Requests without a message_id and a correlation_id cannot be told apart: their answers may share one.
        if properties.correlation_id is not None:
            if properties.message_id in self.seen:
                return
            self.seen[properties.message_id] = True
            if len(self.seen) > REMEMBERED:
                self.seen.popitem(last=False)
        sys.stdout.buffer.write(body + b"\n")
        sys.stdout.buffer.flush()
        if self.remaining is not None:
            self.remaining -= 1


def main():
    follower = Follower(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    while follower.remaining != 0:
        try:
            follower.follow()
        except AMQPConnectionError as error:
            print(f"follow: {error!r}; connecting again", file=sys.stderr)
            time.sleep(1)


if __name__ == "__main__":
    main()
