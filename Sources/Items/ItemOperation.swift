public import PersistentStore

/// A change to a catalog, as `CSSearchableIndex` takes them.
public enum ItemOperation: Hashable, Sendable {
    /// Says what is to be known of entities before items of them come: parents, attributes and their types.
    case declare([EntityDeclaration])
    /// Says that the catalog stands for the store of this identifier.
    case adopt(store: String)
    /// Adds an item, or replaces the one of its identifier or object.
    case index(Item)
    /// Deletes the items of these unique identifiers; one that is an object's URI names that object.
    case deleteIdentifiers([String], ItemVersion)
    /// Deletes the items of these domains and of their sub-domains: `a.b` takes `a.b.c` and not `a.bc`.
    case deleteDomains([String], ItemVersion)
    /// Deletes every item.
    case deleteAll(ItemVersion)
}

/// What is said of an entity.
public struct EntityDeclaration: Hashable, Sendable {
    /// The name of the entity.
    public var name: String
    /// The name of its parent; nil leaves the parent as it is known.
    public var parent: String?
    /// The name of the class of its objects.
    public var className: String?
    /// Whether objects of just this entity cannot exist.
    public var isAbstract: Bool
    /// Own attributes and their types.
    public var attributes: [String: AttributeType]
    /// Own to-one relationships and the names of their destinations.
    public var relationships: [String: String]

    /// Makes a declaration.
    public init(
        name: String, parent: String? = nil, className: String? = nil, isAbstract: Bool = false,
        attributes: [String: AttributeType] = [:], relationships: [String: String] = [:]
    ) {
        self.name = name
        self.parent = parent
        self.className = className
        self.isAbstract = isAbstract
        self.attributes = attributes
        self.relationships = relationships
    }
}
