internal import Activities
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
        case .attribute(let value): return value.write(to: &writer)
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
        case .attribute(let value): return value.text
        }
        var writer = JSONWriter()
        guard write(to: &writer) else { return nil }
        return String(decoding: writer.bytes, as: UTF8.self)
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
