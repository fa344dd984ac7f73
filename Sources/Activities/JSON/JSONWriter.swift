internal import Glibc

/// Writes compact JSON into a byte buffer.
///
/// The caller writes keys in the order they shall have; commas are the writer's. The buffer is the writer's own, so that
/// what is appended costs little more than its copy; `bytes` is a copy of it.
@safe
public struct JSONWriter: ~Copyable {
    private var room: UnsafeMutableRawPointer
    private var capacity: Int
    /// How many bytes have been written.
    public private(set) var count = 0
    private var needsComma = false

    /// Makes a writer with room for so many bytes, which grows as needed.
    public init(capacity: Int = 256) {
        self.capacity = max(capacity, 1)
        unsafe room = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit { unsafe room.deallocate() }

    /// What has been written.
    public var bytes: [UInt8] { unsafe Array(UnsafeRawBufferPointer(start: room, count: count)) }

    /// Appends what has been written to an array.
    public func append(to bytes: inout [UInt8]) {
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: room, count: count))
    }

    /// Lends what has been written.
    public func withBytes<Result, Failure>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let written = unsafe UnsafeRawBufferPointer(start: room, count: count)
        return try unsafe written.withMemoryRebound(to: UInt8.self) { (written) throws(Failure) in
            try unsafe body(written.span)
        }
    }

    /// Forgets what has been written, and keeps the room.
    public mutating func removeAll() {
        count = 0
        needsComma = false
    }

    // All bytes come through these two.

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        unsafe room.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    private mutating func put(_ text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        if capacity - count < text.count { grow(by: text.count) }
        unsafe memcpy(room + count, start, text.count)
        count += text.count
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let capacity = max(self.capacity * 2, count + more)
        let room = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        unsafe room.copyMemory(from: self.room, byteCount: count)
        unsafe self.room.deallocate()
        unsafe self.room = room
        self.capacity = capacity
    }

    /// Ends a line after a value; the next value starts a document of its own.
    public mutating func endLine() {
        put(UInt8(ascii: "\n"))
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
        put(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key that needs no escapes; its value comes next.
    public mutating func key(_ key: StaticString) {
        separate()
        put(UInt8(ascii: "\""))
        verbatim(key)
        verbatim("\":")
        needsComma = false
    }

    /// Writes text.
    public mutating func string(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func integer(_ number: Int64) {
        separate()
        append(magnitude: number.magnitude, isNegative: number < 0)
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func integer(_ number: Int) { integer(Int64(number)) }

    /// Writes a whole number that fits an Int64 or a UInt64.
    public mutating func integer(_ number: some FixedWidthInteger) {
        separate()
        append(magnitude: UInt64(number.magnitude), isNegative: number < 0)
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func unsigned(_ number: UInt64) {
        separate()
        append(magnitude: number, isNegative: false)
        needsComma = true
    }

    /// Writes a number in its shortest form, `2` and not `2.0`; one that is not finite becomes `null`.
    public mutating func number(_ number: Double) {
        if let whole = Int64(exactly: number), abs(number) < 0x1p53 { return integer(whole) }
        separate()
        if number.isFinite {
            append(Self.shortest(number))
        } else {
            verbatim("null")
        }
        needsComma = true
    }

    /// The digits that Swift finds, without what JSON can do without: `1e20` for `1e+20`, `1e-7` for `1e-07`.
    private static func shortest(_ number: Double) -> String {
        let text = number.description
        guard let exponent = text.firstIndex(of: "e") else {
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let power = Int(text[text.index(after: exponent)...]) ?? 0
        return "\(text[..<exponent])e\(power)"
    }

    /// Writes `true` or `false`.
    public mutating func boolean(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { raw("null") }

    /// Writes a value that is JSON already.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        verbatim(json)
        needsComma = true
    }

    private mutating func raw(_ json: StaticString) {
        separate()
        verbatim(json)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        put(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        put(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { put(UInt8(ascii: ",")) }
    }

    /// Quotes text; only `"`, `\` and control characters are escaped.
    private mutating func quote(_ text: String) {
        put(UInt8(ascii: "\""))
        append(text)
        put(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            put(UInt8(ascii: "\\"))
            put(byte)
        case 0x08: verbatim(#"\b"#)
        case 0x09: verbatim(#"\t"#)
        case 0x0A: verbatim(#"\n"#)
        case 0x0C: verbatim(#"\f"#)
        case 0x0D: verbatim(#"\r"#)
        case 0..<0x20:
            verbatim(byte < 0x10 ? #"\u000"# : #"\u00"#)
            append(String(byte, radix: 16))
        default: put(byte)
        }
    }
}

// The room is the writer's own.
extension JSONWriter: @unchecked Sendable {}

// JSON of a fixed shape, in pieces: the caller writes the commas and quotes.
extension JSONWriter {
    /// Appends JSON as it is; the value that comes next is written without a comma.
    public mutating func verbatim(_ json: StaticString) {
        needsComma = false
        json.withUTF8Buffer { unsafe put(UnsafeRawBufferPointer($0)) }
    }

    /// Appends JSON as it is; the value that comes next is written without a comma.
    public mutating func verbatim(_ json: [UInt8]) {
        needsComma = false
        unsafe json.withUnsafeBytes { unsafe put($0) }
    }

    /// Appends a quote.
    public mutating func quotationMark() { put(UInt8(ascii: "\"")) }

    /// Appends text as it stands inside quotes.
    public mutating func append(_ text: String) {
        let utf8 = text.utf8
        let isDone: Void? = unsafe utf8.withContiguousStorageIfAvailable { unsafe append(UnsafeRawBufferPointer($0)) }
        if isDone == nil {
            for byte in utf8 { escape(byte) }
        }
    }

    /// Appends text as it stands inside quotes, by its UTF-8.
    public mutating func append(_ utf8: Span<UInt8>) { unsafe utf8.withUnsafeBytes { unsafe append($0) } }

    private mutating func append(_ text: UnsafeRawBufferPointer) {
        if unsafe text.needsNoEscape {
            unsafe put(text)
        } else {
            for index in text.indices { unsafe escape(text[index]) }
        }
    }

    /// Appends the digits of a whole number.
    public mutating func append(_ number: Int64) {
        append(magnitude: number.magnitude, isNegative: number < 0)
    }

    private mutating func append(magnitude: UInt64, isNegative: Bool) {
        if isNegative { put(UInt8(ascii: "-")) }
        var digits = [20 of UInt8](repeating: 0)
        var first = digits.count
        var rest = magnitude
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest != 0
        unsafe digits.span.extracting(first...).withUnsafeBytes { unsafe put($0) }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether text stands inside quotes as it is: no `"`, no `\`, and no control character.
    fileprivate var needsNoEscape: Bool {
        guard count >= 8 else { return unsafe shortNeedsNoEscape }
        var found: UInt64 = 0
        var index = 0
        while index < count - 8 {
            unsafe found |= loadUnaligned(fromByteOffset: index, as: UInt64.self).escapedBytes
            index += 8
        }
        unsafe found |= loadUnaligned(fromByteOffset: count - 8, as: UInt64.self).escapedBytes
        return found == 0
    }

    /// The same for fewer than 8 bytes.
    private var shortNeedsNoEscape: Bool {
        for index in indices {
            let byte = unsafe self[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }
}

extension UInt64 {
    /// Not zero where one of eight bytes must be escaped.
    ///
    /// Subtracting the least value that a byte may have borrows from its top bit where it is less.
    @inline(__always)
    fileprivate var escapedBytes: UInt64 {
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quote = self ^ (ones &* 0x22)
        let backslash = self ^ (ones &* 0x5C)
        let control = (self &- ones &* 0x20) & ~self
        return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & tops
    }
}
