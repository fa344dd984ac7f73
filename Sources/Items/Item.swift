public import PersistentStore

/// What an app would put into its Spotlight index for one object: the JSON form of a `CSSearchableItem`.
public struct Item: Hashable, Sendable {
    /// An attribute with its value.
    public struct Attribute: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value; never null.
        public var value: ItemValue

        /// Makes an attribute.
        public init(_ name: String, _ value: ItemValue) {
            self.name = name
            self.value = value
        }
    }

    /// The entity of an item that names none.
    public static let defaultEntity = "CSSearchableItem"

    /// The app's identifier of the item, unique in a catalog; not empty.
    public var uniqueIdentifier: String?
    /// The domain that the item belongs to, with its parts joined by dots; not empty.
    public var domainIdentifier: String?
    /// The object's own entity.
    public var entity: String
    /// The address of the object in the app's store, with a permanent key; nil lets the catalog allot a key.
    public var object: ObjectURI?
    /// The attributes, each name once, sorted by the names' code points.
    public var attributes: [Attribute]
    /// When the item ceases to be found, in seconds since 2001-01-01T00:00:00Z; nil for never.
    public var expirationDate: Double?
    /// How new the item is.
    public var version: ItemVersion

    /// Makes an item; it needs a unique identifier or an object.
    public init(
        uniqueIdentifier: String? = nil, domainIdentifier: String? = nil, entity: String = defaultEntity,
        object: ObjectURI? = nil, attributes: [Attribute] = [], expirationDate: Double? = nil, version: ItemVersion
    ) {
        self.uniqueIdentifier = uniqueIdentifier
        self.domainIdentifier = domainIdentifier
        self.entity = entity
        self.object = object
        self.attributes = attributes
        self.expirationDate = expirationDate
        self.version = version
    }
}

/// A value of an item's attribute.
public enum ItemValue: Hashable, Sendable {
    /// A value as stores have them; never `.null` or `.externalDataMissing`.
    case attribute(AttributeValue)
    /// An array or an object, as compact JSON: it is kept and exported, but look-ups and predicates see no value.
    case json([UInt8])
}
