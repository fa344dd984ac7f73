import AMQP
import Synchronization
import Testing

@testable import Worker

struct ReplyPolicyTests {
    private let policy = ReplyPolicy(
        replyQueue: "commands", ownQueues: ["in", "dead", "items"], patterns: ["deeplink.reply.*", "*.x", "a*b*c"])

    @Test(arguments: [
        ("commands", ReplyRoute.named), ("amq.gen-abc", .named), ("amq.rabbitmq.reply-to.g1h2", .direct),
        ("deeplink.reply.7", .named), ("deeplink.reply.", .named), ("deeplink.reply", .forbidden), ("in", .forbidden),
        ("dead", .forbidden), ("items", .forbidden), ("in.x", .named), ("abc", .named), ("a-b-c", .named),
        ("a-b-", .forbidden), ("amq.rabbitmq.reply-to", .forbidden), ("amq.gen", .forbidden), ("other", .forbidden),
    ])
    func `a reply queue is allowed by name, kind or pattern, and never one of the worker's own`(
        name: String, route: ReplyRoute
    ) {
        #expect(policy.judge(Array(name.utf8)) == route)
    }

    @Test func `no pattern allows the worker's own queues`() {
        let all = ReplyPolicy(replyQueue: "commands", ownQueues: ["in"], patterns: ["*"])
        #expect(all.judge(Array("in".utf8)) == .forbidden)
        #expect(all.judge(Array("anything".utf8)) == .named)
    }

    @Test func `a request for an app may name the app's reply queues, and one for none those of all`() {
        let apps = ReplyPolicy(
            replyQueue: "commands", ownQueues: ["in"],
            patterns: ReplyPatterns(["a.*", "b.*"], ofApps: ["a": ["a.*"], "b": ["b.*", "in"]]))
        func route(_ name: String, _ appID: String) -> ReplyRoute {
            apps.judge(Array(name.utf8), appID: Array(appID.utf8))
        }
        #expect(route("a.1", "a") == .named)
        #expect(route("b.1", "a") == .forbidden)
        #expect(route("a.1", "") == .named)
        #expect(route("b.1", "unknown") == .named)
        #expect(route("commands", "a") == .named)
        #expect(route("in", "b") == .forbidden)
    }

    @Test func `a pattern of many stars is judged in bounded time`() {
        let pattern = Array(String(repeating: "*a", count: 100).utf8) + [UInt8(ascii: "b")]
        #expect(!ReplyPolicy.matches(Array(repeating: UInt8(ascii: "a"), count: 255), pattern))
    }
}

struct RequestJudgeTests {
    @Test(arguments: [
        ("application/json", true), ("Application/JSON", true), ("application/json; charset=utf-8", true),
        ("application/json ;v=1", true), ("application/jsonx", false), ("text/json", false),
        ("application/cloudevents+json", false), (";", false),
    ])
    func `a content type is JSON's whatever its case and parameters`(type: String, isJSON: Bool) {
        #expect(RequestJudge.isJSON(Array(type.utf8)[...]) == isJSON)
    }
}

struct EventSourceTests {
    @Test(arguments: [
        ("deeplink.activities", "/deeplink-worker/deeplink.activities"), ("a b/c?", "/deeplink-worker/a%20b%2Fc%3F"),
        ("é\n", "/deeplink-worker/%C3%A9%0A"), ("A-z_0~", "/deeplink-worker/A-z_0~"),
    ])
    func `the source of events is a URI's path, whatever the queue's name`(queue: String, source: String) {
        #expect(AnswerWriter.eventSource(queue: queue) == source)
    }
}

struct MessageHashTests {
    private func digits(_ parts: String...) -> String {
        var hash = MessageHash()
        for part in parts { hash.add(Array(part.utf8).span) }
        return String(decoding: hash.digits(), as: UTF8.self)
    }

    @Test func `the hash is the same for ever, for answers must keep their names over restarts and versions`() {
        #expect(digits("", "", "", "body") == "9a1dff0e46ea5bf5b6eb0ab1731b3583")
    }

    @Test func `parts do not run into one another`() {
        #expect(digits("ab", "c") != digits("a", "bc"))
        #expect(digits("", "a") != digits("a", ""))
    }

    @Test func `texts of every length differ from their neighbours`() {
        let hashes = (0..<64).map { digits(String(repeating: "x", count: $0)) }
        #expect(Set(hashes).count == 64)
        #expect(hashes.allSatisfy { $0.utf8.count == 32 })
    }

    @Test func `one changed bit changes about half of the digits`() {
        let one = digits("the quick brown fox jumps over"), other = digits("the quick brown fox jumps ovfr")
        #expect(zip(one, other).filter { $0 != $1 }.count > 20)
    }
}

struct RejectionTests {
    @Test func `a detail is cut between characters and holds no control characters`() {
        let rejection = Rejection(reason: .malformedMessage, detail: String(repeating: "é\n", count: 1000))
        let text = rejection.headerText
        #expect(text.count <= 1024 && text.count > 1020)
        #expect(String(validating: text, as: UTF8.self) != nil)
        #expect(!text.contains { $0 < 0x20 })
    }

    @Test func `a detail holds nothing that steers terminals or reverses text`() {
        let rejection = Rejection(
            reason: .replyToNotAllowed, detail: "a\u{85}\u{9B}31m\u{2028}\u{2029}\u{202E}\u{2066}b\u{FEFF}é")
        #expect(String(decoding: rejection.headerText, as: UTF8.self) == "a  31m    b é")
    }

    @Test func `every reason has a place of its own`() {
        #expect(Set(RejectionReason.allCases.map(\.index)).count == RejectionReason.allCases.count)
    }
}

struct LogTests {
    private final class Lines: Sendable {
        let text = Mutex("")
    }

    private func line(_ format: Log.Format, _ write: (Log) -> Void) -> String {
        let lines = Lines()
        write(
            Log(level: .info, format: format) { line in
                lines.text.withLock { $0 += String(decoding: line, as: UTF8.self) }
            })
        return lines.text.withLock { $0 }
    }

    @Test func `one event is one line, whatever is in it`() {
        let text = line(.text) { $0.warning("lost", ("reason", "two\nlines \u{1B}[31m"), ("count", 3), ("host", "a")) }
        #expect(text.hasSuffix(#" warning lost reason="two\nlines \u001b[31m" count=3 host=a"# + "\n"))
        #expect(text.filter { $0 == "\n" }.count == 1)
    }

    @Test(arguments: [Log.Format.text, .json])
    func `what steers terminals or reverses text is escaped`(format: Log.Format) {
        let text = line(format) {
            $0.warning("lost", ("reason", "a\u{85}\u{9B}31m\u{7F}\u{2028}\u{2029}\u{202E}\u{E0041} é😀"))
        }
        #expect(text.contains(#""a\u0085\u009b31m\u007f\u2028\u2029\u202e\udb40\udc41 é😀""#))
        #expect(!text.dropLast().unicodeScalars.contains { $0.isUnprintable })
    }

    @Test func `the JSON form is one object`() {
        let text = line(.json) { $0.error("no \"go\"", ("count", 3)) }
        #expect(text.hasSuffix(#""level":"error","event":"no \"go\"","count":3}"# + "\n"))
        #expect(text.hasPrefix(#"{"time":"20"#))
    }

    @Test func `what matters less than the level is not written`() {
        #expect(line(.text) { $0.debug("nothing") } == "")
    }
}
