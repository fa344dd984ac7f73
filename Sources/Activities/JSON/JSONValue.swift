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
    /// The index of the value's first word in the document's tape.
    let index: Int

    private var tag: UInt8 { document.tag(at: index) }

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

    /// Whether the value is a string.
    public var isString: Bool { tag == UInt8(ascii: "\"") }

    /// The text of a string; nil for other values.
    public var string: String? {
        tag == UInt8(ascii: "\"") ? document.text(at: index) : nil
    }

    /// Calls `body` with the UTF-8 of a string, which costs no copy; for other values it is not called.
    public func withUTF8(_ body: (Span<UInt8>) -> Void) {
        guard tag == UInt8(ascii: "\"") else { return }
        document.withBytes(ofStringAt: index) { body($0) }
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
        case UInt8(ascii: "l"): Int64(bitPattern: document.word(at: index + 1))
        case UInt8(ascii: "u"): Int64(exactly: document.word(at: index + 1))
        default: nil
        }
    }

    /// The number as a double; nil for other values.
    public var double: Double? {
        switch tag {
        case UInt8(ascii: "l"): Double(Int64(bitPattern: document.word(at: index + 1)))
        case UInt8(ascii: "u"): Double(document.word(at: index + 1))
        case UInt8(ascii: "d"): Double(bitPattern: document.word(at: index + 1))
        default: nil
        }
    }

    /// The member of an object: the last one of that exact key; nil for other values and absent keys.
    public subscript(key: String) -> JSONValue? {
        member { document.string(at: $0, equals: key) }
    }

    /// The member of an object: the last one of that exact key; nil for other values and absent keys.
    public subscript(key: StaticString) -> JSONValue? {
        member { document.string(at: $0, equals: key) }
    }

    /// The last member whose key, by its index, is the one sought.
    @inline(__always)
    private func member(where isSought: (Int) -> Bool) -> JSONValue? {
        var found = 0
        document.forEachMember(ofValueAt: index) { key, value in
            if isSought(key) { found = value }
        }
        return found == 0 ? nil : JSONValue(document: document, index: found)
    }

    /// The members of an object, each key once, sorted by the keys' code points; empty for other values.
    public var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = []
        document.forEachMember(ofValueAt: index) { member, value in
            members.append((document.text(at: member), JSONValue(document: document, index: value)))
        }
        // The sort is stable, so that of equal keys the last one stands last. Keys are compared as bytes: keys that
        // are only canonically equivalent are different keys.
        members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        var distinct: [(key: String, value: JSONValue)] = []
        for member in members {
            if let last = distinct.last, last.key.utf8.elementsEqual(member.key.utf8) { distinct.removeLast() }
            distinct.append(member)
        }
        return distinct
    }

    /// The elements of an array; empty for other values.
    public var elements: [JSONValue] {
        guard tag == UInt8(ascii: "[") else { return [] }
        let end = document.endOfContainer(at: index)
        var elements: [JSONValue] = []
        var at = index + 1
        while at < end {
            elements.append(JSONValue(document: document, index: at))
            at = document.indexAfterValue(at: at)
        }
        return elements
    }
}

extension JSONDocument {
    /// The character that stands for the type of the value at `index`.
    @inline(__always)
    func tag(at index: Int) -> UInt8 { UInt8(truncatingIfNeeded: word(at: index) >> 56) }

    /// The index of the word that ends the container at `index`; the 24 bits above it hold a count that saturates.
    func endOfContainer(at index: Int) -> Int { Int(UInt32(truncatingIfNeeded: word(at: index))) - 1 }

    /// The index of the first word after the value at `index`.
    func indexAfterValue(at index: Int) -> Int {
        switch tag(at: index) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): endOfContainer(at: index) + 1
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
        default: index + 1
        }
    }

    /// Calls `body` with the indexes of each member's key and value, duplicates included, in the document's order.
    ///
    /// A value that is no object has no members.
    @inline(__always)
    func forEachMember(ofValueAt index: Int, _ body: (_ key: Int, _ value: Int) -> Void) {
        guard tag(at: index) == UInt8(ascii: "{") else { return }
        let end = endOfContainer(at: index)
        var at = index + 1
        while at < end {
            body(at, at + 1)
            at = indexAfterValue(at: at + 1)
        }
    }
}

extension JSONValue {
    /// The value as compact JSON: keys sorted by code points, each key once, numbers written shortest.
    public func write(to writer: inout JSONWriter) {
        switch kind {
        case .null: writer.null()
        case .boolean: writer.boolean(boolean ?? false)
        case .integer:
            let word = document.word(at: index + 1)
            if tag == UInt8(ascii: "u") { writer.integer(word) } else { writer.integer(Int64(bitPattern: word)) }
        case .number: writer.number(double ?? .nan)
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
