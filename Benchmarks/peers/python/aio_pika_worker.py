"""The worker's whole job with aio-pika: a task for every request, which is acknowledged when its answer is confirmed."""

import asyncio
import datetime
import signal

import aio_pika

from arguments import parse_arguments
from resolver import MalformedMessage, Resolver


async def run(arguments):
    resolver = Resolver(arguments.store)
    consuming = await aio_pika.connect_robust(arguments.amqp_url)
    publishing = await aio_pika.connect_robust(arguments.amqp_url)
    async with consuming, publishing:
        # Answers are confirmed by the broker: aio-pika's channels are in confirm mode unless told otherwise.
        exchange = (await publishing.channel()).default_exchange
        channel = await consuming.channel()
        await channel.set_qos(prefetch_count=arguments.prefetch)
        queue = await channel.get_queue(arguments.queue)

        async def answer(request: aio_pika.abc.AbstractIncomingMessage):
            try:
                body = resolver.resolve(request.body)
            except MalformedMessage:
                await request.reject()
                return
            await exchange.publish(
                aio_pika.Message(
                    body, content_type="application/json", type="navigation-command",
                    delivery_mode=aio_pika.DeliveryMode.PERSISTENT,
                    correlation_id=request.correlation_id or request.message_id,
                    message_id=f"re:{request.message_id}", timestamp=datetime.datetime.now(datetime.timezone.utc)),
                routing_key=arguments.reply_queue, mandatory=True)
            await request.ack()

        await queue.consume(answer)
        stopped = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        await stopped.wait()


if __name__ == "__main__":
    asyncio.run(run(parse_arguments(__doc__)))
