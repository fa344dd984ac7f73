internal import PersistentStore
internal import SQLite

/// A prepared query for one object of an entity or its descendants, by key, with the values that a plan asks for.
///
/// Everything that does not depend on the row is worked out when the query is made: which columns are selected, and for
/// each entity that the row may be of, which column is which value.
final class RowQuery {
    /// What to read of objects of an entity.
    struct Reading {
        let planEntry: Int?
        let paths: [[String]]
    }

    /// What a row turned out to be.
    enum Outcome {
        case absent
        case otherEntity(String)
        case object(FetchedObject)
    }

    /// How one value of an entity's objects is had from a row.
    private enum Output {
        case null
        case attribute(Int32, AttributeCodec)
        case target(ToOne)
        case follow(hop: Int, index: Int)
    }

    /// A to-one relationship in a row.
    private struct ToOne {
        let key: Int32
        /// The column of the target's entity number.
        let entity: Int32?
        /// The declared destination.
        let destination: Int
    }

    /// Objects behind a relationship, of which several values are wanted.
    private struct Hop {
        let relationship: ToOne
        let query: RowQuery?
        let count: Int
    }

    private final class Program {
        let entity: String
        let planEntry: Int?
        let outputs: [Output]
        let hops: [Hop]

        init(entity: String, planEntry: Int?, outputs: [Output], hops: [Hop]) {
            self.entity = entity
            self.planEntry = planEntry
            self.outputs = outputs
            self.hops = hops
        }
    }

    private let session: SessionCatalog
    private let rows: RowReader
    private let programs: [Program?]
    /// The store's identifier.
    private let store: String
    /// What the number of an entity in the last row led to, which it mostly does again.
    private var last: (number: Int64, program: Program)?

    /// Makes the query; nil where the entity has no table.
    init?(entity: Int, in session: SessionCatalog, reading: (Int) -> Reading) throws(SQLiteError) {
        let layout = session.layout
        guard let table = layout.tables[entity] else { return nil }
        var columns = ColumnList()
        var programs = [Program?](repeating: nil, count: layout.model.entities.count)
        for member in layout.families[entity] {
            programs[member] = try Self.program(of: member, reading(member), in: session, &columns)
        }
        self.session = session
        store = layout.metadata.identifier
        self.programs = programs
        rows = try RowReader(table, columns: ["Z_ENT"] + columns.names, in: session)
    }

    /// Reads the object of a key.
    func object(_ key: Int64) throws(SQLiteError) -> Outcome {
        defer { rows.leave() }
        return try rows.find(key) ? current(rows, key) : .absent
    }

    /// Reads the object of a key, where the file's pages alone show it.
    func objectInPages(_ key: Int64) throws(SQLiteError) -> Outcome? {
        guard let row = rows.pages(at: key) else { return nil }
        return try current(row, key)
    }

    /// Reads the object of a row.
    private func current(_ row: some RowValues, _ key: Int64) throws(SQLiteError) -> Outcome {
        let number = row.integer(0)
        if let last, last.number == number { return .object(try object(last.program, row, key)) }
        guard let entity = session.layout.entity(numbered: number) else {
            return .otherEntity("entity number \(number)")
        }
        guard let program = programs[entity] else {
            return .otherEntity(session.layout.model.entities[entity].name)
        }
        last = (number, program)
        return .object(try object(program, row, key))
    }

    private func object(_ program: Program, _ row: some RowValues, _ key: Int64) throws(SQLiteError) -> FetchedObject {
        FetchedObject(
            store: store, entity: program.entity, primaryKey: key, planEntry: program.planEntry,
            values: try values(program, row))
    }

    /// Reads the values of a row; what is behind relationships comes last, for that leaves the row.
    private func values(_ program: Program, _ row: some RowValues) throws(SQLiteError) -> ObjectValues {
        if program.outputs.count == 1, case .attribute(let column, let codec) = program.outputs[0] {
            return ObjectValues(codec.value(row, column))
        }
        var values: [AttributeValue] = []
        values.reserveCapacity(program.outputs.count)
        for output in program.outputs {
            switch output {
            case .null, .follow: values.append(.null)
            case .attribute(let column, let codec): values.append(codec.value(row, column))
            case .target(let relationship): values.append(try target(relationship, row))
            }
        }
        if !program.hops.isEmpty { try follow(program, from: row, into: &values) }
        return ObjectValues(values)
    }

