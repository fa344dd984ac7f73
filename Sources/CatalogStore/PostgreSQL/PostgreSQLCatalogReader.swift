internal import Items
internal import PersistentStore
internal import PostgreSQL

internal import struct FoundationEssentials.Date

/// A reader of a catalog in a PostgreSQL database.
///
/// A batch is pending until its rounds are answered. What goes wrong on the way makes its look-ups `.unavailable`; the
/// next batch connects again. A batch that is one round sees one state of the catalog; what later rounds read of other
/// objects may be newer.
final class PostgreSQLCatalogReader: CatalogReader {
    /// How long the server may work on a batch, and on a command's question.
    static let lookupTime: Duration = .seconds(5)
    static let commandTime: Duration = .seconds(600)
    /// How often a batch begins again because the model has changed.
    private static let attempts = 3

    let location: String
    private let session: PostgreSQLSession
    private var state: CatalogState
    private var plan = FetchPlan()
    private var readPlan: ReadPlan
    private var modelOfObjects: ObjectModel?
    private var shelf = MatcherShelf()
    private let attributes = AttributeReaderBox()
    private var work: Work?

    /// The batch that is under way.
    private struct Work {
        let lookups: [Lookup]
        var batch: LookupBatch?
        var attempts = 0
    }

    init(_ session: PostgreSQLSession, _ location: String, _ state: CatalogState) {
        self.session = session
        self.location = location
        self.state = state
        readPlan = ReadPlan(FetchPlan(), model: state.model, identifier: state.header.identifier)
    }

    var identifier: String { state.header.identifier }

    /// Others may empty the catalog, and make it stand for another store.
    var isIdentifierSettled: Bool { false }

    var model: ObjectModel {
        if let modelOfObjects { return modelOfObjects }
        let made = state.model.objectModel
        modelOfObjects = made
        return made
    }

    /// Rows of `match` serve every predicate, so that nothing has to be made for these.
    func prepare(_ plan: FetchPlan, predicates: [Predicate]) {
        self.plan = plan
        readPlan = ReadPlan(plan, model: state.model, identifier: identifier)
    }

    func begin(_ lookups: [Lookup]) -> LookupProgress {
        precondition(work == nil, "a reader works on one batch at a time")
        return start(Work(lookups: lookups))
    }

    func resume() -> LookupProgress {
        guard let work else { preconditionFailure("there is no batch to resume") }
        return goOn(work, session.resume())
    }

    /// Begins a batch with the model that is known.
    private func start(_ work: Work) -> LookupProgress {
        var work = work
        let batch = LookupBatch(work.lookups, state: state, plan: readPlan, fits: shelf, reader: attributes)
        work.batch = batch
        return goOn(work, session.begin(Self.round(batch.begin())))
    }

    private func goOn(_ work: Work, _ progress: PostgreSQLSession.Progress) -> LookupProgress {
        var work = work
        switch progress {
        case .waiting(let wait):
            self.work = work
            return .pending(descriptor: wait.descriptor, forWriting: wait.forWriting, deadline: wait.deadline)
        case .failed(let error): return fail(work, error.storeError(location))
        case .finished(let results):
            guard var batch = work.batch else { return adopt(results, for: work) }
            let next = batch.take(results)
            switch next {
            case .ask(let statements):
                work.batch = batch
                return goOn(work, session.begin(Self.round(statements)))
            case .finished(let answers):
                self.work = nil
                return .finished(answers)
            case .outdated:
                guard work.attempts < Self.attempts else {
                    return fail(work, StoreError(.unavailable, "The model of \(location) changes all the time."))
                }
                work.batch = nil
                work.attempts += 1
                return goOn(work, session.begin(Self.round(CatalogState.statements)))
            }
        }
    }

    /// Takes a model that was read again, and begins the batch again.
    private func adopt(_ results: [ServerResult], for work: Work) -> LookupProgress {
        do throws(StoreError) {
            try adopt(CatalogState(results[...]))
            return start(work)
        } catch { return fail(work, error) }
    }

