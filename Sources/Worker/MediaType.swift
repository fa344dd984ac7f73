/// Compares what `content_type` and `content_encoding` say.
enum MediaType {
    /// Whether a type is the other, which is in lower case, whatever its own case and parameters.
    static func equals(_ type: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
        if type.count == lowercase.count, type.elementsEqual(lowercase) { return true }
        var name = type.prefix { $0 != UInt8(ascii: ";") }
        while let last = name.last, isSpace(last) { name.removeLast() }
        while let first = name.first, isSpace(first) { name.removeFirst() }
        return isWord(name, lowercase)
    }

    /// Whether a word is the other, which is in lower case.
    static func isWord(_ text: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
        text.count == lowercase.count
            && zip(text, lowercase).allSatisfy { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
