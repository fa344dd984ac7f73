internal import Items
internal import PersistentStore
internal import SQLite

/// A reader of a catalog in an SQLite file.
///
/// It answers at once. A file that was removed or replaced is unavailable until there is a catalog of the same store.
final class SQLiteCatalogReader: CatalogReader {
    let path: String
    let location: String
    private var session: SQLiteReadSession
    private var plan = FetchPlan()

    init(path: String) throws(StoreError) {
        self.path = path
        location = "sqlite:" + path
        session = try Self.open(path, FetchPlan(), patience: SQLiteCatalog.openingTime)
    }

    var identifier: String { session.identifier }

    var isIdentifierSettled: Bool { session.hasObjects }

    var model: ObjectModel { session.objectModel }

    /// Rows of `match` serve every predicate, so that nothing has to be made for these.
    func prepare(_ plan: FetchPlan, predicates: [Predicate]) {
        self.plan = plan
        session.setPlan(plan)
    }

    func begin(_ lookups: [Lookup]) -> LookupProgress {
        do throws(StoreError) {
            return .finished(
                try read { session throws(SQLiteError) in
                    var results: [LookupResult] = []
                    results.reserveCapacity(lookups.count)
                    for lookup in lookups { results.append(try session.answer(lookup)) }
                    return results
                })
        } catch {
            return .finished(lookups.map { _ in .unavailable(error) })
        }
    }

    /// Never called, as no batch is pending.
    func resume() -> LookupProgress { .finished([]) }

    func object(entity name: String, primaryKey: Int64) throws(StoreError) -> ManagedObjectResult {
        try read { session throws(SQLiteError) in try session.wholeObject(name, primaryKey) }
    }

    func describe() throws(StoreError) -> CatalogDescription {
        try read { session throws(SQLiteError) in try session.describe() }
    }

    func items(after key: ObjectKey?, limit: Int) throws(StoreError) -> ItemPage {
        try read { session throws(SQLiteError) in try session.items(after: key, limit: limit) }
    }

    /// Reads from one state of the catalog, the latest one.
    private func read<Value>(_ body: (SQLiteReadSession) throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        if FileIdentity(path: path) != session.file { try reopen() }
        do throws(SQLiteError) {
            try session.begin()
            defer { session.end() }
            return try body(session)
        } catch {
            let failure = error.storeError(path)
            // The worker waits for what it cannot read now, whatever is wrong with it.
            throw StoreError(.unavailable, failure.description)
        }
    }

    private func reopen() throws(StoreError) {
        guard FileIdentity(path: path) != nil else {
            throw StoreError(.unavailable, "\(path) has vanished; it is read again as soon as it is back.")
        }
        let opened: SQLiteReadSession
        do throws(StoreError) { opened = try Self.open(path, plan) } catch {
            throw StoreError(.unavailable, error.description)
        }
        guard opened.identifier == session.identifier || !session.hasObjects else {
            throw StoreError(
                .unavailable,
                "\(path) is now another catalog: its identifier is \(opened.identifier) and no longer "
                    + "\(session.identifier). Put the former one back, or restart with the new one.")
        }
        session = opened
    }

    /// Opens the file; others' locks are waited for so long, in milliseconds.
    private static func open(
        _ path: String, _ plan: FetchPlan, patience: Int32 = SQLiteReadSession.busyTime
    ) throws(StoreError) -> SQLiteReadSession {
        guard let file = FileIdentity(path: path) else { throw SQLiteCatalog.missing(path) }
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, mode: .reader, busyTime: patience)
            let application = try connection.integer("PRAGMA application_id")
            let version = try connection.integer("PRAGMA user_version") ?? 0
            if application == SQLiteMigrations.applicationID, version == Int64(CatalogSchema.version) {
                let session = try SQLiteReadSession(connection, file: file, plan: plan)
                connection.setBusyTimeout(milliseconds: SQLiteReadSession.busyTime)
                return session
            }
        } catch { throw error.storeError(path) }
        throw StoreError(.unavailable, "\(path) is not a catalog of the schema that this program knows.")
    }
}
