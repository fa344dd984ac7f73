internal import Activities
public import Items
public import PersistentStore

/// Reads the column `attributes` of rows; one reader belongs to one thread and keeps its buffers.
public struct AttributeReader: ~Copyable {
    private let parser = JSONParser()

    /// Makes a reader.
    public init() {}

    /// The attributes of a row.
    ///
    /// Bytes that no catalog wrote hold no attributes.
    public func attributes(_ json: Span<UInt8>) -> RowAttributes {
        RowAttributes(object: try? parser.parse(json, depthMax: ItemDecoder.depthMax + 2))
    }

    /// The attributes of a row.
    public func attributes(of row: ObjectRow) -> RowAttributes { attributes(row.attributes.span) }
}

/// The attributes of one row.
public struct RowAttributes: Sendable {
    private let object: JSONValue?

    init(object: JSONValue?) { self.object = object }

    /// The value of an attribute; `.null` where there is none, and for arrays and objects.
    public subscript(name: String) -> AttributeValue {
        guard let json = object?[name], case .attribute(let value) = try? ItemValue(json, at: "") else { return .null }
        return value
    }

    /// All attributes, sorted by name.
    public var all: [Item.Attribute] {
        (object?.members ?? []).compactMap { name, json in
            (try? ItemValue(json, at: "")).flatMap { $0 }.map { Item.Attribute(name, $0) }
        }
    }
}

extension ObjectRow {
    /// The value of an attribute or of a field of the item.
    public func value(of name: String, in attributes: RowAttributes) -> AttributeValue {
        switch ItemField(rawValue: name) {
        case .uniqueIdentifier: uniqueIdentifier.map { .string($0) } ?? attributes[name]
        case .domainIdentifier: domainIdentifier.map { .string($0) } ?? attributes[name]
        case nil: attributes[name]
        }
    }
}