    private func adopt(_ read: CatalogState?) throws(StoreError) {
        guard let read else { throw PostgreSQLError(state: "42P01", "its table catalog is empty").storeError(location) }
        guard read.header.version <= CatalogSchema.version else { throw PostgreSQLMigrations.newer(location) }
        guard read.header.version == CatalogSchema.version else {
            throw StoreError(
                .unavailable,
                "The catalog \(location) is of an older schema; whatever writes to it next brings it up to date.")
        }
        // A catalog may be emptied and then stand for another store; its generation only grows.
        guard read.header.identifier == identifier || read.header.generation > state.header.generation else {
            throw StoreError(
                .unavailable,
                "\(location) is now another catalog: its identifier is \(read.header.identifier) and no longer "
                    + "\(identifier). Put the former one back, or restart with the new one.")
        }
        state = read
        shelf = MatcherShelf()
        modelOfObjects = nil
        readPlan = ReadPlan(plan, model: read.model, identifier: identifier)
    }

    private func fail(_ work: Work, _ error: StoreError) -> LookupProgress {
        self.work = nil
        return .finished(work.lookups.map { _ in .unavailable(error) })
    }

    private static func round(_ statements: [Statement]) -> Round {
        Round(statements, statementTimeout: lookupTime)
    }
}

// MARK: - For commands, which may block

extension PostgreSQLCatalogReader {
    /// Reads the model, and waits for it.
    func load() throws(StoreError) -> CatalogState {
        try adopt(CatalogState(try ask(CatalogState.statements)[...]))
        return state
    }

    func object(entity name: String, primaryKey: Int64) throws(StoreError) -> ManagedObjectResult {
        _ = try load()
        let model = state.model
        guard let entity = model.number(of: name), let root = model.entity(entity)?.root else { return .unknownEntity }
        guard let key = ObjectKey(root: root, primaryKey: primaryKey), let row = try rows([key])[key] else {
            return .notFound(.noRow)
        }
        let time = now
        let family = shelf.family(of: entity, in: model)
        if let absence = row.absence(family: family, model: model, at: time) { return .notFound(absence) }
        return .found(
            try row.wholeObject(attributes.attributes(of: row), model: model, identifier: identifier) {
                key throws(StoreError) in
                guard let target = try self.rows([key])[key], target.isFound(at: time) else { return nil }
                return target.entity
            })
    }

    func describe() throws(StoreError) -> CatalogDescription {
        _ = try load()
        let counts = try ask([
            Statement(
                """
                SELECT entity, count(*) FROM deeplink.object
                WHERE deleted IS NULL AND (expires IS NULL OR expires > $1) GROUP BY 1
                """, [.double(now)]),
            Statement(
                """
                SELECT (SELECT count(*) FROM deeplink.object WHERE deleted IS NULL AND expires <= $1),
                  (SELECT count(*) FROM deeplink.object WHERE deleted IS NOT NULL)
                    + (SELECT count(*) FROM deeplink.identifier_deletion)
                """, [.double(now)]),
        ])
        let objects = (0..<counts[0].rowCount).map { (Int(counts[0].integer($0, 0)), Int(counts[0].integer($0, 1))) }
        return CatalogDescription(
            identifier: identifier, schemaVersion: state.header.version, model: state.model,
            objectCounts: Dictionary(uniqueKeysWithValues: objects), expiredCount: Int(counts[1].integer(0, 0)),
            deletedCount: Int(counts[1].integer(0, 1)))
    }

    func items(after key: ObjectKey?, limit: Int) throws(StoreError) -> ItemPage {
        let results = try ask(
            [
                Statement(
                    "SELECT \(ObjectRow.columns) FROM deeplink.object WHERE id > $1 ORDER BY id LIMIT $2",
                    [.integer(key?.rawValue ?? -1), .integer(Int64(limit))])
            ] + CatalogState.statements)
        try adopt(CatalogState(results[1...]))
        let rows = ObjectRow.all(results[0])
        let time = now
        let items = rows.filter { $0.isFound(at: time) }.map { row in
            row.item(attributes.attributes(of: row), model: state.model, identifier: identifier)
        }
        return ItemPage(items: items, last: rows.last?.key)
    }

    private func rows(_ keys: [ObjectKey]) throws(StoreError) -> [ObjectKey: ObjectRow] {
        let results = try ask([LookupBatch.rowsStatement(keys)])
        return Dictionary(ObjectRow.all(results[0]).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func ask(_ statements: [Statement]) throws(StoreError) -> [ServerResult] {
        do throws(PostgreSQLError) {
            return try session.perform(Round(statements, statementTimeout: Self.commandTime))
        } catch { throw error.storeError(location) }
    }

    /// In seconds since 2001-01-01T00:00:00Z.
    private var now: Double { Date().timeIntervalSinceReferenceDate }
}
