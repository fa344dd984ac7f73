/// Reads a JSON document that is plain, as most messages are, in a fraction of the time that any document takes.
///
/// Plain is a small document without escapes in its strings, and whose numbers are whole and of at most 18 digits. Of
/// anything else, right or wrong, it says no more than that it is not plain.
@safe
struct PlainJSONReader {
    /// The largest document.
    static let byteCountMax = 4096
    /// How many bytes behind the document are the reader's.
    static let paddingByteCount = 8

    /// How many words a document of so many bytes can take, right or wrong: two for a number of one digit and its comma.
    static func wordCountMax(forBytes count: Int) -> Int { count + 4 }

    private let text: UnsafeMutableRawPointer
    private let count: Int
    private let words: UnsafeMutablePointer<UInt64>
    private var at = 0
    private var next = JSONDocument.root

    /// Takes `count` bytes of text with their padding, which is overwritten, and room for the words.
    init(_ text: UnsafeMutableRawPointer, count: Int, words: UnsafeMutablePointer<UInt64>) {
        // Zeros end whatever is not ended by the document itself.
        unsafe text.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
        unsafe self.text = text
        self.count = count
        unsafe self.words = words
    }

    /// Writes the words of the document as `JSONDocument` has them; their number, or nil where it is not plain.
    mutating func read(depthMax: Int) -> Int? {
        skipSpace()
        guard value(depthMax) else { return nil }
        skipSpace()
        return at == count ? next : nil
    }

    // MARK: Bytes

    @inline(__always)
    private var byte: UInt8 { unsafe text.load(fromByteOffset: at, as: UInt8.self) }

    @inline(__always)
    private mutating func skipSpace() {
        while byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at &+= 1 }
    }

    @inline(__always)
    private mutating func take(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        at &+= 1
        return true
    }

    @inline(__always)
    private mutating func put(_ word: UInt64) {
        unsafe words[next] = word
        next &+= 1
    }

    // MARK: Values

    /// Reads the value that begins here, in which containers may nest so deep.
    private mutating func value(_ depth: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "{"): object(depth)
        case UInt8(ascii: "["): array(depth)
        case UInt8(ascii: "t"): word(0x6575_7274, "t")
        case UInt8(ascii: "n"): word(0x6C6C_756E, "n")
        case UInt8(ascii: "f"): take(UInt8(ascii: "f")) && word(0x6573_6C61, "f")
        default: integer()
        }
    }

    /// Reads four letters that end a word.
    private mutating func word(_ letters: UInt32, _ tag: Unicode.Scalar) -> Bool {
        guard unsafe text.loadUnaligned(fromByteOffset: at, as: UInt32.self) == letters.littleEndian else {
            return false
        }
        at &+= 4
        put(UInt64(tag.value) << 56)
        return true
    }

    private mutating func integer() -> Bool {
        let isNegative = take(UInt8(ascii: "-"))
        let start = at
        var number: Int64 = 0
        while case let digit = byte &- UInt8(ascii: "0"), digit <= 9 {
            number = number &* 10 &+ Int64(digit)
            at &+= 1
        }
        let hasLeadingZero = unsafe at > start &+ 1 && text.load(fromByteOffset: start, as: UInt8.self) == 0x30
        guard at > start, at <= start &+ 18, !hasLeadingZero else { return false }
        if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") { return false }
        put(UInt64(UInt8(ascii: "l")) << 56)
        put(UInt64(bitPattern: isNegative ? -number : number))
        return true
    }

    @inline(__always)
    private mutating func string() -> Bool {
        // The place is a local variable, for the loop is where the time goes.
        let text = unsafe self.text
        let start = at &+ 1
        var end = start
        var isASCII = true
        while true {
            let stops = unsafe text.loadUnaligned(fromByteOffset: end, as: UInt64.self).littleEndian.stringStops
            end &+= stops.trailingZeroBitCount >> 3
            if stops == 0 { continue }
            let byte = unsafe text.load(fromByteOffset: end, as: UInt8.self)
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x80 else { return false }
            isASCII = false
            while unsafe text.load(fromByteOffset: end, as: UInt8.self) >= 0x80 { end &+= 1 }
        }
        guard isASCII || isUTF8(start..<end) else { return false }
        put(JSONDocument.word(ofStringAt: start, count: end &- start))
        at = end &+ 1
        return true
    }

    private func isUTF8(_ range: Range<Int>) -> Bool {
        let bytes = unsafe UnsafeRawBufferPointer(start: text + range.lowerBound, count: range.count)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe (try? UTF8Span(validating: $0.span)) != nil }
    }

    private mutating func object(_ depth: Int) -> Bool {
        container(depth, "{", "}") { reader in
            guard reader.byte == UInt8(ascii: "\""), reader.string() else { return false }
            reader.skipSpace()
            guard reader.take(UInt8(ascii: ":")) else { return false }
            reader.skipSpace()
            return reader.value(depth &- 1)
        }
    }

    private mutating func array(_ depth: Int) -> Bool {
        container(depth, "[", "]") { $0.value(depth &- 1) }
    }

    /// Reads a container, whose members or elements `element` reads.
    @inline(__always)
    private mutating func container(
        _ depth: Int, _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ element: (inout Self) -> Bool
    ) -> Bool {
        guard depth > 0 else { return false }
        let start = next
        next &+= 1
        at &+= 1
        skipSpace()
        if !take(UInt8(ascii: closing)) {
            while true {
                guard element(&self) else { return false }
                skipSpace()
                if take(UInt8(ascii: closing)) { break }
                guard take(UInt8(ascii: ",")) else { return false }
                skipSpace()
            }
        }
        // The word that would end the container is never looked at.
        next &+= 1
        unsafe words[start] = UInt64(opening.value) << 56 | UInt64(next)
        return true
    }
}

extension UInt64 {
    /// The lowest bit that is set shows the first of eight bytes that is `"`, `\`, a control character or not ASCII.
    ///
    /// Bits above the first may be wrong: a byte that is taken from borrows from those above.
    @inline(__always)
    fileprivate var stringStops: UInt64 {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quote = self ^ (ones &* 0x22)
        let backslash = self ^ (ones &* 0x5C)
        let low = (self &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)
        return (low | self) & tops
    }
}
