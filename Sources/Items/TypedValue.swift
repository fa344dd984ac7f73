public import Activities
public import PersistentStore

internal import struct FoundationEssentials.Data
internal import struct FoundationEssentials.UUID

// The JSON form of attribute values in items and in catalogs, which loses nothing: text, numbers and Booleans are
// themselves, and what JSON has no type for is an object with one key that begins with `$`.
//
//     {"$date":"2026-01-31T23:59:59Z"}      ISO 8601; or a number, the seconds since 2001-01-01T00:00:00Z
//     {"$uuid":"0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"}
//     {"$binary":"3q2+7w=="}                base64
//     {"$decimal":"12.50"}
//     {"$object":"x-coredata://UUID/Movie/p12"}
//     {"$number":"nan"}                     also "inf" and "-inf"

extension ItemValue {
    /// Reads a value; nil for null.
    ///
    /// `place` begins the sentence where a typed value is wrong.
    public init?(_ json: JSONValue, at place: @autoclosure () -> String) throws(ItemError) {
        switch json.kind {
        case .null: return nil
        case .boolean: self = .attribute(.boolean(json.boolean ?? false))
        case .integer: self = .attribute(json.integer.map { .integer($0) } ?? .number(json.double ?? .nan))
        case .number: self = .attribute(.number(json.double ?? .nan))
        case .string: self = .attribute(.string(json.string ?? ""))
        case .array: self = .json(Self.compact(json))
        case .object:
            let members = json.members
            guard members.count == 1, members[0].key.utf8.first == UInt8(ascii: "$"), let tag = TypeTag(members[0].key)
            else {
                self = .json(Self.compact(json))
                return
            }
            guard let value = tag.value(members[0].value) else {
                throw ItemError("\(place()) is no \(tag.rawValue): it must be \(tag.form).")
            }
            self = .attribute(value)
        }
    }

    /// Writes the value; false, and nothing is written, for one that is null.
    @discardableResult
    public func write(to writer: inout JSONWriter) -> Bool {
        switch self {
        case .json(let bytes):
            writer.raw(bytes)
            return true
        case .attribute(let value): return value.writeTyped(to: &writer)
        }
    }

    private static func compact(_ json: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        json.write(to: &writer)
        return writer.bytes
    }
}

extension AttributeValue {
    /// Writes the value with its type; false, and nothing is written, for null and for external data that is missing.
    public func writeTyped(to writer: inout JSONWriter) -> Bool {
        switch self {
        case .null, .externalDataMissing: return false
        case .boolean(let flag): writer.boolean(flag)
        case .integer(let number): writer.integer(number)
        case .number(let number) where number.isFinite: writer.floatingPoint(number)
        case .number(let number): writer.tagged("$number", number.isNaN ? "nan" : number < 0 ? "-inf" : "inf")
        case .string(let text): writer.string(text)
        case .date(let seconds): Self.write(date: seconds, to: &writer)
        case .uuid(let uuid): writer.tagged("$uuid", uuid.uuidString)
        case .binary(let bytes): writer.tagged("$binary", Data(bytes).base64EncodedString())
        case .object(let uri): writer.tagged("$object", uri.description)
        }
        return true
    }

    /// As text where that is exact, else as a number.
    private static func write(date seconds: Double, to writer: inout JSONWriter) {
        if let text = ISO8601.text(seconds: seconds), ISO8601.seconds(in: text) == seconds {
            return writer.tagged("$date", text)
        }
        writer.beginObject()
        writer.key("$date" as StaticString)
        if seconds.isFinite {
            writer.floatingPoint(seconds)
        } else {
            writer.string(seconds.isNaN ? "nan" : seconds < 0 ? "-inf" : "inf")
        }
        writer.endObject()
    }
}

/// What JSON has no type for.
private enum TypeTag: String {
    case date, uuid, binary, decimal, object, number

    init?(_ key: String) { self.init(rawValue: String(key.dropFirst())) }

    /// What the value must be, as the end of a sentence.
    var form: String {
        switch self {
        case .date: "ISO 8601 text with a time and a zone, or the seconds since 2001-01-01T00:00:00Z"
        case .uuid: "a UUID of 36 characters"
        case .binary: "base64 text"
        case .decimal: "text of digits with an optional minus and fraction"
        case .object: "an object URI, x-coredata://STORE/ENTITY/pN"
        case .number: "\"nan\", \"inf\" or \"-inf\""
        }
    }

    func value(_ json: JSONValue) -> AttributeValue? {
        if self == .date, let seconds = json.double { return .date(seconds) }
        guard let text = json.string else { return nil }
        switch self {
        case .date: return (ISO8601.seconds(in: text) ?? Self.special[text]).map { .date($0) }
        case .uuid: return text.utf8.count == 36 ? UUID(uuidString: text).map { .uuid($0) } : nil
        case .binary: return Data(base64Encoded: text).map { .binary(Array($0)) }
        case .decimal: return Self.decimal(text)
        case .object:
            guard let uri = ObjectURI(text), case .permanent = uri.key else { return nil }
            return .object(uri)
        case .number: return Self.special[text].map { .number($0) }
        }
    }

    private static let special: [String: Double] = ["nan": .nan, "inf": .infinity, "-inf": -.infinity]

    private static func decimal(_ text: String) -> AttributeValue? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        return Int64(text).map { .integer($0) } ?? Double(text).map { .number($0) }
    }
}

extension JSONWriter {
    fileprivate mutating func tagged(_ tag: StaticString, _ text: String) {
        beginObject()
        key(tag)
        string(text)
        endObject()
    }

    /// Writes a finite number so that it is read as a floating-point one again: `2.0` and not `2`.
    fileprivate mutating func floatingPoint(_ number: Double) {
        // Swift's description has a point or an exponent, and JSON allows both of its forms.
        raw(Array(number.description.utf8))
    }
}
