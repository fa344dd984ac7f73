public import PersistentStore

/// What a catalog knows of its entities and attributes: the tables `entity`, `attribute` and `property`.
///
/// Entities and attributes have numbers from 1, in the order in which they became known, and never lose them. A writer
/// tells the model of what is new before it writes objects, stores the `additions` in the same transaction, and counts
/// `generation` up, by which readers see that theirs is old.
public struct CatalogModel: Sendable {
    /// A row of the table `entity`.
    public struct Entity: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The number of the parent.
        public var parent: Int?
        /// The number of the topmost ancestor, or its own; primary keys are unique below it.
        public var root: Int
        /// The class of its objects, where it was declared.
        public var className: String?
        /// Whether objects of just this entity cannot exist.
        public var isAbstract: Bool

        /// Makes a row.
        public init(name: String, parent: Int? = nil, root: Int, className: String? = nil, isAbstract: Bool = false) {
            self.name = name
            self.parent = parent
            self.root = root
            self.className = className
            self.isAbstract = isAbstract
        }
    }

    /// A row of the table `attribute`: a name within a root entity and its descendants.
    public struct Attribute: Hashable, Sendable {
        /// The number of the root entity.
        public var root: Int
        /// The name.
        public var name: String

        /// Makes a row.
        public init(root: Int, name: String) {
            self.root = root
            self.name = name
        }
    }

    /// A row of the table `property`: an attribute or a to-one relationship that an entity has of its own.
    public struct Property: Hashable, Sendable {
        /// The type; `.objectID` for a relationship, `.undefined` for values of different types.
        public var type: AttributeType
        /// The destination of a relationship, by name.
        public var destination: String?
        /// Whether it was declared, or else seen in items: a declared type stays, and values are read as it.
        public var isDeclared: Bool

        /// Makes a row.
        public init(type: AttributeType, destination: String? = nil, isDeclared: Bool) {
            self.type = type
            self.destination = destination
            self.isDeclared = isDeclared
        }
    }

    /// How an attribute of an entity is found: its number, and its own or inherited property.
    public struct Place: Hashable, Sendable {
        /// The number of the attribute.
        public var attribute: Int
        /// The number of the entity that has the property.
        public var owner: Int
        /// The property.
        public var property: Property
    }

    /// Counts every change of the stored model.
    public private(set) var generation: Int64
    /// By number, from 1 on.
    public private(set) var entities: [Entity]
    /// By number, from 1 on.
    public private(set) var attributes: [Attribute]
    /// Of each entity, by its number from 1 on: its own properties.
    public private(set) var properties: [[String: Property]]
    /// What is not stored yet.
    public private(set) var additions = Additions()

    private var numbers: [String: Int] = [:]
    private var attributeNumbers: [Attribute: Int] = [:]
    /// Own and inherited properties of each entity.
    private var places: [[String: Place]] = []

    /// Makes a model from the stored rows, in the order of their numbers; those of `properties` name their entity.
    public init(
        generation: Int64 = 0, entities: [Entity] = [], attributes: [Attribute] = [],
        properties rows: [(entity: Int, name: String, property: Property)] = []
    ) {
        self.generation = generation
        self.entities = entities
        self.attributes = attributes
        properties = entities.map { _ in [:] }
        for row in rows where entities.indices.contains(row.entity - 1) {
            properties[row.entity - 1][row.name] = row.property
        }
        for (index, entity) in entities.enumerated() { numbers[entity.name] = index + 1 }
        for (index, attribute) in attributes.enumerated() { attributeNumbers[attribute] = index + 1 }
        rebuildPlaces()
    }
}

// MARK: - Questions

extension CatalogModel {
    /// The number of the entity of that exact name.
    public func number(of entity: String) -> Int? { numbers[entity] }

    /// The entity of a number.
    public func entity(_ number: Int) -> Entity? {
        entities.indices.contains(number - 1) ? entities[number - 1] : nil
    }

    /// How an entity's attribute or relationship is found, own or inherited.
    public func place(of name: String, entity number: Int) -> Place? { places[number - 1][name] }

    /// The entity itself, then its parent, and so on.
    public func lineage(of number: Int) -> [Int] {
        var lineage: [Int] = []
        var next: Int? = number
        while let current = next, lineage.count < entities.count {
            lineage.append(current)
            next = entities[current - 1].parent
        }
        return lineage
    }

    /// The numbers of the entity and of all that descend from it.
    public func family(of number: Int) -> Set<Int> {
        Set(entities.indices.lazy.map { $0 + 1 }.filter { lineage(of: $0).contains(number) })
    }

