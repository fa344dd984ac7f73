"""Messages of a running worker: the properties and bodies that it publishes fit the AsyncAPI document.

The broker is DEEPLINK_TEST_AMQP_URL; scripts/contracts-test starts it and a worker.
"""

import json
import os
import time

import pika
import pytest

import contracts

EXAMPLE_QUEUES = {"activities": "deeplink.activities", "commands": "deeplink.commands", "dead": "deeplink.dead"}
PROPERTIES = ("content_encoding", "reply_to", "correlation_id", "message_id", "app_id", "timestamp", "type",
              "delivery_mode")


@pytest.fixture(scope="module")
def channel():
    connection = pika.BlockingConnection(pika.URLParameters(os.environ["DEEPLINK_TEST_AMQP_URL"]))
    channel = connection.channel()
    channel.confirm_delivery()
    for queue in EXAMPLE_QUEUES.values():
        channel.queue_purge(queue)
    yield channel
    connection.close()


def ask(channel, body, queue="commands", **properties):
    """Publishes a request and takes one message from the queue: its properties, and its body."""
    channel.basic_publish("", EXAMPLE_QUEUES["activities"], body, pika.BasicProperties(**properties), mandatory=True)
    queue = EXAMPLE_QUEUES.get(queue, queue)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        method, found, body = channel.basic_get(queue, auto_ack=True)
        if method:
            return found, body
        channel.connection.process_data_events(time_limit=0.01)
    raise AssertionError(f"nothing came to {queue}")


def flat(properties):
    """Properties and headers side by side, as the document lists them."""
    own = {name: getattr(properties, name) for name in PROPERTIES if getattr(properties, name) is not None}
    return own | (properties.headers or {})


def judge(message, properties, body=None):
    place = f"asyncapi.yaml#/components/messages/{message}"
    assert contracts.faults(f"{place}/headers", flat(properties)) == []
    if body is not None:
        assert contracts.faults(f"{place}/payload", contracts.strict_json(body)) == []
    wanted = contracts.asyncapi()["components"]["messages"][message].get("contentType")
    if wanted:
        assert properties.content_type.partition(";")[0] == wanted


ACTIVITY = b'{"activityType":"com.familymovies.openTab","title":"Movies"}'
REQUESTS = {
    "without anything": {},
    "with every property": {
        "content_type": "application/json; charset=utf-8", "content_encoding": "identity", "correlation_id": "c",
        "message_id": "m", "app_id": "com.example.app", "timestamp": 1, "type": "x", "priority": 4, "delivery_mode": 1,
        "headers": {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": "a=b"}},
    "with a long message_id": {"message_id": "m" * 255},
}


@pytest.mark.parametrize("name", REQUESTS)
def test_answers_fit_the_document(channel, name):
    request = REQUESTS[name]
    properties, body = ask(channel, ACTIVITY, **request)
    judge("activity", pika.BasicProperties(**{"content_type": "application/json"} | request), ACTIVITY)
    judge("command", properties, body)
    if "headers" in request:
        assert properties.headers.items() >= request["headers"].items()  # a quorum queue adds its count
        assert (properties.correlation_id, properties.message_id, properties.app_id) == ("c", "re:m", "com.example.app")


def test_an_answer_that_is_not_handled_fits(channel):
    judge("command", *ask(channel, b'{"activityType":"com.example.unknown"}'))


def test_a_named_reply_queue_has_commands(channel):
    queue = channel.queue_declare("", exclusive=True).method.queue
    judge("command", *ask(channel, ACTIVITY, queue, reply_to=queue))


EVENT = {"specversion": "1.0", "id": "e", "source": "/test", "type": "t", "subject": "s", "data": json.loads(ACTIVITY)}


def test_a_structured_event_is_answered_as_the_document_says(channel):
    body = json.dumps(EVENT).encode()
    request = pika.BasicProperties(content_type="application/cloudevents+json", message_id="m")
    judge("activityEvent", request, body)
    judge("commandEvent", *ask(channel, body, content_type=request.content_type, message_id="m"))


@pytest.mark.parametrize("separator", ["_", ":"])
def test_a_binary_event_is_answered_as_the_document_says(channel, separator):
    headers = {f"cloudEvents{separator}{name}": value for name, value in EVENT.items() if name != "data"}
    request = pika.BasicProperties(content_type="application/json", headers=headers)
    judge("activityEventBinary", request, ACTIVITY)
    judge("commandEventBinary", *ask(channel, ACTIVITY, content_type="application/json", headers=headers))


def test_an_event_that_is_none_is_malformed_and_does_not_fit(channel):
    for name in ("specversion", "id", "source", "type", "data"):
        body = json.dumps({key: value for key, value in EVENT.items() if key != name}).encode()
        properties, _ = ask(channel, body, "dead", content_type="application/cloudevents+json")
        assert properties.headers["deeplink-reason"] == "malformedMessage"
        assert contracts.faults("asyncapi.yaml#/components/messages/activityEvent/payload", json.loads(body))


DEAD = {
    "malformedMessage": (b"{}", {}),
    "bodyTooLarge": (b'{"activityType":"' + b"a" * 300_000 + b'"}', {}),
    "unsupportedContentType": (ACTIVITY, {"content_type": "text/plain"}),
    "unsupportedContentEncoding": (ACTIVITY, {"content_encoding": "gzip"}),
    "replyToNotAllowed": (ACTIVITY, {"reply_to": "deeplink.activities"}),
    "replyUnroutable": (ACTIVITY, {"reply_to": "deeplink.reply.nobody"}),
}


@pytest.mark.parametrize("reason", DEAD)
def test_dead_letters_fit_the_document(channel, reason):
    body, request = DEAD[reason]
    headers = {"kept": "x", "deeplink-reason": "forged"}
    properties, copy = ask(channel, body, "dead", headers=headers, **request)
    assert copy == body
    assert properties.headers["deeplink-reason"] == reason
    assert properties.headers["kept"] == "x"
    judge("deadLetter", properties)


PRIVATE = "value-for-no-log"


@pytest.mark.parametrize("body", [
    f'{{"activityType":"com.example.{PRIVATE}","title":"{PRIVATE}","userInfo":{{"{PRIVATE}":"{PRIVATE}"}}}}',
    f'{{"activityType":"com.familymovies.movieDetailView","title":"{PRIVATE}"}}',
    f'{{"activityType":"com.apple.corespotlightitem","userInfo":{{"kCSSearchableItemActivityIdentifier":"{PRIVATE}"}}}}',
    f'{{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://{PRIVATE}.example/"}}',
    f'{{"activityType":7,"{PRIVATE}":"{PRIVATE}"}}', f'{{"title":"{PRIVATE}', PRIVATE,
])
def test_contents_reach_no_log(channel, body):
    """scripts/contracts-test looks through the log for them afterwards."""
    queue = channel.queue_declare("", exclusive=True).method.queue
    judge("command", *ask(channel, body.encode(), queue, reply_to=queue))


def test_a_rejected_request_is_told(channel):
    queue = channel.queue_declare("", exclusive=True).method.queue
    judge("command", *ask(channel, b"{}", queue, reply_to=queue))
    channel.queue_purge(EXAMPLE_QUEUES["dead"])
