internal import Activities
internal import PersistentStore

/// What an identifier of a searchable item is.
enum Identifier {
    /// An object URI, or SwiftData's JSON form of one.
    case object(ObjectURI)
    /// Something that begins as an object URI, or is SwiftData's form, but names no object.
    case malformedURI
    /// Text that is the app's own.
    case other(String)

    /// Reads an identifier, a string in JSON; a URI of a known store costs no text.
    static func read(_ value: JSONValue, _ parser: borrowing JSONParser, knowing stores: KnownStores) -> Identifier {
        var uri: ObjectURI?
        value.withUTF8 { uri = ObjectURI(reading: $0, knowing: stores) }
        return uri.map { .object($0) } ?? Identifier(value.string ?? "", parser)
    }

    /// Reads an identifier.
    init(_ text: String, _ parser: borrowing JSONParser) {
        if let uri = ObjectURI(text) {
            self = .object(uri)
        } else if text.utf8.starts(with: ObjectURI.scheme.utf8) {
            self = .malformedURI
        } else if text.utf8.first == UInt8(ascii: "{"),
            let json = try? parser.parse(text.utf8Span.span, depthMax: ActivityDecoder.depthMax),
            let persistent = Self.persistentIdentifier(json)
        {
            self = persistent
        } else {
            self = .other(text)
        }
    }

    /// Reads SwiftData's `PersistentIdentifier` as an object in JSON; nil for any other object.
    static func persistentIdentifier(_ json: JSONValue) -> Identifier? {
        let implementation = json["implementation"] ?? json
        return implementation["uriRepresentation"]?.string.map(uri)
    }

    private static func uri(_ text: String) -> Identifier {
        ObjectURI(text).map { .object($0) } ?? .malformedURI
    }
}
