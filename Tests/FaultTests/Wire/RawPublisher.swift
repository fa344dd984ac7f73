import TestSupport

/// Properties of a message as they are on the wire.
struct WireProperties {
    var contentType: String?
    var contentEncoding: String?
    /// An encoded table.
    var headers: [UInt8]?
    var correlationID: String?
    var replyTo: String?
    var expiration: String?
    var messageID: String?
    var timestamp: UInt64?

    /// The flags and the values, in the protocol's order.
    var encoded: [UInt8] {
        let values: [(bit: UInt16, bytes: [UInt8]?)] = [
            (15, contentType.map(Wire.short)), (14, contentEncoding.map(Wire.short)), (13, headers),
            (12, [2]), (10, correlationID.map(Wire.short)), (9, replyTo.map(Wire.short)),
            (8, expiration.map(Wire.short)), (7, messageID.map(Wire.short)), (6, timestamp.map(Wire.number)),
        ]
        let flags = values.filter { $0.bytes != nil }.reduce(UInt16(0)) { $0 | 1 << $1.bit }
        return Wire.number(flags) + values.compactMap(\.bytes).flatMap(\.self)
    }
}

/// A client that publishes what no library would: it writes the frames itself.
final class RawPublisher {
    private static let partMax = 131_064
    private let socket: WireSocket

    /// Logs in and turns confirms on.
    init(port: UInt16) throws {
        socket = try WireSocket(port: port)
        socket.send(Array("AMQP".utf8) + [0, 0, 9, 1])
        try expect(10, 10)
        let login = Wire.table([]) + Wire.short("PLAIN") + Wire.long(Array("\0guest\0guest".utf8)) + Wire.short("en_US")
        socket.send(Wire.method(10, 11, channel: 0, login))
        try expect(10, 30)
        socket.send(
            Wire.method(10, 31, channel: 0, Wire.number(UInt16(1)) + Wire.number(UInt32(131_072)) + [0, 0])
                + Wire.method(10, 40, channel: 0, Wire.short("/") + [0, 0]))
        try expect(10, 41)
        socket.send(Wire.method(20, 10, [0]))
        try expect(20, 11)
        socket.send(Wire.method(85, 10, [0]))
        try expect(85, 11)
    }

    /// Publishes a message to a queue and waits until the broker has it; false when the broker closes the channel.
    func publish(_ properties: WireProperties, body: [UInt8], to queue: String) throws -> Bool {
        var bytes = Wire.method(60, 40, [0, 0, 0] + Wire.short(queue) + [1])
        bytes += Wire.frame(
            2, Wire.number(UInt16(60)) + [0, 0] + Wire.number(UInt64(body.count)) + properties.encoded)
        for start in stride(from: 0, to: body.count, by: Self.partMax) {
            bytes += Wire.frame(3, Array(body[start..<min(start + Self.partMax, body.count)]))
        }
        socket.send(bytes)
        while let frame = socket.frame() {
            switch frame.method {
            case (60, 80)?: return true
            case (20, 40)?, (10, 50)?: return false
            default: continue
            }
        }
        throw MissingInTest(what: "a confirm")
    }

    private func expect(_ classID: UInt16, _ methodID: UInt16) throws {
        guard socket.nextIsMethod(classID, methodID) else {
            throw MissingInTest(what: "the broker's method \(classID).\(methodID)")
        }
    }
}
