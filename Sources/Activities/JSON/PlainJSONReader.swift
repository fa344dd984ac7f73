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
        guard let end = value(afterSpace(0), depthMax), afterSpace(end) == count else { return nil }
        return next
    }

    // What reads something takes the place where it begins, and returns the place behind it; nil where it is not plain.
    // Places are handed on in registers: that is a third of the time.

    @inline(__always)
    private func byte(_ place: Int) -> UInt8 { unsafe text.load(fromByteOffset: place, as: UInt8.self) }

    @inline(__always)
    private func afterSpace(_ place: Int) -> Int {
        var place = place
        while case let byte = byte(place), byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            place &+= 1
        }
        return place
    }

    @inline(__always)
    private mutating func put(_ word: UInt64) {
        unsafe words[next] = word
        next &+= 1
    }

    // MARK: Values

    /// Reads a value, in which containers may nest so deep.
    private mutating func value(_ place: Int, _ depth: Int) -> Int? {
        switch byte(place) {
        case UInt8(ascii: "\""): string(place)
        case UInt8(ascii: "{"): object(place, depth)
        case UInt8(ascii: "["): array(place, depth)
        case UInt8(ascii: "t"): word(place, 0x6575_7274, "t")
        case UInt8(ascii: "n"): word(place, 0x6C6C_756E, "n")
        case UInt8(ascii: "f"): word(place &+ 1, 0x6573_6C61, "f")
        default: integer(place)
        }
    }

    /// Reads four letters that end a word.
    private mutating func word(_ place: Int, _ letters: UInt32, _ tag: Unicode.Scalar) -> Int? {
        guard unsafe text.loadUnaligned(fromByteOffset: place, as: UInt32.self) == letters.littleEndian else {
            return nil
        }
        put(UInt64(tag.value) << 56)
        return place &+ 4
    }

    private mutating func integer(_ place: Int) -> Int? {
        let isNegative = byte(place) == UInt8(ascii: "-")
        let start = isNegative ? place &+ 1 : place
        var end = start
        var number: Int64 = 0
        while case let digit = byte(end) &- UInt8(ascii: "0"), digit <= 9 {
            number = number &* 10 &+ Int64(digit)
            end &+= 1
        }
        let hasLeadingZero = end > start &+ 1 && byte(start) == UInt8(ascii: "0")
        guard end > start, end <= start &+ 18, !hasLeadingZero else { return nil }
        if byte(end) == UInt8(ascii: ".") || byte(end) | 0x20 == UInt8(ascii: "e") { return nil }
        put(UInt64(UInt8(ascii: "l")) << 56)
        put(UInt64(bitPattern: isNegative ? -number : number))
        return end
    }

    @inline(__always)
    private mutating func string(_ place: Int) -> Int? {
        let start = place &+ 1
        var end = start
        var isASCII = true
        while true {
            let stops = unsafe text.loadUnaligned(fromByteOffset: end, as: UInt64.self).littleEndian.stringStops
            end &+= stops.trailingZeroBitCount >> 3
            if stops == 0 { continue }
            if byte(end) == UInt8(ascii: "\"") { break }
            guard byte(end) >= 0x80 else { return nil }
            isASCII = false
            while byte(end) >= 0x80 { end &+= 1 }
        }
        guard isASCII || isUTF8(start..<end) else { return nil }
        put(JSONDocument.word(ofStringAt: start, count: end &- start))
        return end &+ 1
    }

    private func isUTF8(_ range: Range<Int>) -> Bool {
        let bytes = unsafe UnsafeRawBufferPointer(start: text + range.lowerBound, count: range.count)
        return unsafe bytes.withMemoryRebound(to: UInt8.self) { unsafe (try? UTF8Span(validating: $0.span)) != nil }
    }

    private mutating func object(_ place: Int, _ depth: Int) -> Int? {
        container(place, depth, "{", "}") { reader, place in
            guard reader.byte(place) == UInt8(ascii: "\""), let end = reader.string(place) else { return nil }
            let colon = reader.afterSpace(end)
            guard reader.byte(colon) == UInt8(ascii: ":") else { return nil }
            return reader.value(reader.afterSpace(colon &+ 1), depth &- 1)
        }
    }

    private mutating func array(_ place: Int, _ depth: Int) -> Int? {
        container(place, depth, "[", "]") { $0.value($1, depth &- 1) }
    }

    /// Reads a container, whose members or elements `element` reads.
    @inline(__always)
    private mutating func container(
        _ place: Int, _ depth: Int, _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
        _ element: (inout Self, Int) -> Int?
    ) -> Int? {
        guard depth > 0 else { return nil }
        let start = next
        next &+= 1
        var place = afterSpace(place &+ 1)
        if byte(place) != UInt8(ascii: closing) {
            while true {
                guard let end = element(&self, place) else { return nil }
                place = afterSpace(end)
                if byte(place) == UInt8(ascii: closing) { break }
                guard byte(place) == UInt8(ascii: ",") else { return nil }
                place = afterSpace(place &+ 1)
            }
        }
        // The word that would end the container is never looked at.
        next &+= 1
        unsafe words[start] = UInt64(opening.value) << 56 | UInt64(next)
        return place &+ 1
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
