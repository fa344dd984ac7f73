/// A set of the WHATWG URL standard: the bytes that a part of a URL has percent-encoded.
///
/// Every set holds the control characters and all bytes beyond ASCII.
struct PercentEncodeSet: Sendable {
    /// One bit for each ASCII character.
    private let low: UInt64
    private let high: UInt64

    private init(_ characters: StaticString, and other: PercentEncodeSet?) {
        var low: UInt64 = other?.low ?? 0xFFFF_FFFF
        var high: UInt64 = other?.high ?? 1 << 63
        for byte in characters.description.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        self.low = low
        self.high = high
    }

    /// For opaque hosts and opaque paths: nothing else.
    static let controls = PercentEncodeSet("", and: nil)
    static let fragment = PercentEncodeSet(" \"<>`", and: controls)
    /// For the queries of custom schemes.
    static let query = PercentEncodeSet(" \"#<>", and: controls)
    /// For the queries of http and https.
    static let webQuery = PercentEncodeSet("'", and: query)
    static let path = PercentEncodeSet("?^`{}", and: query)

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low >> UInt64(byte) & 1 == 1
        case 64..<128: high >> UInt64(byte - 64) & 1 == 1
        default: true
        }
    }
}

extension [UInt8] {
    /// Appends the byte, as `%XX` where the set asks for it.
    mutating func append(_ byte: UInt8, encoding set: PercentEncodeSet) {
        guard set.contains(byte) else { return append(byte) }
        append(UInt8(ascii: "%"))
        append(Self.digit(byte >> 4))
        append(Self.digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// Percent-decoding: each `%XX` is replaced by its byte, once; what is no such escape stays as it is.
enum PercentDecoding {
    /// The bytes, whatever they are; nil where there is nothing to decode.
    static func bytes(_ encoded: Span<UInt8>) -> [UInt8]? {
        guard encoded.firstIndex(of: UInt8(ascii: "%"), from: 0) != nil else { return nil }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(encoded.count)
        var index = 0
        while index < encoded.count {
            if encoded[index] == UInt8(ascii: "%"), index + 2 < encoded.count,
                let high = hexadecimal(encoded[index + 1]), let low = hexadecimal(encoded[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(encoded[index])
                index += 1
            }
        }
        return decoded
    }

    /// The text; where the bytes are not UTF-8 the percent-encoding stays.
    static func text(_ encoded: Span<UInt8>) -> String {
        if let decoded = bytes(encoded), let text = String(validating: decoded, as: UTF8.self) { return text }
        return String(utf8: encoded)
    }

    /// The UTF-8 of the text; nil where it is as it is given.
    static func utf8(_ encoded: Span<UInt8>) -> [UInt8]? {
        guard let decoded = bytes(encoded), (try? UTF8Span(validating: decoded.span)) != nil else { return nil }
        return decoded
    }

    /// The value of a hexadecimal digit.
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
