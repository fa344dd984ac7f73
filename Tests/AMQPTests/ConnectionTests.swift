import Foundation
import Synchronization
import Testing

@testable import AMQP

struct ConnectionTests {
    /// A delivery with properties, headers and a body in two frames.
    private static let delivery: [UInt8] = {
        let headers =
            Frame.shortText("x-delivery-count") + [UInt8(ascii: "l")] + Frame.number(Int64(3))
            + Frame.shortText("traceparent") + [UInt8(ascii: "S")] + Frame.longText("00-trace-01")
            + Frame.shortText("") + [UInt8(ascii: "V")]
        // content-type, headers, correlation-id, reply-to, message-id, timestamp
        let flags: UInt16 = 1 << 15 | 1 << 13 | 1 << 10 | 1 << 9 | 1 << 7 | 1 << 6
        let properties =
            Frame.shortText("application/json") + Frame.number(UInt32(headers.count)) + headers
            + Frame.shortText("corr") + Frame.shortText("reply.q") + Frame.shortText("")
            + Frame.number(UInt64(1_700_000_000))
        let frames: [Frame] = [
            .deliver(1, redelivered: true), .header(bodySize: 11, flags: flags, properties: properties),
            .body(Array("hello ".utf8)), .body(Array("world".utf8)),
        ]
        return frames.flatMap(\.bytes)
    }()

    private func expectDelivery(_ connection: Connection) throws {
        guard case .delivery(let tag, let isRedelivered) = try connection.awaitEvent() else {
            Issue.record("no delivery")
            return
        }
        let message = connection.message
        #expect(tag == 1 && isRedelivered)
        #expect(message.text(message.body) == "hello world")
        #expect(message.text(message.contentType) == "application/json")
        #expect(message.text(message.correlationID) == "corr")
        #expect(message.text(message.replyTo) == "reply.q")
        #expect(message.messageID.isEmpty)
        #expect(message.timestamp == 1_700_000_000)
        #expect(message.deliveryCount == 3)
        #expect(message.text(message.traceParent) == "00-trace-01")
    }

    @Test(arguments: [true, false])
    func `a message is the same wherever the network cuts it`(readsDirectly: Bool) throws {
        let peer = try ScriptedPeer()
        let connection = try peer.connect(readsDirectly: readsDirectly)
        for cut in stride(from: 1, to: Self.delivery.count, by: 3) {
            peer.send(Array(Self.delivery[..<cut]))
            while try connection.nextEvent() == nil, connection.mayHaveInput {}
            peer.send(Array(Self.delivery[cut...]))
            try expectDelivery(connection)
        }
    }

    @Test func `twenty thousand nested header tables come through on the pipeline's stack`() throws {
        let peer = try ScriptedPeer()
        let depth = 20_000
        var table: [UInt8] = Frame.number(UInt32(0))
        for _ in 0..<depth {
            // An empty key, the type, and the table within.
            let entry: [UInt8] = [0, UInt8(ascii: "F")]
            table = Frame.number(UInt32(entry.count + table.count)) + entry + table
        }
        let connection = try peer.connect()
        let message = Frame.deliver(1).bytes + Frame.header(bodySize: 0, flags: 1 << 13, properties: table).bytes
        let handed = Handed(connection)
        let writer = try NativeThread(name: "writer", stackByteCount: 1 << 20) { peer.send(message) }
        let box = Outcome()
        try NativeThread(name: "reader", stackByteCount: 16 << 20) {
            if case .delivery? = try? handed.connection.awaitEvent() {
                box.isCopied.withLock {
                    $0 = try? handed.connection.republish(
                        handed.connection.message, to: "dead", replacingHeaders: "deeplink-",
                        by: [("deeplink-reason", Array("test".utf8))])
                }
            }
        }.join()
        writer.join()
        // Whether the copy fits in a frame or not, it was judged.
        #expect(box.isCopied.withLock { $0 } != nil)
    }

