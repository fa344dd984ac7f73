internal import Items
internal import PersistentStore
internal import SQLite

internal import struct FoundationEssentials.Date

/// An open file of a catalog with its prepared queries, for one thread.
final class SQLiteReadSession {
    /// How long a reader waits for a lock, in milliseconds: only while a log is recovered.
    static let busyTime: Int32 = 1_000

    /// The file that is open.
    let file: FileIdentity
    let connection: SQLiteConnection
    private let tables: CatalogTables
    private let beginning: SQLiteStatement
    private let ending: SQLiteStatement
    private let dataVersion: SQLiteStatement
    private let objects: ObjectQuery
    private var lastDataVersion: Int64 = -1
    private var header = CatalogTables.Header(identifier: "", generation: -1)
    private(set) var model = CatalogModel()
    private var modelOfObjects: ObjectModel?
    private var plan: FetchPlan
    private var readPlan: ReadPlan
    private var families: [Set<Int>?] = []
    private var matchers: [Predicate: PredicateMatcher?] = [:]
    private var matches: MatchQueries
    let reader = AttributeReader()
    /// The time of the batch, in seconds since 2001-01-01T00:00:00Z.
    private(set) var time = 0.0

    init(_ connection: SQLiteConnection, file: FileIdentity, plan: FetchPlan) throws(SQLiteError) {
        self.connection = connection
        self.file = file
        self.plan = plan
        tables = try CatalogTables(connection)
        beginning = try connection.prepare("BEGIN")
        ending = try connection.prepare("COMMIT")
        dataVersion = try connection.prepare("PRAGMA data_version")
        objects = try ObjectQuery("WHERE id = ?1", on: connection)
        matches = try MatchQueries(connection)
        readPlan = ReadPlan(plan, model: CatalogModel(), identifier: "")
        try begin()
        end()
    }

    var identifier: String { header.identifier }

    /// Whether the catalog has had objects, so that its identifier stays.
    private(set) var hasObjects = false

    var objectModel: ObjectModel {
        if let modelOfObjects { return modelOfObjects }
        let made = model.objectModel
        modelOfObjects = made
        return made
    }

    func setPlan(_ plan: FetchPlan) {
        self.plan = plan
        readPlan = ReadPlan(plan, model: model, identifier: identifier)
    }
}

// MARK: - Batches

extension SQLiteReadSession {
    /// Begins a read of the latest state.
    func begin() throws(SQLiteError) {
        try beginning.run()
        do throws(SQLiteError) {
            time = Date().timeIntervalSinceReferenceDate
            defer { dataVersion.reset() }
            guard try dataVersion.step() else { return }
            if dataVersion.integer(0) != lastDataVersion {
                try refresh()
                lastDataVersion = dataVersion.integer(0)
            }
        } catch {
            end()
            throw error
        }
    }

    /// Ends the read.
    func end() { try? ending.run() }

    /// Reads the model again where it has changed.
    private func refresh() throws(SQLiteError) {
        hasObjects = try connection.integer("SELECT 1 FROM object LIMIT 1") != nil
        let header = try tables.header()
        guard header.generation != self.header.generation || header.identifier != identifier else { return }
        model = try tables.model(generation: header.generation)
        self.header = header
        modelOfObjects = nil
        matchers = [:]
        families = model.entities.map { _ in nil }
        readPlan = ReadPlan(plan, model: model, identifier: identifier)
    }
}

// MARK: - Look-ups

extension SQLiteReadSession {
    /// The answer to one look-up.
    func answer(_ lookup: Lookup) throws(SQLiteError) -> LookupResult {
        switch lookup {
        case .object(let name, let primaryKey):
            guard let entity = model.number(of: name) else { return .unknownEntity }
            guard let row = try row(entity, primaryKey) else { return .notFound(.noRow) }
            if let absence = row.absence(family: family(entity), model: model, at: time) { return .notFound(absence) }
            return .found(try fetched(row, reader.attributes(of: row)))
        case .matching(let predicate, let values):
            guard model.number(of: predicate.entity) != nil else { return .unknownEntity }
            guard let matcher = matcher(predicate), let sought = matcher.sought(values) else {
                return .notFound(.noMatch)
            }
            return try match(matcher, sought)
        }
    }

