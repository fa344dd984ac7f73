extension Unicode.Scalar {
    /// Whether it is not seen itself, but steers a terminal or changes how what is around it is read.
    ///
    /// These are the control characters, the line and paragraph separators, and the format characters, among which are
    /// those that reverse the order of text.
    var isUnprintable: Bool {
        guard value >= 0x7F else { return value < 0x20 }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// How text from outside becomes fit for people to look at.
enum Printable {
    /// JSON in which what is not fit for terminals is escaped, so that it means the same.
    static func json(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard scalar.isUnprintable else {
                result += UTF8.encode(scalar).map(Array.init) ?? []
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            }
        }
        return result
    }
}