    /// The key of a URI's object, whatever its store; nil where its entity is unknown or no catalog has such a key.
    public func key(of uri: ObjectURI) -> ObjectKey? {
        guard case .permanent(let primaryKey) = uri.key, let number = numbers[uri.entity] else { return nil }
        return ObjectKey(root: entities[number - 1].root, primaryKey: primaryKey)
    }

    /// The model as stores show it; an entity's index is its number less 1.
    ///
    /// `uniqueIdentifier` and `domainIdentifier` are text attributes of every entity.
    public var objectModel: ObjectModel {
        ObjectModel(
            entities: entities.enumerated().map { index, entity in
                var attributes: [AttributeDescription] = []
                var relationships: [RelationshipDescription] = []
                for (name, property) in properties[index].sorted(by: { $0.key < $1.key }) {
                    if let destination = property.destination {
                        relationships.append(RelationshipDescription(name: name, destination: destination))
                    } else {
                        attributes.append(AttributeDescription(name: name, type: property.type))
                    }
                }
                if entity.parent == nil {
                    for name in ItemField.allCases.map(\.rawValue) where properties[index][name] == nil {
                        attributes.append(AttributeDescription(name: name, type: .string))
                    }
                }
                return EntityDescription(
                    name: entity.name, className: entity.className, parent: entity.parent.map { $0 - 1 },
                    isAbstract: entity.isAbstract, attributes: attributes, relationships: relationships)
            })
    }
}

/// What an item has beside its attributes and can be compared like one.
public enum ItemField: String, CaseIterable, Sendable {
    case uniqueIdentifier
    case domainIdentifier
}

// MARK: - Changes

extension CatalogModel {
    /// Rows that a writer has to store.
    public struct Additions: Hashable, Sendable {
        /// The numbers of entities that are new or changed.
        public var entities: Set<Int> = []
        /// The numbers of new attributes.
        public var attributes: Set<Int> = []
        /// Properties that are new or changed, by the number of their entity.
        public var properties: [Int: Set<String>] = [:]

        /// Whether there is nothing to store.
        public var isEmpty: Bool { entities.isEmpty && attributes.isEmpty && properties.isEmpty }
    }

    /// Takes the rows to store over; the generation counts up where there are any.
    public mutating func takeAdditions() -> Additions {
        defer { additions = Additions() }
        if !additions.isEmpty { generation += 1 }
        return additions
    }

    /// The number of an entity, which is added where it is not known.
    ///
    /// nil where there are too many.
    mutating func enter(entity name: String) -> Int? {
        if let number = numbers[name] { return number }
        guard entities.count < ObjectKey.largestEntityNumber else { return nil }
        let number = entities.count + 1
        entities.append(Entity(name: name, root: number))
        properties.append([:])
        places.append([:])
        numbers[name] = number
        additions.entities.insert(number)
        return number
    }

    /// Changes an entity's row.
    mutating func set(_ entity: Entity, at number: Int) {
        guard entities[number - 1] != entity else { return }
        entities[number - 1] = entity
        additions.entities.insert(number)
    }

    /// Changes or adds an entity's own property.
    mutating func set(_ property: Property, named name: String, of number: Int) {
        guard properties[number - 1][name] != property else { return }
        properties[number - 1][name] = property
        additions.properties[number, default: []].insert(name)
    }

    /// The number of an attribute, which is added where it is not known.
    mutating func enter(attribute name: String, root: Int) -> Int {
        let attribute = Attribute(root: root, name: name)
        if let number = attributeNumbers[attribute] { return number }
        attributes.append(attribute)
        attributeNumbers[attribute] = attributes.count
        additions.attributes.insert(attributes.count)
        return attributes.count
    }

    /// The number of an attribute within a root.
    public func number(ofAttribute name: String, root: Int) -> Int? {
        attributeNumbers[Attribute(root: root, name: name)]
    }

    /// Works out inherited properties again, after entities or properties have changed.
    mutating func rebuildPlaces() {
        places = entities.indices.map { index in
            var places: [String: Place] = [:]
            for owner in lineage(of: index + 1) {
                for (name, property) in properties[owner - 1] where places[name] == nil {
                    guard let number = attributeNumbers[Attribute(root: entities[index].root, name: name)]
                    else { continue }
                    places[name] = Place(attribute: number, owner: owner, property: property)
                }
            }
            return places
        }
    }
}