    private func row(_ entity: Int, _ primaryKey: Int64) throws(SQLiteError) -> ObjectRow? {
        guard let key = ObjectKey(root: model.entities[entity - 1].root, primaryKey: primaryKey) else { return nil }
        return try objects.row(key.rawValue)
    }

    /// The row of a key, where its object is found.
    func foundRow(_ key: ObjectKey) throws(SQLiteError) -> ObjectRow? {
        guard let row = try objects.row(key.rawValue), row.isFound(at: time) else { return nil }
        return row
    }

    private func family(_ entity: Int) -> Set<Int> {
        if let known = families[entity - 1] { return known }
        let family = model.family(of: entity)
        families[entity - 1] = family
        return family
    }

    private func matcher(_ predicate: Predicate) -> PredicateMatcher? {
        if let known = matchers[predicate] { return known }
        let matcher = PredicateMatcher(predicate, model: model)
        matchers[predicate] = .some(matcher)
        return matcher
    }

    private func match(_ matcher: PredicateMatcher, _ sought: PredicateMatcher.Sought) throws(SQLiteError)
        -> LookupResult
    {
        let tally = try matches.tally(matcher, sought, in: self)
        guard let best = tally.best, let row = try foundRow(best.key) else { return .notFound(.noMatch) }
        var object = try fetched(row, reader.attributes(of: row))
        object.matches = tally.count
        object.isExact = best.isExact
        return .found(object)
    }

    private func fetched(_ row: ObjectRow, _ attributes: RowAttributes) throws(SQLiteError) -> FetchedObject {
        try readPlan.object(row, attributes, model: model) { key throws(SQLiteError) in
            try self.foundRow(key).map { ($0, self.reader.attributes(of: $0)) }
        }
    }
}

// MARK: - For commands

extension SQLiteReadSession {
    /// One object with all its values.
    func wholeObject(_ name: String, _ primaryKey: Int64) throws(SQLiteError) -> ManagedObjectResult {
        guard let entity = model.number(of: name) else { return .unknownEntity }
        guard let row = try row(entity, primaryKey) else { return .notFound(.noRow) }
        if let absence = row.absence(family: family(entity), model: model, at: time) { return .notFound(absence) }
        return .found(
            try row.wholeObject(reader.attributes(of: row), model: model, identifier: identifier) {
                key throws(SQLiteError) in try self.foundRow(key)?.entity
            })
    }

    /// What the catalog is and holds.
    func describe() throws(SQLiteError) -> CatalogDescription {
        var counts: [Int: Int] = [:]
        let statement = try connection.prepare(
            "SELECT entity, COUNT(*) FROM object WHERE deleted IS NULL AND (expires IS NULL OR expires > ?1) GROUP BY 1"
        )
        statement.bind(time, at: 1)
        while try statement.step() { counts[Int(statement.integer(0))] = Int(statement.integer(1)) }
        let expired = try connection.prepare("SELECT COUNT(*) FROM object WHERE deleted IS NULL AND expires <= ?1")
        expired.bind(time, at: 1)
        let deleted = try connection.integer(
            "SELECT (SELECT COUNT(*) FROM object WHERE deleted IS NOT NULL) + (SELECT COUNT(*) FROM identifier_deletion)"
        )
        return CatalogDescription(
            identifier: identifier, schemaVersion: CatalogSchema.version, model: model, objectCounts: counts,
            expiredCount: try expired.step() ? Int(expired.integer(0)) : 0, deletedCount: Int(deleted ?? 0))
    }

    /// A page of the objects that can be found.
    func items(after key: ObjectKey?, limit: Int) throws(SQLiteError) -> ItemPage {
        let query = try ObjectQuery("WHERE id > ?1 ORDER BY id LIMIT ?2", on: connection)
        let rows = try query.rows { statement in
            statement.bind(key?.rawValue ?? -1, at: 1)
            statement.bind(Int64(limit), at: 2)
        }
        let items = rows.filter { $0.isFound(at: time) }.map { row in
            row.item(reader.attributes(of: row), model: model, identifier: identifier)
        }
        return ItemPage(items: items, last: rows.last?.key)
    }
}
