extension Span<UInt8> {
    /// Where the byte stands first at or after `start`.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// Where the byte stands last.
    func lastIndex(of byte: UInt8) -> Int? {
        var index = count - 1
        while index >= 0 {
            if self[index] == byte { return index }
            index -= 1
        }
        return nil
    }

    /// Whether all bytes are equal.
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return stands(other, at: 0)
    }

    /// Whether the other bytes stand at `start`.
    func stands(_ other: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, start + other.count <= count else { return false }
        for index in 0..<other.count where self[start + index] != other[index] { return false }
        return true
    }

    /// Whether the bytes end with the others.
    func ends(with other: Span<UInt8>) -> Bool { stands(other, at: count - other.count) }
}

extension UInt8 {
    /// An ASCII capital as a small letter; any other byte as it is.
    var asciiLowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }

    var isASCIIDigit: Bool { 0x30...0x39 ~= self }

    var isASCIILetter: Bool { 0x61...0x7A ~= self | 0x20 }
}

extension String {
    /// The text of bytes that are UTF-8; empty for others.
    init(utf8 bytes: Span<UInt8>) {
        if let text = try? UTF8Span(validating: bytes) { self.init(copying: text) } else { self.init() }
    }
}
