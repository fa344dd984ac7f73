import SeededRandom
import Testing

@testable import AMQP

/// Replies that are made from a form are, byte for byte, what the general way of publishing writes.
struct ReplyTests {
    private static func text(_ count: ClosedRange<Int>, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: count, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func written(_ connection: Connection, _ peer: ScriptedPeer) throws -> [UInt8] {
        let count = connection.outputByteCount
        try connection.flush(now: .now)
        return peer.read(count)
    }

    @Test func `replies of all kinds are what the general way writes`() throws {
        let peer = try ScriptedPeer()
        let connection = try peer.connect()
        let form = try #require(
            ReplyForm(queue: "commands", contentType: "application/json", type: "answer", messageIDPrefix: "re:"))
        var random = SeededGenerator(seed: 1)
        var isSimple = 0
        for _ in 0..<2000 {
            let received = ReceivedMessage()
            func held(_ count: ClosedRange<Int>) -> ByteRange {
                let text = Self.text(count, &random)
                defer { received.bytes += text }
                return ByteRange(start: received.bytes.count, count: text.count)
            }
            var reply = Reply(
                correlationID: held(0...255), messageID: held(0...255), appID: held(0...20),
                timestamp: UInt64.random(in: 0...UInt64.max, using: &random))
            if Bool.random(using: &random) { reply.queue = held(1...255) }
            let body = Self.text(0...900, &random)
            guard connection.publish(reply, to: received, as: form, body: body.span) else {
                #expect(connection.outputByteCount == 0)
                #expect(
                    body.isEmpty || reply.correlationID.isEmpty || reply.messageID.isEmpty
                        || reply.messageID.count > 252)
                continue
            }
            isSimple += 1
            let short = try Self.written(connection, peer)
            var message = OutgoingMessage()
            message.routingKey =
                reply.queue.isEmpty ? message.text("commands") : message.text(reply.queue, of: received)
            message.contentType = message.text("application/json")
            message.type = message.text("answer")
            message.correlationID = message.text(reply.correlationID, of: received)
            message.messageID = message.text("re:", reply.messageID, of: received)
            message.appID = message.text(reply.appID, of: received)
            message.timestamp = reply.timestamp
            try connection.publish(message, body: body.span)
            #expect(try short == Self.written(connection, peer))
        }
        #expect(isSimple > 1500)
    }

    @Test func `a body that does not fit in a frame, and a name that is too long, need the general way`() throws {
        let peer = try ScriptedPeer()
        let connection = try peer.connect()
        let form = try #require(ReplyForm(queue: "q", contentType: "c", type: "t", messageIDPrefix: "re:"))
        let received = ReceivedMessage()
        received.bytes = [1, 2]
        let place = ByteRange(start: 0, count: 2)
        let reply = Reply(correlationID: place, messageID: place, appID: .absent, timestamp: 1)
        for (size, fits) in [(131_064, true), (131_065, false)] {
            let body = [UInt8](repeating: 1, count: size)
            let isPublished = connection.publish(reply, to: received, as: form, body: body.span)
            #expect(isPublished == fits)
        }
        let longName = String(repeating: "n", count: 256)
        #expect(ReplyForm(queue: longName, contentType: "c", type: "t", messageIDPrefix: "") == nil)
    }
}
