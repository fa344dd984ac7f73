"""The worker's whole job with pika's asynchronous connection.

The blocking one waits for each confirm in turn; this is what pika's documentation gives to those who need throughput.
A request is acknowledged when its answer is confirmed, those that are confirmed together, together.
"""

import collections
import signal
import time

import pika
from pika.adapters.select_connection import SelectConnection

from arguments import parse_arguments
from resolver import MalformedMessage, Resolver


class Worker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.resolver = Resolver(arguments.store)
        self.published = 0
        self.settled = 0
        self.unconfirmed = collections.deque()  # (number, delivery tag), in order
        self.confirmed = set()  # numbers that were confirmed out of order
        self.connection = SelectConnection(
            pika.URLParameters(arguments.amqp_url), on_open_callback=self.open_channels,
            on_open_error_callback=self.fail, on_close_callback=self.fail)

    def run(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.connection.ioloop.add_callback_threadsafe(self.connection.ioloop.stop))
        self.connection.ioloop.start()

    def fail(self, _, error):
        raise SystemExit(f"The connection to the broker is lost: {error}")

    def open_channels(self, connection):
        connection.channel(on_open_callback=self.prepare_publishing)

    def prepare_publishing(self, channel):
        self.publishing = channel
        channel.add_on_return_callback(self.refuse_return)
        channel.confirm_delivery(self.confirm, callback=lambda _: self.connection.channel(on_open_callback=self.consume))

    def consume(self, channel):
        self.consuming = channel
        channel.basic_qos(prefetch_count=self.arguments.prefetch, callback=lambda _: channel.basic_consume(
            self.arguments.queue, self.answer))

    def answer(self, channel, delivery, request, body):
        try:
            answer = self.resolver.resolve(body)
        except MalformedMessage:
            channel.basic_reject(delivery.delivery_tag, requeue=False)
            return
        self.published += 1
        self.unconfirmed.append((self.published, delivery.delivery_tag))
        self.publishing.basic_publish(
            "", self.arguments.reply_queue, answer,
            pika.BasicProperties(
                content_type="application/json", type="navigation-command", delivery_mode=2,
                correlation_id=request.correlation_id or request.message_id,
                message_id=f"re:{request.message_id}", timestamp=int(time.time())),
            mandatory=True)

    def confirm(self, frame):
        if isinstance(frame.method, pika.spec.Basic.Nack):
            raise SystemExit("The broker refused an answer.")
        number = frame.method.delivery_tag
        if not frame.method.multiple and number > self.settled + 1:
            self.confirmed.add(number)
            return
        tag = None
        while self.unconfirmed and (self.unconfirmed[0][0] <= number or self.unconfirmed[0][0] in self.confirmed):
            self.settled, tag = self.unconfirmed.popleft()
            self.confirmed.discard(self.settled)
        if tag is not None:
            self.consuming.basic_ack(tag, multiple=True)

    def refuse_return(self, *_):
        raise SystemExit("No queue takes the answers.")


if __name__ == "__main__":
    Worker(parse_arguments(__doc__)).run()
