public import PersistentStore
internal import SQLite

/// What a store is: its identifier, where its model came from, its entities and their columns.
public struct StoreDescription: Sendable {
    /// An entity as the store has it.
    public struct Entity: Sendable {
        /// The name.
        public let name: String
        /// The number (Z_ENT).
        public let number: Int64
        /// The name of the parent.
        public let parent: String?
        /// Whether objects of just this entity cannot exist.
        public let isAbstract: Bool
        /// The class of its objects, where the model says so.
        public let className: String?
        /// The table; nil where the store has none.
        public let table: String?
        /// How many objects are of just this entity; nil where they were not counted.
        public var rows: Int?
        /// Own attributes, sorted by name.
        public let attributes: [Attribute]
        /// Own relationships, sorted by name.
        public let relationships: [Relationship]
    }

    /// An attribute with its column.
    public struct Attribute: Sendable {
        /// The attribute.
        public let description: AttributeDescription
        /// The column; nil for one that is not stored, or not found.
        public let column: String?
    }

    /// A relationship with its column.
    public struct Relationship: Sendable {
        /// The relationship.
        public let description: RelationshipDescription
        /// The column of a to-one relationship's key.
        public let column: String?
    }

    /// The store's identifier (UUID).
    public let identifier: String
    /// The version of the framework that wrote the store last.
    public let frameworkVersion: Int64?
    /// Where the model came from.
    public let modelSource: ModelSource
    /// The identifiers of the model that is used; those that are empty are left out.
    public let modelVersionIdentifiers: [String]
    /// The model version identifiers that the store's metadata names; those that are empty are left out.
    public let storedVersionIdentifiers: [String]
    /// The entities in the order of their numbers.
    public internal(set) var entities: [Entity]
    /// Columns and entities that the model calls for and the store does not have.
    public let unverified: [String]
    /// Whether the store keeps a history of changes.
    public let hasHistory: Bool
    /// Whether there is a write-ahead log or a journal to read, so that a private copy is read.
    public let readsCopy: Bool

    init(_ snapshot: StoreSnapshot) {
        let layout = snapshot.layout
        identifier = layout.metadata.identifier
        frameworkVersion = layout.metadata.frameworkVersion
        modelSource = layout.source
        modelVersionIdentifiers = layout.modelVersionIdentifiers.filter { !$0.isEmpty }
        storedVersionIdentifiers = layout.metadata.versionIdentifiers.filter { !$0.isEmpty }
        unverified = layout.unverified
        hasHistory = layout.hasHistory
        readsCopy = snapshot.isCopy
        entities = layout.model.entities.indices.map { Self.entity($0, layout) }
    }

    private static func entity(_ index: Int, _ layout: StoreLayout) -> Entity {
        let entity = layout.model.entities[index]
        let properties = layout.properties[index]
        return Entity(
            name: entity.name, number: layout.numbers[index],
            parent: entity.parent.map { layout.model.entities[$0].name }, isAbstract: entity.isAbstract,
            className: entity.className, table: layout.tables[index], rows: nil,
            attributes: entity.attributes.sorted { $0.name < $1.name }.map { attribute in
                guard case .attribute(_, let column) = properties[attribute.name] else {
                    return Attribute(description: attribute, column: nil)
                }
                return Attribute(description: attribute, column: column)
            },
            relationships: entity.relationships.sorted { $0.name < $1.name }.map { relationship in
                guard case .toOne(_, let key, _, _) = properties[relationship.name] else {
                    return Relationship(description: relationship, column: nil)
                }
                return Relationship(description: relationship, column: key)
            })
    }
}

extension CoreDataStore {
    /// Describes the store; `countingRows` walks through every table once.
    public func describe(countingRows: Bool = true) throws(StoreError) -> StoreDescription {
        try read { session throws(SQLiteError) in
            var description = StoreDescription(session.snapshot)
            guard countingRows else { return description }
            var counts: [Int64: Int] = [:]
            for table in Set(description.entities.compactMap(\.table)) {
                let statement = try session.catalog.connection.prepare(
                    "SELECT Z_ENT, COUNT(*) FROM \(table.quotedForSQL) GROUP BY Z_ENT")
                while try statement.step() { counts[statement.integer(0)] = Int(statement.integer(1)) }
            }
            for index in description.entities.indices where description.entities[index].table != nil {
                description.entities[index].rows = counts[description.entities[index].number] ?? 0
            }
            return description
        }
    }

    /// Reads through a session, waiting a moment while the file is changing.
    func read<Value>(
        _ body: (Session) throws(SQLiteError) -> Value
    ) throws(StoreError) -> Value {
        let deadline = ContinuousClock.now + CoreDataFile.patience
        while ContinuousClock.now < deadline {
            switch acquire() {
            case .failed(let error): throw error
            case .later: SnapshotTaker.pause()
            case .ready(let session):
                let result: Result<Value, SQLiteError>
                do throws(SQLiteError) { result = .success(try body(session)) } catch { result = .failure(error) }
                guard session.end() else { continue }
                switch result {
                case .success(let value): return value
                case .failure(let error): throw session.complaint(error)
                }
            }
        }
        throw StoreError(.unavailable, "\(file.path) is being changed all the time; try again.")
    }
}
