internal import Activities
import FoundationEssentials
internal import PersistentStore

/// The value of a variable; never null.
enum Value {
    case text(String)
    case json(JSONValue)
    case attribute(AttributeValue)
}

extension Value {
    /// Writes the value as JSON, in its own type; false where an attribute has none that JSON could hold.
    func write(to writer: inout JSONWriter) -> Bool {
        switch self {
        case .text(let text): writer.string(text)
        case .json(let value): value.write(to: &writer)
        case .attribute(.boolean(let flag)): writer.boolean(flag)
        case .attribute(.integer(let number)): writer.integer(number)
        case .attribute(.number(let number)):
            guard number.isFinite else { return false }
            writer.number(number)
        case .attribute(let value):
            guard let text = Self.text(of: value) else { return false }
            writer.string(text)
        }
        return true
    }

    /// The value inside other text: numbers and Booleans written out, arrays and objects as compact JSON.
    var text: String? {
        switch self {
        case .text(let text): return text
        case .json(let value):
            if let text = value.string { return text }
        case .attribute(.boolean), .attribute(.integer), .attribute(.number): break
        case .attribute(let value): return Self.text(of: value)
        }
        var writer = JSONWriter()
        guard write(to: &writer) else { return nil }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// An attribute that JSON holds as text.
    private static func text(of value: AttributeValue) -> String? {
        switch value {
        case .string(let text): text
        case .date(let seconds): ISO8601.text(seconds: seconds)
        case .uuid(let uuid): uuid.uuidString
        case .binary(let bytes): Data(bytes).base64EncodedString()
        case .object(let uri): uri.description
        case .null, .boolean, .integer, .number, .externalDataMissing: nil
        }
    }

    /// The value to compare an attribute with; nil for an array or object, which no attribute equals.
    var predicateValue: PredicateValue? {
        switch self {
        case .text(let text): return .string(text)
        case .json(let value):
            switch value.kind {
            case .string: return value.string.map { .string($0) }
            case .boolean: return value.boolean.map { .boolean($0) }
            case .integer, .number:
                if let whole = value.integer { return .integer(whole) }
                return value.double.map { .number($0) }
            case .null, .array, .object: return nil
            }
        case .attribute: return nil
        }
    }
}
