/// Compares what `content_type` and `content_encoding` say.
enum MediaType {
    /// Whether a type is the other, which is in lower case, whatever its own case and parameters.
    static func equals(_ type: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
        if isWord(type, lowercase) { return true }
        var name = type.prefix { $0 != UInt8(ascii: ";") }
        while let last = name.last, isSpace(last) { name.removeLast() }
        while let first = name.first, isSpace(first) { name.removeFirst() }
        return isWord(name, lowercase)
    }

    /// Whether a word is the other, which is in lower case.
    static func isWord(_ text: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
        guard text.count == lowercase.count else { return false }
        // Every message comes this way: plain indexes cost a tenth of what a zipped sequence does.
        var index = text.startIndex
        for byte in lowercase {
            let other = text[index]
            guard other == byte || (0x41...0x5A).contains(other) && other | 0x20 == byte else { return false }
            index += 1
        }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
