internal import PersistentStore

/// Which column holds which property, derived by Core Data's naming rules and checked against the store's tables.
struct ColumnMap: Sendable {
    /// Where a property of an entity lies.
    enum Place: Sendable {
        /// An attribute; without a column where none is stored or none was found.
        case attribute(AttributeDescription, column: String?)
        /// A to-one relationship: the target's key and, where the destination has sub-entities, its entity number.
        case toOne(RelationshipDescription, key: String?, entity: String?, destination: Int?)
        /// A to-many relationship.
        case toMany(RelationshipDescription, destination: Int?)
    }

    /// The table of each entity: its root's; nil where the store has none.
    var tables: [String?]
    /// The properties that each entity declares itself.
    var own: [[String: Place]]
    /// Columns that the rules call for and the store does not have, as `TABLE.COLUMN (Entity.property)`.
    var missing: [String] = []
    /// Columns that the store has and no property claims, by table.
    var unclaimed: [String: [StoreSchema.Column]] = [:]

    init(_ model: NumberedModel, schema: StoreSchema) {
        tables = model.entities.indices.map { Self.table(of: $0, model, schema) }
        own = model.entities.map { _ in [:] }
        var builder = Builder(model: model, schema: schema)
        for index in model.entities.indices {
            own[index] = builder.places(of: index, table: tables[index])
        }
        builder.claimOneWayRelationships(tables)
        missing = builder.missing
        for table in Set(tables.compactMap { $0 }) {
            let claimed = builder.claimed[table] ?? []
            let rest = (schema.tables[table] ?? []).filter { column in
                !claimed.contains(column.name) && !["Z_PK", "Z_ENT", "Z_OPT"].contains(column.name)
                    && !column.name.hasPrefix("Z_FOK_")
            }
            if !rest.isEmpty { unclaimed[table] = rest }
        }
    }

    /// How badly the model fits the store: 0 where every column is as the rules say.
    var misfit: Int { missing.count + unclaimed.values.reduce(0) { $0 + $1.count } }

    private static func table(of index: Int, _ model: NumberedModel, _ schema: StoreSchema) -> String? {
        let root = model.root(of: index)
        let name = "Z" + model.entities[root].name.uppercased()
        if schema.has(name, ["Z_PK", "Z_ENT"]) { return name }
        // A renamed entity whose table kept its former name.
        guard let former = schema.entities.first(where: { $0.number == model.numbers[root] }) else { return nil }
        let formerName = "Z" + former.name.uppercased()
        return schema.has(formerName, ["Z_PK", "Z_ENT"]) ? formerName : nil
    }
}

/// Gives out the columns of all tables in the order of the entities' numbers.
private struct Builder {
    let model: NumberedModel
    let schema: StoreSchema
    let columns: [String: Set<String>]
    let indexes: [String: Int]
    let haveChildren: Set<Int>
    /// How often each name was used in each table: the suffix of the next one.
    var uses: [String: [String: Int]] = [:]
    var claimed: [String: Set<String>] = [:]
    var missing: [String] = []

    init(model: NumberedModel, schema: StoreSchema) {
        self.model = model
        self.schema = schema
        columns = schema.tables.mapValues { Set($0.map(\.name)) }
        indexes = Dictionary(
            model.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        haveChildren = Set(model.parents.compactMap { $0 })
    }

    mutating func places(of index: Int, table: String?) -> [String: ColumnMap.Place] {
        let entity = model.entities[index]
        var places: [String: ColumnMap.Place] = [:]
        let attributes = entity.attributes.sorted { $0.description.name < $1.description.name }
        for attribute in attributes {
            let column = attribute.columnName.flatMap { name in
                take(name, in: table, for: "\(entity.name).\(attribute.description.name)")
            }
            places[attribute.description.name] = .attribute(attribute.description, column: column)
        }
        for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
            let destination = indexes[relationship.destination]
            if relationship.isToMany {
                places[relationship.name] = .toMany(relationship, destination: destination)
                continue
            }
            let property = "\(entity.name).\(relationship.name)"
            let key = relationship.isTransient ? nil : take(relationship.name, in: table, for: property)
            var entityColumn: String?
            if let key, let destination, haveChildren.contains(destination) {
                let name = "Z\(model.numbers[destination])_\(key.dropFirst())"
                entityColumn = claim(name, in: table, for: property)
            }
            places[relationship.name] = .toOne(
                relationship, key: key, entity: entityColumn, destination: destination)
        }
        return places
    }

    /// The hidden columns of to-many relationships without an inverse, in the destination's table.
    mutating func claimOneWayRelationships(_ tables: [String?]) {
        for (index, entity) in model.entities.enumerated() {
            for relationship in entity.relationships where relationship.isToMany && relationship.inverse == nil {
                guard let destination = indexes[relationship.destination] else { continue }
                let name = "Z\(model.numbers[index])\(relationship.name.uppercased())"
                guard let table = tables[destination], columns[table]?.contains(name) == true else { continue }
                claimed[table, default: []].insert(name)
            }
        }
    }

    /// The next column of that name in a table.
    private mutating func take(_ name: String, in table: String?, for property: String) -> String? {
        guard let table else { return nil }
        let base = "Z" + name.uppercased()
        let use = uses[table]?[base] ?? 0
        uses[table, default: [:]][base] = use + 1
        return claim(use == 0 ? base : base + String(use), in: table, for: property)
    }

    private mutating func claim(_ column: String, in table: String?, for property: String) -> String? {
        guard let table else { return nil }
        guard columns[table]?.contains(column) == true, claimed[table, default: []].insert(column).inserted else {
            missing.append("\(table).\(column) (\(property))")
            return nil
        }
        return column
    }
}
