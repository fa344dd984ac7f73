/// A row of the table `object`: an object that is there, or the mark that one was deleted.
public struct ObjectRow: Hashable, Sendable {
    /// `id`, the key.
    public var key: ObjectKey
    /// `entity`, the number of the object's own entity.
    public var entity: Int
    /// `unique_identifier`, unique among all rows that have one; a deleted object keeps it.
    public var uniqueIdentifier: String?
    /// `domain_identifier`.
    public var domainIdentifier: String?
    /// `version`, a number of an `ItemVersion`.
    public var version: Int64
    /// `expires`, in seconds since 2001-01-01T00:00:00Z; the object is not found from then on.
    public var expires: Double?
    /// `deleted`, the time of the deletion in the same form; nil for an object that is there.
    public var deleted: Double?
    /// `attributes`, a JSON object in the form of an item's `attributeSet`; `{}` for a deleted object.
    public var attributes: [UInt8]

    /// Makes a row.
    public init(
        key: ObjectKey, entity: Int, uniqueIdentifier: String? = nil, domainIdentifier: String? = nil,
        version: Int64, expires: Double? = nil, deleted: Double? = nil, attributes: [UInt8] = emptyAttributes
    ) {
        self.key = key
        self.entity = entity
        self.uniqueIdentifier = uniqueIdentifier
        self.domainIdentifier = domainIdentifier
        self.version = version
        self.expires = expires
        self.deleted = deleted
        self.attributes = attributes
    }

    /// The JSON object without members.
    public static let emptyAttributes = Array("{}".utf8)

    /// Whether look-ups find the object at a time, in seconds since 2001-01-01T00:00:00Z.
    public func isFound(at time: Double) -> Bool { deleted == nil && !isExpired(at: time) }

    /// Whether the object is there and past its expiration date.
    public func isExpired(at time: Double) -> Bool {
        guard deleted == nil, let expires else { return false }
        return expires <= time
    }

    /// The mark of this object's deletion.
    public func deleted(at time: Double, version: Int64) -> ObjectRow {
        ObjectRow(
            key: key, entity: entity, uniqueIdentifier: uniqueIdentifier, domainIdentifier: domainIdentifier,
            version: version, deleted: time)
    }
}

/// A row of the table `match`: a value of an attribute of an object that can be found.
///
/// Look-ups by predicate go through these rows: `attribute` and `hash` lead to the objects that may have the value; an
/// object's row is then compared (`PredicateMatcher`). Expired objects keep theirs, with the time.
public struct MatchRow: Hashable, Sendable {
    /// `attribute`, the number of the attribute.
    public var attribute: Int
    /// `hash`, of the value folded by case and diacritics (`MatchHash.folded`).
    public var hash: Int64
    /// `object`, the object's key.
    public var object: ObjectKey
    /// `entity`, the number of the object's own entity.
    public var entity: Int
    /// `exact`, of the value as it is (`MatchHash.exact`): tells spellings of one folded value apart.
    public var exact: Int64
    /// `expires`, as the object's.
    public var expires: Double?

    /// Makes a row.
    public init(attribute: Int, hash: Int64, object: ObjectKey, entity: Int, exact: Int64, expires: Double?) {
        self.attribute = attribute
        self.hash = hash
        self.object = object
        self.entity = entity
        self.exact = exact
        self.expires = expires
    }
}
