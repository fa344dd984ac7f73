/// The entities of a store, with their inheritance.
///
/// `entities` is in the order of the entities' numbers where the store has such; `index(of:)` finds by name.
public struct ObjectModel: Sendable {
    /// All entities; an `EntityDescription.parent` is an index into this array.
    public let entities: [EntityDescription]
    private let indexes: [String: Int]

    /// Makes a model; of two entities of one name the first is found.
    public init(entities: [EntityDescription]) {
        self.entities = entities
        self.indexes = Dictionary(
            entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The index of the entity of that exact name.
    public func index(of name: String) -> Int? { indexes[name] }

    /// The entity of that exact name.
    public subscript(name: String) -> EntityDescription? { indexes[name].map { entities[$0] } }

    /// The entity itself, then its parent, and so on to the root.
    public func lineage(of index: Int) -> [Int] {
        var lineage: [Int] = []
        var next: Int? = index
        while let current = next, lineage.count < entities.count {
            lineage.append(current)
            next = entities[current].parent
        }
        return lineage
    }

    /// Whether the entity is the other one or descends from it.
    public func entity(_ index: Int, isKindOf ancestor: Int) -> Bool { lineage(of: index).contains(ancestor) }

    /// The attribute, own or inherited.
    public func attribute(_ name: String, of entity: Int) -> AttributeDescription? {
        for index in lineage(of: entity) {
            if let found = entities[index].attributes.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    /// The relationship, own or inherited.
    public func relationship(_ name: String, of entity: Int) -> RelationshipDescription? {
        for index in lineage(of: entity) {
            if let found = entities[index].relationships.first(where: { $0.name == name }) { return found }
        }
        return nil
    }
}

/// An entity: its own properties only; those of its ancestors are found through `ObjectModel`.
public struct EntityDescription: Sendable {
    /// The name of the entity.
    public var name: String
    /// The name of the class of its objects, where the model says so.
    public var className: String?
    /// The index of the parent entity.
    public var parent: Int?
    /// Whether objects of just this entity cannot exist.
    public var isAbstract: Bool
    /// Own attributes, without inherited ones.
    public var attributes: [AttributeDescription]
    /// Own relationships, without inherited ones.
    public var relationships: [RelationshipDescription]

    /// Makes an entity.
    public init(
        name: String, className: String? = nil, parent: Int? = nil, isAbstract: Bool = false,
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = []
    ) {
        self.name = name
        self.className = className
        self.parent = parent
        self.isAbstract = isAbstract
        self.attributes = attributes
        self.relationships = relationships
    }
}

/// The type of an attribute, by Core Data's names.
public enum AttributeType: String, Sendable, CaseIterable {
    /// Whole numbers.
    case integer16 = "Integer 16"
    /// Whole numbers.
    case integer32 = "Integer 32"
    /// Whole numbers.
    case integer64 = "Integer 64"
    /// A decimal number, stored as a double.
    case decimal = "Decimal"
    /// A floating-point number.
    case double = "Double"
    /// A floating-point number.
    case float = "Float"
    /// Text.
    case string = "String"
    /// True or false, stored as 1 or 0.
    case boolean = "Boolean"
    /// A point in time.
    case date = "Date"
    /// Bytes.
    case binary = "Binary"
    /// A UUID.
    case uuid = "UUID"
    /// A URI, stored as text.
    case uri = "URI"
    /// Bytes that a value transformer wrote.
    case transformable = "Transformable"
    /// A reference to an object.
    case objectID = "ObjectID"
    /// Several attributes stored as one column each.
    case composite = "Composite"
    /// Not said: a transient attribute, or a store without a model.
    case undefined = "Undefined"
}

/// An attribute of an entity.
public struct AttributeDescription: Sendable, Hashable {
    /// The name of the attribute.
    public var name: String
    /// Its type.
    public var type: AttributeType
    /// Whether it may be without a value.
    public var isOptional: Bool
    /// Whether it is computed by the app and not stored.
    public var isTransient: Bool
    /// Whether large values may lie in a file beside the store.
    public var allowsExternalStorage: Bool

    /// Makes an attribute.
    public init(
        name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        allowsExternalStorage: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.allowsExternalStorage = allowsExternalStorage
    }
}

/// A relationship of an entity.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name of the relationship.
    public var name: String
    /// The name of the destination entity.
    public var destination: String
    /// The name of the inverse relationship, on the destination.
    public var inverse: String?
    /// Whether it leads to any number of objects.
    public var isToMany: Bool
    /// Whether the order of a to-many relationship's objects is kept.
    public var isOrdered: Bool
    /// Whether it is not stored.
    public var isTransient: Bool
    /// Whether it may be without a target.
    public var isOptional: Bool

    /// Makes a relationship.
    public init(
        name: String, destination: String, inverse: String? = nil, isToMany: Bool = false,
        isOrdered: Bool = false, isTransient: Bool = false, isOptional: Bool = true
    ) {
        self.name = name
        self.destination = destination
        self.inverse = inverse
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.isTransient = isTransient
        self.isOptional = isOptional
    }
}
