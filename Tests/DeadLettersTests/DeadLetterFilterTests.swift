import AMQP
import Testing

@testable import DeadLetters

struct DeadLetterFilterTests {
    private func letter(_ headers: [Field], body: String = "") -> DeadLetter {
        var properties = MessageProperties()
        properties.headers = headers
        properties.messageID = "m1"
        return DeadLetter(position: 1, properties: properties, body: Array(body.utf8))
    }

    private var unroutable: DeadLetter {
        letter([
            Field("deeplink-reason", .text(Array("replyUnroutable".utf8))),
            Field("deeplink-detail", .text(Array("There is no queue gone.".utf8))),
            Field("deeplink-source-queue", .text(Array("deeplink.activities".utf8))),
            Field("deeplink-time", .text(Array("2026-01-31T12:00:00Z".utf8))), Field("attempt", .number(3)),
        ])
    }

    @Test(arguments: [
        "reason=replyUnroutable", "reason=reply*", "reason!=malformedMessage", "detail=*no queue*", "detail=*",
        "source-queue=deeplink.activities", "sourceQueue=*.activities", "SOURCE_QUEUE=deeplink*es", "message_id=m1",
        "message-id=m1", "messageID=m1", "correlation-id=", "correlation-id!=c", "header.attempt=3", "header.none=",
        "time=2026-01-31*", "time>=2026-01-31", "time<2026-02-01", "time>2026-01-31T12:59:59+01:00",
        "time<=2026-01-31T12:00:00Z", "detail=There is no queue gone.",
    ])
    func `a condition that holds`(_ text: String) throws {
        #expect(try DeadLetterFilter([text]).matches(unroutable))
    }

    @Test(arguments: [
        "reason=replyRefused", "reason!=reply*", "reason=replyUnroutable*x", "detail=queue", "message-id=",
        "time>2026-02-01",
        "time<2026-01-31T12:00:00Z", "header.attempt=4", "app-id=a", "detail=There is*There is no queue gone.",
    ])
    func `a condition that does not hold`(_ text: String) throws {
        #expect(try !DeadLetterFilter([text]).matches(unroutable))
    }

    @Test func `all conditions must hold, and none is always met`() throws {
        #expect(try !DeadLetterFilter(["reason=replyUnroutable", "message-id=m2"]).matches(unroutable))
        #expect(try DeadLetterFilter().matches(unroutable))
        #expect(try DeadLetterFilter().isEmpty)
    }

    @Test(arguments: [
        ("reasn=x", "did you mean reason?"), ("reason", "FIELD=VALUE"), ("=x", "the fields are"), ("", "FIELD=VALUE"),
        ("reason>x", "only time"), ("time>yesterday", "a time is written"), ("time>=2026-13-01", "a time is written"),
    ])
    func `a condition that cannot be used says why`(_ text: String, _ hint: String) {
        #expect {
            try DeadLetterFilter([text])
        } throws: {
            "\($0)".contains(hint)
        }
    }

    @Test func `a message that the broker dead-lettered has the broker's reason, queue and time`() {
        let death: [Field] = [
            Field("reason", .text(Array("delivery_limit".utf8))), Field("time", .timestamp(1_769_860_800)),
        ]
        let letter = letter([
            Field("x-first-death-reason", .text(Array("delivery_limit".utf8))),
            Field("x-first-death-queue", .text(Array("deeplink.activities".utf8))),
            Field("x-death", .array([.table(death)])),
        ])
        #expect(letter.reason == "delivery_limit")
        #expect(letter.sourceQueue == "deeplink.activities")
        #expect(letter.timeText == "2026-01-31T12:00:00Z")
        #expect(letter.time == 1_769_860_800)
    }

    @Test func `a misspelt reason is recognised, a pattern and a known one are not`() throws {
        let filter = try DeadLetterFilter(["reason=replyUnroutble", "reason=reply*", "reason=replyRefused"])
        let hints = filter.misspeltReasons(among: ["replyUnroutable", "replyRefused"])
        #expect(hints.map(\.given) == ["replyUnroutble"])
        #expect(hints.map(\.nearest) == ["replyUnroutable"])
    }
}
