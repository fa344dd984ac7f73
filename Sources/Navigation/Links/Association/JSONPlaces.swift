/// Where the values of a JSON document stand in its text.
///
/// The parser that checked the text keeps no places; errors and findings about the file need them.
struct JSONPlaces {
    private let text: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    private var positions: [String: TextPosition] = [:]

    /// Finds the places in a text that has been parsed without error.
    init(_ text: [UInt8]) {
        self.text = text
        value(at: "")
    }

    /// The place of a value, by its path, for example `applinks.details[0]`; the text's start for one that is not there.
    subscript(path: String) -> TextPosition { positions[path] ?? .start }

    private var byte: UInt8 { index < text.count ? text[index] : 0 }

    /// The longest path that is remembered; hostile keys would else fill the memory.
    private static let pathByteCountMax = 256

    private mutating func value(at path: String?) {
        skipSpace()
        let path = path.flatMap { $0.utf8.count <= Self.pathByteCountMax ? $0 : nil }
        if let path { positions[path] = TextPosition(line: line, column: index - lineStart + 1) }
        switch byte {
        case UInt8(ascii: "{"): object(at: path)
        case UInt8(ascii: "["): array(at: path)
        case UInt8(ascii: "\""): _ = string()
        default: while index < text.count, !",]}".utf8.contains(byte), byte > 0x20 { index += 1 }
        }
        skipSpace()
    }

    private mutating func object(at path: String?) {
        index += 1
        skipSpace()
        while byte == UInt8(ascii: "\"") {
            let key = string()
            skipSpace()
            index += 1
            value(at: path.map { $0.isEmpty ? key : "\($0).\(key)" })
            if byte == UInt8(ascii: ",") { index += 1 }
            skipSpace()
        }
        index += 1
    }

    private mutating func array(at path: String?) {
        index += 1
        skipSpace()
        var count = 0
        while index < text.count, byte != UInt8(ascii: "]") {
            value(at: path.map { "\($0)[\(count)]" })
            count += 1
            if byte == UInt8(ascii: ",") { index += 1 }
            skipSpace()
        }
        index += 1
    }

    /// Reads a string; escapes stay as they are.
    private mutating func string() -> String {
        let start = index + 1
        index = start
        while index < text.count, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
        let end = min(index, text.count)
        index = end + 1
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while index < text.count, byte <= 0x20 {
            if byte == UInt8(ascii: "\n") {
                line += 1
                lineStart = index + 1
            }
            index += 1
        }
    }
}
