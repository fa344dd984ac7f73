/// Writes compact JSON into a byte buffer.
///
/// The caller writes keys in the order they shall have; commas are the writer's.
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Makes a writer that appends to `bytes`.
    public init(appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    /// Forgets what has been written, and keeps the room.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Ends a line after a value; the next value starts a document of its own.
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Starts an object.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Ends an object.
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Starts an array.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// Ends an array.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's key; its value comes next.
    public mutating func key(_ key: String) {
        separate()
        quote(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key that needs no escapes; its value comes next.
    public mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes text.
    public mutating func string(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func integer(_ number: some FixedWidthInteger) {
        separate()
        appendDecimal(number)
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func unsigned(_ number: UInt64) { integer(number) }

    /// Writes a number in its shortest form, `2` and not `2.0`; one that is not finite becomes `null`.
    public mutating func number(_ number: Double) {
        if let whole = Int64(exactly: number), abs(number) < 0x1p53 { return integer(whole) }
        separate()
        if number.isFinite {
            bytes.append(contentsOf: number.description.utf8)
            if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
        needsComma = true
    }

    /// Writes `true` or `false`.
    public mutating func boolean(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { raw("null") }

    /// Writes a value that is JSON already.
    public mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func raw(_ json: StaticString) {
        separate()
        json.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Appends the digits of a whole number.
    private mutating func appendDecimal<Number: FixedWidthInteger>(_ number: Number) {
        var rest = number.magnitude
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
            rest = quotient
        } while rest != 0
        bytes[start...].reverse()
    }

    /// Quotes text; only `"`, `\` and control characters are escaped.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if !needsEscape(text) {
            bytes.append(contentsOf: text.utf8)
        } else {
            for byte in text.utf8 { escape(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether the text holds a byte that must be escaped.
    private func needsEscape(_ text: String) -> Bool {
        let span = text.utf8Span.span
        // Without a way out in the middle the compiler looks at many bytes at once.
        var found = false
        for index in span.indices {
            let byte = span[index]
            found = found || byte < 0x20
            found = found || byte == UInt8(ascii: "\"")
            found = found || byte == UInt8(ascii: "\\")
        }
        return found
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0..<0x20:
            bytes.append(contentsOf: (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}
