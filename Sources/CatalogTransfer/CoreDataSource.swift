public import CoreDataStore
public import Items
public import PersistentStore

/// The objects of a Core Data or SwiftData file as item operations, page by page.
///
/// The first page declares the entities. Objects have the version that the file has as a whole, so that importing the
/// same file again changes nothing, and what items told later stays.
public struct CoreDataSource {
    /// What is taken of a store.
    public struct Selection: Sendable {
        /// The entities, with their descendants; all where none is named.
        public var entities: Set<String>
        /// The attributes and relationships as `Entity.name`; all where none is named for an entity or its ancestors.
        public var attributes: Set<String>

        /// Makes a selection.
        public init(entities: Set<String> = [], attributes: Set<String> = []) {
            self.entities = entities
            self.attributes = attributes
        }
    }

    /// Larger binary values are left out.
    public static let binaryByteCountMax = 64 << 10

    private let store: CoreDataStore
    private let version: ItemVersion
    private let wanted: WantedProperties
    private var roots: [String]
    private var key: Int64?
    private var hasDeclared = false
    /// How many binary values were left out, for their size or because their file is missing.
    public private(set) var omittedBinaries = 0

    /// Reads a store; every name of the selection is one of the store.
    public init(_ store: CoreDataStore, selection: Selection = Selection(), version: ItemVersion) {
        self.store = store
        self.version = version
        wanted = WantedProperties(selection, model: store.model)
        roots = store.rootEntities
    }

    /// The names of the entities that are taken.
    public var entities: Set<String> { wanted.entities }

    /// The next operations, at most so many; empty at the end.
    public mutating func next(_ count: Int) throws(StoreError) -> [ItemOperation] {
        if !hasDeclared {
            hasDeclared = true
            return [.adopt(store: store.identifier), .declare(declarations)]
        }
        while let root = roots.first {
            let wanted = wanted
            let page = try store.objects(ofRoot: root, after: key, limit: count) { wanted.contains($0, $1) }
            if let last = page.last {
                key = last.primaryKey
                return page.map { .index(item($0)) }
            }
            roots.removeFirst()
            key = nil
        }
        return []
    }

    private mutating func item(_ object: StoredObject) -> Item {
        var attributes: [Item.Attribute] = []
        attributes.reserveCapacity(object.values.count)
        for (name, value) in object.values {
            switch value {
            case .externalDataMissing: omittedBinaries += 1
            case .binary(let bytes) where bytes.count > Self.binaryByteCountMax: omittedBinaries += 1
            default: attributes.append(Item.Attribute(name, .attribute(value)))
            }
        }
        return Item(
            entity: object.entity,
            object: ObjectURI(store: store.identifier, entity: object.entity, primaryKey: object.primaryKey),
            attributes: attributes, version: version)
    }

    /// The store's entities as a catalog declares them, ancestors first.
    private var declarations: [EntityDeclaration] {
        let model = store.model
        let order = model.entities.indices.sorted { model.lineage(of: $0).count < model.lineage(of: $1).count }
        return order.map { index in
            let entity = model.entities[index]
            var declaration = EntityDeclaration(
                name: entity.name, parent: entity.parent.map { model.entities[$0].name },
                className: entity.className, isAbstract: entity.isAbstract)
            for attribute in entity.attributes
            where !attribute.isTransient && wanted.contains(entity.name, attribute.name) {
                declaration.attributes[attribute.name] = attribute.type
            }
            for relationship in entity.relationships
            where !relationship.isToMany && !relationship.isTransient && wanted.contains(entity.name, relationship.name)
            {
                declaration.relationships[relationship.name] = relationship.destination
            }
            return declaration
        }
    }
}

/// Which entities and properties a selection takes, worked out for every entity.
private struct WantedProperties {
    private(set) var entities: Set<String> = []
    /// The properties of entities of which not all are wanted.
    private var properties: [String: Set<String>] = [:]

    init(_ selection: CoreDataSource.Selection, model: ObjectModel) {
        for index in model.entities.indices {
            let lineage = model.lineage(of: index).map { model.entities[$0].name }
            let name = model.entities[index].name
            if selection.entities.isEmpty || !selection.entities.isDisjoint(with: lineage) { entities.insert(name) }
            let chosen = lineage.flatMap { ancestor in
                selection.attributes.filter { $0.hasPrefix(ancestor + ".") }.map {
                    String($0.dropFirst(ancestor.count + 1))
                }
            }
            if !chosen.isEmpty { properties[name] = Set(chosen) }
        }
    }

    func contains(_ entity: String, _ property: String?) -> Bool {
        guard entities.contains(entity) else { return false }
        guard let property, let chosen = properties[entity] else { return true }
        return chosen.contains(property)
    }
}
