public import PersistentStore
internal import SQLite

/// An object with the values that a walk through a store reads.
public struct StoredObject: Sendable {
    /// The object's own entity.
    public let entity: String
    /// Its primary key.
    public let primaryKey: Int64
    /// Stored attributes and to-one relationships that have a value, sorted by name.
    public let values: [(name: String, value: AttributeValue)]
}

extension CoreDataStore {
    /// The topmost entities of the store, each of which has a table with the objects of its descendants.
    public var rootEntities: [String] { model.entities.filter { $0.parent == nil }.map(\.name) }

    /// A page of the objects of a topmost entity and its descendants, in the order of their keys, after the key `after`.
    ///
    /// `isWanted` chooses objects by their own entity, and properties by entity and name; it is asked once for each. A
    /// page is of one state of the store. The last page is empty, as is every one of an unknown entity.
    public func objects(
        ofRoot name: String, after key: Int64?, limit: Int, isWanted: (_ entity: String, _ property: String?) -> Bool
    ) throws(StoreError) -> [StoredObject] {
        try read { session throws(SQLiteError) in
            guard let root = session.catalog.layout.model.index(of: name),
                let walk = try ObjectWalk(root, in: session.catalog, isWanted: isWanted)
            else { return [] }
            return try walk.objects(after: key ?? .min, limit: limit)
        }
    }
}

/// A query for the rows of a table in the order of their keys.
private struct ObjectWalk {
    /// How a property's value is had from a row.
    private enum Source {
        case attribute(Int32, AttributeCodec)
        case toOne(key: Int32, entity: Int32?, destination: Int)
    }

    private let catalog: SessionCatalog
    private let statement: SQLiteStatement
    private var sources: [Int: [(name: String, source: Source)]] = [:]

    /// nil where the store has no table for the entity, or nothing in it is wanted.
    init?(
        _ root: Int, in catalog: SessionCatalog, isWanted: (_ entity: String, _ property: String?) -> Bool
    ) throws(SQLiteError) {
        self.catalog = catalog
        let layout = catalog.layout
        guard let table = layout.tables[root] else { return nil }
        var columns = ["Z_PK", "Z_ENT"]
        func index(of column: String) -> Int32 {
            if let known = columns.firstIndex(of: column) { return Int32(known) }
            columns.append(column)
            return Int32(columns.count - 1)
        }
        for entity in layout.families[root] where isWanted(layout.model.entities[entity].name, nil) {
            let entityName = layout.model.entities[entity].name
            var all: [(name: String, source: Source)] = []
            for (name, place) in layout.sortedProperties(of: entity) where isWanted(entityName, name) {
                switch place {
                case .attribute(let attribute, .some(let column)):
                    let codec = AttributeCodec(attribute, externalData: catalog.externalData)
                    all.append((name, .attribute(index(of: column), codec)))
                case .toOne(_, .some(let key), let entityColumn, .some(let destination)):
                    let key = index(of: key)
                    all.append((name, .toOne(key: key, entity: entityColumn.map(index), destination: destination)))
                case .attribute, .toOne, .toMany: continue
                }
            }
            sources[entity] = all
        }
        guard !sources.isEmpty else { return nil }
        let numbers = sources.keys.sorted().map { String(layout.numbers[$0]) }.joined(separator: ",")
        statement = try catalog.connection.prepare(
            "SELECT \(columns.map(\.quotedForSQL).joined(separator: ", ")) FROM \(table.quotedForSQL) "
                + "WHERE Z_PK > ?1 AND +Z_ENT IN (\(numbers)) ORDER BY Z_PK LIMIT ?2")
    }

    func objects(after key: Int64, limit: Int) throws(SQLiteError) -> [StoredObject] {
        statement.bind(key, at: 1)
        statement.bind(Int64(limit), at: 2)
        var objects: [StoredObject] = []
        while try statement.step() {
            guard let entity = catalog.layout.entity(numbered: statement.integer(1)), let sources = sources[entity]
            else { continue }
            var values: [(name: String, value: AttributeValue)] = []
            values.reserveCapacity(sources.count)
            for (name, source) in sources {
                let value = try value(source)
                if value != .null { values.append((name, value)) }
            }
            objects.append(
                StoredObject(
                    entity: catalog.layout.model.entities[entity].name, primaryKey: statement.integer(0),
                    values: values))
        }
        return objects
    }

    private func value(_ source: Source) throws(SQLiteError) -> AttributeValue {
        switch source {
        case .attribute(let column, let codec): return codec.value(statement, column)
        case .toOne(let key, let entityColumn, let destination):
            guard statement.storage(key) == .integer else { return .null }
            let target = statement.integer(key)
            if let entityColumn, statement.storage(entityColumn) == .integer,
                let entity = catalog.layout.entity(numbered: statement.integer(entityColumn)),
                catalog.layout.families[destination].contains(entity)
            {
                return .object(catalog.uri(entity: entity, target))
            }
            let entity = try catalog.ownEntity(of: target, declared: destination)
            return .object(catalog.uri(entity: entity ?? destination, target))
        }
    }
}
