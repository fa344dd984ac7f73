public import PersistentStore
internal import SQLite

extension CoreDataStore {
    /// A page of the targets of a to-many relationship, in the relationship's order or by primary key.
    ///
    /// Empty for an entity, object or relationship that the store does not have.
    public func targets(
        of relationship: String, entity: String, primaryKey: Int64, offset: Int = 0, limit: Int = 100
    ) throws(StoreError) -> [ObjectURI] {
        try read { session throws(SQLiteError) in
            let layout = session.catalog.layout
            guard let named = layout.model.index(of: entity),
                let own = try session.catalog.ownEntityOfRow(primaryKey, inTableOf: named),
                layout.families[named].contains(own),
                let way = ToManyWay(relationship, of: own, layout: layout)
            else { return [] }
            let statement = try session.catalog.connection.prepare(way.query)
            statement.bind(primaryKey, at: 1)
            statement.bind(Int64(clamping: limit), at: 2)
            statement.bind(Int64(clamping: offset), at: 3)
            var targets: [ObjectURI] = []
            while try statement.step() {
                let target = layout.entity(numbered: statement.integer(1)) ?? way.destination
                targets.append(session.catalog.uri(entity: target, statement.integer(0)))
            }
            return targets
        }
    }
}

/// How the targets of a to-many relationship are found.
private struct ToManyWay {
    /// The query: key and entity number of targets, for an owner's key (1), at most (2) after the first (3).
    let query: String
    /// The declared destination.
    let destination: Int

    init?(_ name: String, of entity: Int, layout: StoreLayout) {
        guard case .toMany(let relationship, .some(let destination)) = layout.properties[entity][name],
            let table = layout.tables[destination]
        else { return nil }
        self.destination = destination
        let declaring = layout.model.lineage(of: entity).first { index in
            layout.model.entities[index].relationships.contains { $0.name == name }
        }
        let number = layout.numbers[declaring ?? entity]
        let columns = Set((layout.schema.tables[table] ?? []).map(\.name))
        let way: String?
        switch relationship.inverse.map({ layout.properties[destination][$0] }) {
        case .none:
            way = Self.direct(table, "Z\(number)\(name.uppercased())", columns, isOrdered: relationship.isOrdered)
        case .some(.toOne(_, .some(let key), _, _)):
            way = Self.direct(table, key, columns, isOrdered: relationship.isOrdered)
        case .some(.toMany(let inverse, _)):
            let others = layout.families[destination] + layout.model.lineage(of: destination)
            let sides = JoinTable.Sides(
                own: Set(layout.model.lineage(of: entity).map { layout.numbers[$0] }),
                other: Set(others.map { layout.numbers[$0] }))
            way = JoinTable(relationship, inverse, sides, layout.schema)?.query(to: table)
        default: way = nil
        }
        guard let way else { return nil }
        query = way + " LIMIT ?2 OFFSET ?3"
    }

    /// Targets that hold their owner's key themselves.
    private static func direct(_ table: String, _ key: String, _ columns: Set<String>, isOrdered: Bool) -> String? {
        guard columns.contains(key) else { return nil }
        let order = "Z_FOK_" + key.dropFirst()
        let sorting = isOrdered && columns.contains(order) ? "\(order.quotedForSQL), Z_PK" : "Z_PK"
        return "SELECT Z_PK, Z_ENT FROM \(table.quotedForSQL) WHERE \(key.quotedForSQL) = ?1 ORDER BY \(sorting)"
    }
}

/// The table of a many-to-many relationship: named after one of its two sides, which one is not to be known.
private struct JoinTable {
    /// The entity numbers that may stand for either side.
    struct Sides {
        let own: Set<Int64>
        let other: Set<Int64>
    }

    private let name: String
    private let owner: String
    private let target: String
    private let order: String?
    private let isReflexive: Bool

    init?(
        _ relationship: RelationshipDescription, _ inverse: RelationshipDescription, _ sides: Sides,
        _ schema: StoreSchema
    ) {
        // A name with a number behind it may be that of another relationship: `tag` and 2, or `tag2`.
        let candidates = schema.tables.compactMap { name, columns -> (suffix: Int, name: String, columns: [String])? in
            let own = Self.suffix(of: name, relationship.name, sides.own)
            let other = Self.suffix(of: name, inverse.name, sides.other)
            guard let suffix = [own, other].compactMap({ $0?.utf8.count }).min() else { return nil }
            return (suffix, name, columns.map(\.name).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) })
        }
        for (_, name, names) in candidates.sorted(by: { ($0.suffix, $0.name) < ($1.suffix, $1.name) }) {
            let target =
                relationship.name == inverse.name
                ? names.first { $0 == "REFLEXIVE" }
                : names.first { Self.suffix(of: $0, relationship.name, sides.other) != nil }
            guard let target,
                let owner = names.first(where: { Self.suffix(of: $0, inverse.name, sides.own) != nil && $0 != target })
            else { continue }
            self.name = name
            self.owner = owner
            self.target = target
            order = relationship.isOrdered ? names.first { $0 == "Z_FOK_" + target.dropFirst(2) } : nil
            isReflexive = target == "REFLEXIVE"
            return
        }
        return nil
    }

    func query(to table: String) -> String {
        let (join, owner, target) = (name.quotedForSQL, owner.quotedForSQL, target.quotedForSQL)
        let pairs =
            isReflexive
            ? "(SELECT \(target) AS t FROM \(join) WHERE \(owner) = ?1 UNION "
                + "SELECT \(owner) FROM \(join) WHERE \(target) = ?1)"
            : "(SELECT \(target) AS t, \(order?.quotedForSQL ?? "0") AS o FROM \(join) WHERE \(owner) = ?1)"
        return "SELECT d.Z_PK, d.Z_ENT FROM \(pairs) j JOIN \(table.quotedForSQL) d ON d.Z_PK = j.t "
            + "ORDER BY \(isReflexive ? "" : "j.o, ")d.Z_PK"
    }

    /// The number, perhaps empty, behind `Z_`, one of the entity numbers and the relationship's name; nil for other
    /// names.
    private static func suffix(of name: String, _ relationship: String, _ numbers: Set<Int64>) -> Substring? {
        guard name.hasPrefix("Z_") else { return nil }
        let rest = name.dropFirst(2)
        let afterNumber = rest.drop { $0.isNumber }
        guard let number = Int64(rest.dropLast(afterNumber.count)), numbers.contains(number),
            afterNumber.hasPrefix(relationship.uppercased())
        else { return nil }
        let suffix = afterNumber.dropFirst(relationship.uppercased().count)
        return suffix.allSatisfy(\.isNumber) ? suffix : nil
    }
}