    @Test func `confirms, refusals, returns and the connection's fate are events in their order`() throws {
        let peer = try ScriptedPeer()
        let connection = try peer.connect()
        peer.send(
            .method(
                0x003C_0032,
                Frame.number(UInt16(312)) + Frame.shortText("NO_ROUTE") + Frame.shortText("") + Frame.shortText("gone")),
            .header(bodySize: 2), .body([1, 2]),
            .method(0x003C_0050, Frame.number(UInt64(7)) + [1]),
            .method(0x003C_0078, Frame.number(UInt64(8)) + [0]),
            .method(0x000A_003C, Frame.shortText("low on memory"), channel: 0), .method(0x000A_003D, channel: 0),
            .method(0x003C_001E, Frame.shortText("c") + [1]),
            .method(0x0014_0028, Frame.number(UInt16(404)) + Frame.shortText("NOT\nFOUND") + Frame.number(UInt32(0))))
        var events: [String] = []
        for _ in 0..<7 { events.append("\(try connection.awaitEvent())") }
        #expect(connection.message.text(connection.message.returnedRoutingKey) == "gone")
        #expect(
            events.prefix(6) == [
                "returned(code: 312)", "confirmed(tag: 7, multiple: true)", "refused(tag: 8, multiple: false)",
                #"blocked("low on memory")"#, "unblocked", "cancelled",
            ])
        #expect(events.last == "channelClosed(404 NOT FOUND)")
        try connection.flush(now: .now)
        #expect(peer.readFrame()?.method == 0x0014_0029)
    }

    @Test(arguments: [
        [Frame.header(bodySize: 1)], [.body([1])], [.deliver(1), .deliver(2)],
        [.deliver(1), .header(bodySize: 1), .body([1, 2])], [.method(0x003C_0028, [0, 0, 0, 0, 0])],
        [.method(0x0999_0999)],
    ])
    func `a peer that breaks the rules ends the connection, not the process`(frames: [Frame]) throws {
        for readsDirectly in [true, false] {
            let peer = try ScriptedPeer()
            let connection = try peer.connect(readsDirectly: readsDirectly)
            peer.send(frames.flatMap(\.bytes))
            #expect(throws: AMQPError.self) {
                while true { _ = try connection.awaitEvent() }
            }
        }
    }

    @Test(arguments: [0, 1, 131_063, 131_064, 131_065, 300_000])
    func `a body is cut into frames of the agreed size`(size: Int) throws {
        let peer = try ScriptedPeer()
        let connection = try peer.connect()
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        var message = OutgoingMessage()
        message.routingKey = message.text("queue")
        message.messageID = message.text("re:1")
        message.traceParent = message.text("00-1")
        try connection.publish(message, body: body.span)
        let received = Received()
        let reader = try NativeThread(name: "reader", stackByteCount: 1 << 20) {
            var rest = size
            received.frames.withLock { frames in
                repeat {
                    guard let frame = peer.readFrame() else { return }
                    if frame.type == 3 { rest -= frame.payload.count }
                    frames.append(frame)
                } while rest > 0 || frames.count < 2
            }
        }
        while connection.hasOutput {
            try connection.flush(now: .now)
            _ = TCPSocket.wait(connection.descriptor, events: Int16(POLLOUT), until: .now + .seconds(5))
        }
        reader.join()
        let frames = received.frames.withLock { $0 }
        #expect(frames[0].method == 0x003C_0028)
        #expect(frames[0].payload.suffix(8) == [0] + Frame.shortText("queue") + [1])
        #expect(frames[1].payload[4..<12] == Frame.number(UInt64(size))[...])
        #expect(frames.dropFirst(2).flatMap(\.payload) == body)
        #expect(frames.dropFirst(2).allSatisfy { $0.payload.count <= 131_064 })
    }

    @Test(arguments: [10, 20, 30, 40, 50, 85, 90] as [UInt16])
    func `a content header of a class that has no content is an error`(classID: UInt16) throws {
        for readsDirectly in [true, false] {
            let peer = try ScriptedPeer()
            let connection = try peer.connect(readsDirectly: readsDirectly)
            peer.send(
                .deliver(1),
                .header(bodySize: 1, classID: classID, flags: 0xFFFC, properties: Array(repeating: 0, count: 40)))
            let error = #expect(throws: AMQPError.self) { try connection.awaitEvent() }
            #expect(error?.code == .protocolViolation, "\(error?.description ?? "")")
        }
    }

    @Test func `a silent peer is taken for dead, and hears heartbeats meanwhile`() throws {
        let peer = try ScriptedPeer()
        let connection = try peer.connect(heartbeat: 10)
        let start = ContinuousClock.now
        try connection.beat(now: start + .seconds(6))
        try connection.flush(now: start + .seconds(6))
        #expect(peer.readFrame()?.type == 8)
        let error = #expect(throws: AMQPError.self) { try connection.beat(now: start + .seconds(25)) }
        #expect(error?.code == .timeout)
        // Who does not read cannot tell silence.
        try connection.beat(now: start + .seconds(25), isReading: false)
    }

    @Test func `an end of the stream is an error that names the broker`() throws {
        let peer = try ScriptedPeer()
        let connection = try peer.connect()
        peer.hangUp()
        let error = #expect(throws: AMQPError.self) { _ = try connection.awaitEvent() }
        #expect(error?.description.contains("127.0.0.1:\(peer.port)") == true)
    }

    @Test func `a broker that accepts and says nothing is given up in time`() throws {
        let peer = try ScriptedPeer()
        let url = try AMQPURL("amqp://127.0.0.1:\(peer.port)/?connection_timeout=200")
        let start = ContinuousClock.now
        let error = #expect(throws: AMQPError.self) { _ = try Connection.open([url], name: "test") }
        #expect(error?.code == .timeout)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func `the next URL is tried when nothing listens at the first`() throws {
        let url = try AMQPURL("amqp://127.0.0.1:1/")
        let error = #expect(throws: AMQPError.self) { _ = try Connection.open([url, url], name: "test") }
        #expect(error?.code == .unreachable)
    }
}

/// A connection handed to another thread, and not used here meanwhile.
private struct Handed: @unchecked Sendable {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }
}

private final class Outcome: Sendable {
    let isCopied = Mutex<Bool?>(nil)
}

private final class Received: Sendable {
    let frames = Mutex<[Frame]>([])
}