    private func follow(
        _ program: Program, from row: some RowValues, into values: inout [AttributeValue]
    ) throws(SQLiteError) {
        let targets = program.hops.map { hop in
            let key = hop.relationship.key
            return row.storage(key) == .integer ? row.integer(key) : nil
        }
        var behind: [ObjectValues] = []
        for (hop, target) in zip(program.hops, targets) {
            if let target, case .object(let object) = try hop.query?.object(target) {
                behind.append(object.values)
            } else {
                behind.append(ObjectValues([AttributeValue](repeating: .null, count: hop.count)))
            }
        }
        for (place, output) in program.outputs.enumerated() {
            if case .follow(let hop, let index) = output { values[place] = behind[hop][index] }
        }
    }

    /// The URI of the target, with the target's own entity.
    private func target(_ relationship: ToOne, _ row: some RowValues) throws(SQLiteError) -> AttributeValue {
        guard row.storage(relationship.key) == .integer else { return .null }
        let key = row.integer(relationship.key)
        if let column = relationship.entity, row.storage(column) == .integer,
            let entity = session.layout.entity(numbered: row.integer(column)),
            session.layout.families[relationship.destination].contains(entity)
        {
            return .object(session.uri(entity: entity, key))
        }
        let entity = try session.ownEntity(of: key, declared: relationship.destination)
        return .object(session.uri(entity: entity ?? relationship.destination, key))
    }
}

extension RowQuery {
    /// The columns that a query selects after Z_ENT, each once.
    private struct ColumnList {
        private(set) var names: [String] = []

        mutating func index(of name: String) -> Int32 {
            if let index = names.firstIndex(of: name) { return Int32(index + 1) }
            names.append(name)
            return Int32(names.count)
        }
    }

    private static func program(
        of entity: Int, _ reading: Reading, in session: SessionCatalog, _ columns: inout ColumnList
    ) throws(SQLiteError) -> Program {
        let properties = session.layout.properties[entity]
        var outputs: [Output] = []
        // The paths behind each relationship are read together.
        var behind: [String: [[String]]] = [:]
        var order: [String] = []
        for path in reading.paths {
            let whole = path.joined(separator: ".")
            if path.count > 1, case .attribute = properties[whole] {
                outputs.append(output(of: properties[whole], session, &columns))
            } else if path.count > 1, case .toOne(_, .some, _, .some) = properties[path[0]] {
                if behind[path[0]] == nil { order.append(path[0]) }
                let index = behind[path[0]]?.count ?? 0
                behind[path[0], default: []].append(Array(path.dropFirst()))
                outputs.append(.follow(hop: order.firstIndex(of: path[0]) ?? 0, index: index))
            } else {
                outputs.append(path.count > 1 ? .null : output(of: properties[whole], session, &columns))
            }
        }
        var hops: [Hop] = []
        for name in order {
            guard let relationship = toOne(properties[name], &columns) else { continue }
            let paths = behind[name] ?? []
            let query = try RowQuery(entity: relationship.destination, in: session) { _ in
                Reading(planEntry: nil, paths: paths)
            }
            hops.append(Hop(relationship: relationship, query: query, count: paths.count))
        }
        return Program(
            entity: session.layout.model.entities[entity].name, planEntry: reading.planEntry, outputs: outputs,
            hops: hops
        )
    }

    private static func output(
        of place: ColumnMap.Place?, _ session: SessionCatalog, _ columns: inout ColumnList
    ) -> Output {
        switch place {
        case .attribute(let attribute, .some(let column)):
            .attribute(
                columns.index(of: column), AttributeCodec(attribute, externalData: session.externalData))
        case .toOne: toOne(place, &columns).map { .target($0) } ?? .null
        case .attribute, .toMany, nil: .null
        }
    }

    private static func toOne(_ place: ColumnMap.Place?, _ columns: inout ColumnList) -> ToOne? {
        guard case .toOne(_, .some(let key), let entity, .some(let destination)) = place else { return nil }
        return ToOne(
            key: columns.index(of: key), entity: entity.map { columns.index(of: $0) }, destination: destination)
    }
}
