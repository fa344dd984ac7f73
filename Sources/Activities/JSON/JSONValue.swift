/// A value in a parsed JSON document.
///
/// A value is a place in its document, which it keeps alive; strings are decoded when they are asked for. Of duplicate
/// keys in an object the last one counts.
public struct JSONValue: Sendable {
    /// The type of a value.
    public enum Kind: Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case boolean
        /// A number written as a whole number, an Int64 or UInt64.
        case integer
        /// Any other number, a finite double.
        case number
        /// Text.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    let document: JSONDocument
    let index: Int

    private var word: UInt64 { document.tape[index] }
    /// The index of the word after a container's end; the 24 bits above it hold a count that saturates.
    private var containerEnd: Int { Int(UInt32(truncatingIfNeeded: word)) }
    private var payload: Int { Int(word & 0x00FF_FFFF_FFFF_FFFF) }
    private var tag: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

    /// The type of the value.
    public var kind: Kind {
        switch tag {
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
        case UInt8(ascii: "d"): .number
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "["): .array
        default: .object
        }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { tag == UInt8(ascii: "n") }

    /// The text of a string; nil for other values.
    public var string: String? {
        guard tag == UInt8(ascii: "\"") else { return nil }
        return String(decoding: document.strings[stringRange], as: UTF8.self)
    }

    /// The Boolean; nil for other values.
    public var boolean: Bool? {
        switch tag {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The whole number where it fits an Int64; nil for other values.
    public var integer: Int64? {
        switch tag {
        case UInt8(ascii: "l"): Int64(bitPattern: document.tape[index + 1])
        case UInt8(ascii: "u"): Int64(exactly: document.tape[index + 1])
        default: nil
        }
    }

    /// The number as a double; nil for other values.
    public var double: Double? {
        switch tag {
        case UInt8(ascii: "l"): Double(Int64(bitPattern: document.tape[index + 1]))
        case UInt8(ascii: "u"): Double(document.tape[index + 1])
        case UInt8(ascii: "d"): Double(bitPattern: document.tape[index + 1])
        default: nil
        }
    }

    /// The member of an object: the last one of that exact key; nil for other values and absent keys.
    public subscript(key: String) -> JSONValue? {
        guard tag == UInt8(ascii: "{") else { return nil }
        var key = key
        return key.withUTF8 { sought in
            var found: JSONValue?
            forEachMember { member, value in
                if unsafe member.hasBytes(sought.span) { found = value }
            }
            return found
        }
    }

    /// Calls `body` with each member of an object, duplicates included, in the document's order.
    func forEachMember(_ body: (_ key: JSONValue, _ value: JSONValue) -> Void) {
        guard tag == UInt8(ascii: "{") else { return }
        let end = containerEnd - 1
        var at = index + 1
        while at < end {
            let value = JSONValue(document: document, index: at + 1)
            body(JSONValue(document: document, index: at), value)
            at = value.next
        }
    }

    /// The members of an object, each key once; empty for other values.
    ///
    /// Sorted by the keys' code points.
    public var members: [(key: String, value: JSONValue)] {
        var last: [String: Int] = [:]
        forEachMember { key, value in
            if let text = key.string { last[text] = value.index }
        }
        // Canonically equivalent keys are different keys in JSON; a Swift dictionary would fold them into one.
        if last.count != memberCount { return membersByBytes() }
        return last.map { ($0.key, JSONValue(document: document, index: $0.value)) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private var memberCount: Int {
        var count = 0
        forEachMember { _, _ in count += 1 }
        return count
    }

    private func membersByBytes() -> [(key: String, value: JSONValue)] {
        var last: [[UInt8]: Int] = [:]
        forEachMember { key, value in last[Array(document.strings[key.stringRange])] = value.index }
        return last.map { (String(decoding: $0.key, as: UTF8.self), JSONValue(document: document, index: $0.value)) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// The elements of an array; empty for other values.
    public var elements: [JSONValue] {
        guard tag == UInt8(ascii: "[") else { return [] }
        let end = containerEnd - 1
        var elements: [JSONValue] = []
        var at = index + 1
        while at < end {
            let value = JSONValue(document: document, index: at)
            elements.append(value)
            at = value.next
        }
        return elements
    }

    /// The index of the word after this value.
    private var next: Int {
        switch tag {
        case UInt8(ascii: "{"), UInt8(ascii: "["): containerEnd
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
        default: index + 1
        }
    }

    /// Where a string's bytes lie: after their length, four bytes in the machine's (little-endian) order.
    private var stringRange: Range<Int> {
        let at = payload
        let bytes = document.strings
        let length =
            Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 24
        return at + 4..<at + 4 + length
    }

    private func hasBytes(_ sought: Span<UInt8>) -> Bool {
        let range = stringRange
        guard range.count == sought.count else { return false }
        for offset in 0..<range.count where document.strings[range.lowerBound + offset] != sought[offset] {
            return false
        }
        return true
    }
}

extension JSONValue {
    /// The value as compact JSON: keys sorted by code points, each key once, numbers written shortest.
    public func write(to writer: inout JSONWriter) {
        switch kind {
        case .null: writer.null()
        case .boolean: writer.boolean(tag == UInt8(ascii: "t"))
        case .integer:
            if tag == UInt8(ascii: "u") {
                writer.unsigned(document.tape[index + 1])
            } else {
                writer.integer(Int64(bitPattern: document.tape[index + 1]))
            }
        case .number: writer.number(Double(bitPattern: document.tape[index + 1]))
        case .string: writer.string(string ?? "")
        case .array:
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object:
            writer.beginObject()
            for (key, value) in members {
                writer.key(key)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
