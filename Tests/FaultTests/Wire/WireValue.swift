/// A value in an AMQP field table, as RabbitMQ writes it.
indirect enum WireValue: Sendable {
    /// A name and its value.
    typealias Entry = (name: String, value: WireValue)

    case boolean(Bool)
    case byte(Int8)
    case unsignedByte(UInt8)
    case short(Int16)
    case unsignedShort(UInt16)
    case int(Int32)
    case unsignedInt(UInt32)
    case long(Int64)
    case float(Float)
    case double(Double)
    case decimal(scale: UInt8, UInt32)
    case text([UInt8])
    case bytes([UInt8])
    case array([WireValue])
    case timestamp(UInt64)
    case table([Entry])
    case void
    /// An encoded table, for what no sender would write by hand.
    case encodedTable([UInt8])

    /// The value with the letter of its kind.
    var encoded: [UInt8] {
        switch self {
        case .boolean(let value): [UInt8(ascii: "t"), value ? 1 : 0]
        case .byte(let value): [UInt8(ascii: "b"), UInt8(bitPattern: value)]
        case .unsignedByte(let value): [UInt8(ascii: "B"), value]
        case .short(let value): [UInt8(ascii: "s")] + Wire.number(value)
        case .unsignedShort(let value): [UInt8(ascii: "u")] + Wire.number(value)
        case .int(let value): [UInt8(ascii: "I")] + Wire.number(value)
        case .unsignedInt(let value): [UInt8(ascii: "i")] + Wire.number(value)
        case .long(let value): [UInt8(ascii: "l")] + Wire.number(value)
        case .float(let value): [UInt8(ascii: "f")] + Wire.number(value.bitPattern)
        case .double(let value): [UInt8(ascii: "d")] + Wire.number(value.bitPattern)
        case .decimal(let scale, let value): [UInt8(ascii: "D"), scale] + Wire.number(value)
        case .text(let value): [UInt8(ascii: "S")] + Wire.long(value)
        case .bytes(let value): [UInt8(ascii: "x")] + Wire.long(value)
        case .array(let values): [UInt8(ascii: "A")] + Wire.long(values.flatMap(\.encoded))
        case .timestamp(let value): [UInt8(ascii: "T")] + Wire.number(value)
        case .table(let entries): [UInt8(ascii: "F")] + Wire.table(entries)
        case .void: [UInt8(ascii: "V")]
        case .encodedTable(let bytes): [UInt8(ascii: "F")] + bytes
        }
    }

    /// Tables within tables, made from the inside out.
    static func nest(depth: Int) -> WireValue {
        // Each table is the length of its content, then one entry: a name of no bytes would be refused, so one of one.
        var bytes = [UInt8](repeating: 0, count: 4)
        bytes.reserveCapacity(depth * 7 + 4)
        var pieces: [[UInt8]] = []
        var size: UInt32 = 4
        for _ in 0..<depth {
            pieces.append(Wire.number(size + 3) + [1, UInt8(ascii: "n"), UInt8(ascii: "F")])
            size += 7
        }
        return .encodedTable(pieces.reversed().flatMap(\.self) + bytes)
    }
}

/// The pieces that AMQP 0-9-1 frames are made of.
enum Wire {
    static func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A text of at most 255 bytes, with its length.
    static func short(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }

    /// Bytes with a length of four bytes.
    static func long(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes }

    static func table(_ entries: [WireValue.Entry]) -> [UInt8] {
        long(entries.flatMap { short($0.name) + $0.value.encoded })
    }

    /// A frame: its type, channel, size, payload and end.
    static func frame(_ type: UInt8, channel: UInt16 = 1, _ payload: [UInt8]) -> [UInt8] {
        [type] + number(channel) + long(payload) + [0xCE]
    }

    /// A method frame.
    static func method(
        _ classID: UInt16, _ methodID: UInt16, channel: UInt16 = 1, _ arguments: [UInt8] = []
    ) -> [UInt8] {
        frame(1, channel: channel, number(classID) + number(methodID) + arguments)
    }
}
