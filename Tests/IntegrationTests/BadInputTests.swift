import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    struct BadInputTests {
        /// A request that is rejected, and why.
        struct BadRequest: Sendable, CustomTestStringConvertible {
            let what: String
            let body: [UInt8]
            let reason: String
            var contentType = ""
            var contentEncoding = ""
            var replyTo = ""

            var testDescription: String { what }
        }

        static func text(
            _ what: String, _ body: String, _ reason: String = "malformedMessage", contentType: String = "",
            replyTo: String = ""
        ) -> BadRequest {
            BadRequest(
                what: what, body: Array(body.utf8), reason: reason, contentType: contentType, replyTo: replyTo)
        }

        static let requests: [BadRequest] = [
            text("not JSON", "open sesame"),
            text("empty", ""),
            text("an array", "[]"),
            text("a wrong type", #"{"activityType":7}"#),
            text("a missing type", #"{"title":"x"}"#),
            text("an empty type", #"{"activityType":""}"#),
            text("bytes after the object", #"{"activityType":"a"} x"#),
            text("NaN", #"{"activityType":"a","userInfo":{"n":NaN}}"#),
            BadRequest(
                what: "invalid UTF-8", body: Array(#"{"activityType":"a"#.utf8) + [0xFF, 0x22, 0x7D],
                reason: "malformedMessage"),
            BadRequest(what: "a megabyte", body: Array(repeating: 0x20, count: 1 << 20), reason: "bodyTooLarge"),
            text(
                "an unknown content type", #"{"activityType":"a"}"#, "unsupportedContentType", contentType: "text/plain"
            ),
            text("a forbidden reply queue", #"{"activityType":"a"}"#, "replyToNotAllowed", replyTo: "somebody.else"),
            text("the input queue as reply queue", #"{"activityType":"a"}"#, "replyToNotAllowed", replyTo: "INPUT"),
        ]

        @Test func `each bad request is in the dead-letter queue with its reason, and valid neighbours are answered`()
            throws
        {
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            for (number, request) in Self.requests.enumerated() {
                let name = request.replyTo == "INPUT" ? running.queues.input : request.replyTo
                try peer.publish(request.body, to: running.queues.input) {
                    $0.messageID = $0.text("bad-\(number)")
                    $0.contentType = $0.text(request.contentType)
                    $0.replyTo = $0.text(name)
                }
                try peer.publish(#"{"activityType":"good"}"#, to: running.queues.input) {
                    $0.messageID = $0.text("good-\(number)")
                    $0.contentType = $0.text("Application/JSON; charset=utf-8")
                }
            }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(Self.requests.count)
            #expect(
                Set(peer.received.map(\.messageID)) == Set(Self.requests.indices.map { "re:good-\($0)" }))
            let dead = try Peer()
            try dead.consume(running.queues.dead)
            try dead.await(Self.requests.count)
            for letter in dead.received {
                let number = try #require(Int(letter.messageID.dropFirst(4)))
                let request = Self.requests[number]
                #expect(letter.body == request.body, "\(request.what)")
                let headers = letter.raw.textHeaders()
                #expect(headers["deeplink-reason"] == request.reason, "\(request.what)")
                #expect(headers["deeplink-source-queue"] == running.queues.input)
                #expect(headers["deeplink-detail"]?.isEmpty == false)
                #expect(headers["deeplink-time"]?.hasSuffix("Z") == true)
            }
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.input).messageCount == 0)
        }

        @Test func `a rejected request that names an allowed reply queue is told so`() throws {
            let running = try RunningWorker(replyTo: ["test.*.mine"])
            try running.ready()
            let peer = try Peer()
            let mine = "test.\(running.queues.id).mine"
            try peer.connection.declare(QueueDeclaration(name: mine, arguments: []))
            try peer.publish("nonsense", to: running.queues.input) {
                $0.replyTo = $0.text(mine)
                $0.correlationID = $0.text("c1")
            }
            try peer.consume(mine)
            try peer.await(1)
            let answer = try #require(peer.received.first)
            #expect(answer.correlationID == "c1")
            #expect(answer.text.hasPrefix(#"{"handled":false,"message":"The body is not"#))
            #expect(answer.text.hasSuffix(#""reason":"malformedMessage"}"#))
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.dead).messageCount == 1)
        }

        @Test func `a body over 16 MiB is not held and is dead-lettered by the broker`() throws {
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            try peer.publish(Array(repeating: 0x20, count: (16 << 20) + 1), to: running.queues.input)
            try peer.publish(#"{"activityType":"good"}"#, to: running.queues.input)
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(1)
            #expect(try running.stop() == .clean)
            try eventually("the dead letter") {
                try peer.connection.inspect(queue: running.queues.dead).messageCount == 1
            }
        }
    }
}
