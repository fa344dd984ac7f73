import SeededRandom
import Testing

@testable import AMQP

/// Deliveries that are read at once are what the reading of single frames makes of them, whatever they hold.
struct WholeDeliveryTests {
    /// What reading came to: the events with their messages, and the error at the end.
    private struct Outcome: Equatable {
        var events: [String] = []
        var error: AMQPError.Code?
    }

    /// Sends all frames at once, or the first one ahead, so that it is read alone.
    private static func outcome(of frames: [[UInt8]], atOnce: Bool) throws -> Outcome {
        let peer = try ScriptedPeer()
        let connection = try peer.connect()
        var outcome = Outcome()
        func read() throws(AMQPError) {
            while let event = try connection.nextEvent() {
                outcome.events.append("\(event) " + describe(connection.message, of: event))
            }
        }
        do throws(AMQPError) {
            if atOnce {
                peer.send(frames.flatMap(\.self))
            } else {
                peer.send(frames[0])
                guard TCPSocket.wait(connection.descriptor, events: 1, until: .now + .seconds(10)) else {
                    Issue.record("nothing came")
                    return outcome
                }
                try read()
                peer.send(frames.dropFirst().flatMap(\.self))
            }
            peer.hangUp()
            while TCPSocket.wait(connection.descriptor, events: 1, until: .now + .seconds(10)) { try read() }
        } catch {
            outcome.error = error.code
        }
        return outcome
    }

    private static func describe(_ message: ReceivedMessage, of event: FrameEvent) -> String {
        guard case .delivery = event else { return "" }
        let texts = [
            message.body, message.contentType, message.contentEncoding, message.replyTo, message.correlationID,
            message.messageID, message.appID, message.type, message.traceParent, message.traceState,
        ].map(message.text)
        let headers = message.eventHeaders.map { "\($0.separator) \(message.text($0.name)) \(message.text($0.text))" }
        #expect(message.bytes.count >= message.heldByteCount, "a parser may read behind the body")
        return "\(texts) \(headers) \(String(describing: message.timestamp)) \(message.deliveryCount) "
            + "\(message.bodyByteCount) \(message.bytes[message.encodedProperties.indices])"
    }

    /// A delivery of any kind: some properties, headers, and a body in no frame, one or several.
    private static func delivery(_ random: inout SeededGenerator) -> [Frame] {
        var flags: UInt16 = 0
        var properties: [UInt8] = []
        func text(upTo count: Int) -> String {
            let count = Int.random(in: 0...count, using: &random)
            return String((0..<count).map { _ in "abcé: ".randomElement(using: &random) ?? "a" })
        }
        for bit in (2...15).reversed() where Bool.random(using: &random) {
            flags |= 1 << UInt16(bit)
            switch bit {
            case 13:
                let names = ["traceparent", "tracestate", "x-delivery-count", "cloudEvents_id", "cloudEvents:type", ""]
                let headers = (0..<Int.random(in: 0...3, using: &random)).flatMap { _ in
                    Frame.shortText(names.randomElement(using: &random) ?? "")
                        + [UInt8(ascii: "S")] + Frame.longText(text(upTo: 20))
                }
                properties += Frame.number(UInt32(headers.count)) + headers
            case 11, 12: properties.append(UInt8.random(in: 0...9, using: &random))
            case 6: properties += Frame.number(UInt64.random(in: 0...9_999_999_999, using: &random))
            default: properties += Frame.shortText(text(upTo: 40))
            }
        }
        let body = (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let cut = Int.random(in: 0..<4, using: &random) == 0 ? body.count / 2 : body.count
        let parts = [body[..<cut], body[cut...]].filter { !$0.isEmpty }.map { Frame.body(Array($0)) }
        let header = Frame.header(bodySize: UInt64(body.count), flags: flags, properties: properties)
        return [.deliver(1, redelivered: Bool.random(using: &random)), header] + parts
    }

    @Test(arguments: 0..<60)
    func `deliveries of all kinds, whole and damaged, are read the same in both ways`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var frames: [[UInt8]] = []
        for _ in 0..<4 {
            frames += Self.delivery(&random).map(\.bytes)
            if Bool.random(using: &random) { frames.append([8, 0, 0, 0, 0, 0, 0, 0xCE]) }
        }
        // The first frame is read alone, so it stays as it is in half of the plays.
        if seed.isMultiple(of: 3) {
            let frame = Int.random(in: 1..<frames.count, using: &random)
            let place = Int.random(in: 0..<frames[frame].count, using: &random)
            frames[frame][place] = UInt8.random(in: 0...255, using: &random)
        }
        let atOnce = try Self.outcome(of: frames, atOnce: true)
        #expect(try atOnce == Self.outcome(of: frames, atOnce: false))
        #expect(seed.isMultiple(of: 3) || atOnce.events.count == 4)
    }
}
