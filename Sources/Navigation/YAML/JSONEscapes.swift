/// What JSON writes differently from YAML: `\ud83d\ude00`, two halves of a character, for YAML's `\U0001F600`.
enum JSONEscapes {
    /// The bytes with such pairs as YAML writes them, in a file that is JSON: one that begins with `{` or `[`.
    ///
    /// Behind a pair, columns count two less than in the file.
    static func withoutSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), bytes.contains(UInt8(ascii: "\\")) else {
            return bytes
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if let high = unit(bytes, index), (0xD800...0xDBFF).contains(high), let low = unit(bytes, index + 6),
                (0xDC00...0xDFFF).contains(low)
            {
                let scalar = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
                let digits = String(scalar, radix: 16)
                result += "\\U\(String(repeating: "0", count: 8 - digits.count))\(digits)".utf8
                index += 12
            } else {
                result += bytes[index..<min(index + 2, bytes.count)]
                index += 2
            }
        }
        return result
    }

    /// The 16 bits of an escape `\uXXXX` at an index.
    private static func unit(_ bytes: [UInt8], _ index: Int) -> UInt32? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let digits = bytes[index + 2..<index + 6]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
