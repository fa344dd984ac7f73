internal import CRabbitMQ

/// Reads the fields of a method or of a message's properties, one after the other, by their types in AMQP 0-9-1.
///
/// Nothing is read beyond the end: there numbers are 0 and texts empty, and `isComplete` becomes false.
@safe
struct FieldReader {
    private let bytes: UnsafeRawBufferPointer
    private let count: Int
    /// Where the next field begins.
    private(set) var offset = 0
    /// Whether every field that was read was there.
    private(set) var isComplete = true

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
        count = bytes.count
    }

    /// The next `size` bytes, which are not read.
    @inline(__always)
    mutating func skip(_ size: Int) -> Range<Int> {
        guard size <= count - offset else {
            isComplete = false
            offset = count
            return 0..<0
        }
        offset += size
        return offset - size..<offset
    }

    @inline(__always)
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        let place = skip(MemoryLayout<Number>.size)
        guard !place.isEmpty else { return 0 }
        return unsafe Number(bigEndian: bytes.loadUnaligned(fromByteOffset: place.lowerBound, as: Number.self))
    }

    /// A text of at most 255 bytes.
    @inline(__always)
    mutating func shortText() -> Range<Int> { skip(Int(number(UInt8.self))) }

    /// A text or a table.
    mutating func long() -> Range<Int> { skip(Int(number(UInt32.self))) }

    /// Whether a text that was read is the one given.
    func text(_ range: Range<Int>, equals text: StaticString) -> Bool {
        text.withUTF8Buffer { unsafe $0.count == range.count && bytes[range].elementsEqual($0) }
    }

    func text(_ range: Range<Int>, hasPrefix prefix: StaticString) -> Bool {
        prefix.withUTF8Buffer { unsafe bytes[range].starts(with: $0) }
    }

    /// Whether the text begins with `cloudEvents_` or `cloudEvents:`, and goes on.
    func isEventHeader(_ name: Range<Int>) -> Bool {
        let prefixByteCount = EventHeader.prefix.utf8CodeUnitCount
        guard name.count > prefixByteCount + 1 else { return false }
        let separator = unsafe bytes[name.lowerBound + prefixByteCount]
        guard separator == UInt8(ascii: "_") || separator == UInt8(ascii: ":") else { return false }
        return text(name, hasPrefix: EventHeader.prefix)
    }
}

/// A value in a table, as far as it is of use.
enum HeaderValue {
    case text(Range<Int>)
    /// A whole number that is not negative.
    case count(UInt64)
    case other
}

extension FieldReader {
    /// A value in a table; tables within are skipped, however deep they nest.
    mutating func value() -> HeaderValue {
        switch UnicodeScalar(number(UInt8.self)) {
        case "S", "x": return .text(long())
        case "b": return Self.count(number(Int8.self))
        case "B": return Self.count(number(UInt8.self))
        case "s": return Self.count(number(Int16.self))
        case "u": return Self.count(number(UInt16.self))
        case "I": return Self.count(number(Int32.self))
        case "i": return Self.count(number(UInt32.self))
        case "l": return Self.count(number(Int64.self))
        case "L": return Self.count(number(UInt64.self))
        case "A", "F": _ = long()
        case "d", "T": _ = skip(8)
        case "f": _ = skip(4)
        case "D": _ = skip(5)
        case "t": _ = skip(1)
        case "V": break
        default: isComplete = false
        }
        return .other
    }

    private static func count(_ number: some FixedWidthInteger) -> HeaderValue {
        UInt64(exactly: number).map { .count($0) } ?? .other
    }
}
