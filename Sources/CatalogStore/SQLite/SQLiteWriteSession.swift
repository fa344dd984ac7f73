internal import Items
internal import PersistentStore
internal import SQLite

internal import struct FoundationEssentials.Date

/// An open file of a catalog that is written to, for one thread.
final class SQLiteWriteSession {
    /// The page cache of a writer, in KiB.
    private static let cache = 64 << 10
    /// How many match rows a bulk writer gathers before it commits: sorted, they are stored at a fraction of the cost.
    private static let gatheredMatches = 1_000_000
    /// After how long a bulk writer commits that shares the catalog with others: they wait about twice as long for it.
    private static let sharedTime: Duration = .milliseconds(400)

    let file: FileIdentity
    private let purpose: WritePurpose
    private let connection: SQLiteConnection
    private let tables: CatalogTables
    private let rows: ObjectTable
    private let marks: MarkTables
    private let matches: MatchTable
    private let beginning: SQLiteStatement
    private let ending: SQLiteStatement
    private var header = CatalogTables.Header(identifier: "", generation: -1)
    private var model = CatalogModel()
    private var now = 0.0
    /// When the transaction began.
    private var began = ContinuousClock.now
    /// Whether a bulk writer fills a catalog that was empty, so that hardly anybody else has to do with it.
    private var fillsEmpty: Bool?

    init(path: String, file: FileIdentity, purpose: WritePurpose) throws(SQLiteError) {
        self.file = file
        self.purpose = purpose
        connection = try SQLiteConnection(
            path: path, mode: .writer(creating: false), cache: Self.cache, busyTime: SQLiteReadSession.busyTime)
        switch purpose {
        case .items: try connection.execute("PRAGMA synchronous=FULL")
        // A larger log is written back less often: each time it holds most pages of the indexes.
        case .bulk: try connection.execute("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=50000")
        }
        tables = try CatalogTables(connection)
        rows = try ObjectTable(connection)
        marks = try MarkTables(connection)
        matches = try MatchTable(connection)
        beginning = try connection.prepare("BEGIN IMMEDIATE")
        ending = try connection.prepare("COMMIT")
        // Another writer's transaction is waited for by trying again.
        connection.setBusyTimeout(milliseconds: 0)
    }
}

// MARK: - Transactions

extension SQLiteWriteSession {
    /// Begins a transaction; false where another writer has one.
    func begin() throws(SQLiteError) -> Bool {
        if connection.isInTransaction { return true }
        do throws(SQLiteError) { try beginning.run() } catch {
            if error.isBusy { return false }
            throw error
        }
        now = Date().timeIntervalSinceReferenceDate
        began = .now
        if purpose == .bulk, fillsEmpty == nil { fillsEmpty = try rows.isEmpty() }
        let header = try tables.header()
        if header.generation != self.header.generation || header.identifier != self.header.identifier {
            model = try tables.model(generation: header.generation)
        }
        self.header = header
        return true
    }

    /// Applies a batch, and commits it; a bulk writer commits when it has gathered enough.
    func apply(_ operations: [ItemOperation]) throws(SQLiteError) -> [ItemOutcome] {
        var outcomes: [ItemOutcome] = []
        outcomes.reserveCapacity(operations.count)
        for run in OperationRuns(operations, identifier: header.identifier) {
            switch run {
            case .adoption(let store): _ = try adopt(store)
            case .changes(let range): try apply(operations[range], &outcomes)
            case .single(let index): outcomes.append(try apply(operations[index]))
            }
        }
        if isCommitDue { try commit() }
        return outcomes
    }

    private var isCommitDue: Bool {
        if purpose == .items || matches.count >= Self.gatheredMatches { return true }
        return fillsEmpty != true && .now - began >= Self.sharedTime
    }

    /// Forgets what was not committed.
    func cancel() {
        matches.removeAll()
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        header.generation = -1
    }

    /// Commits, and brings the log into the file.
    func finish() throws(SQLiteError) {
        if connection.isInTransaction { try commit() }
        try connection.execute("PRAGMA synchronous=FULL; PRAGMA wal_checkpoint(PASSIVE)")
    }

    private func commit() throws(SQLiteError) {
        try matches.flush()
        try storeAdditions()
        try tidy()
        try ending.run()
    }

    private func storeAdditions() throws(SQLiteError) {
        let additions = model.takeAdditions()
        guard !additions.isEmpty else { return }
        try tables.store(additions, of: model)
        try countGeneration()
    }

    private func countGeneration() throws(SQLiteError) {
        try connection.execute("UPDATE catalog SET generation = \(max(model.generation, header.generation + 1))")
        header = try tables.header()
    }
}

// MARK: - Operations

extension SQLiteWriteSession {
    private func apply(
        _ operations: ArraySlice<ItemOperation>, _ outcomes: inout [ItemOutcome]
    ) throws(SQLiteError) {
        for case .index(let item) in operations { model.learn(item) }
        // Keys to allot are in the rows of entities.
        try storeAdditions()
        var plan = ChangePlan(model: model, identifier: header.identifier, now: now)
        let needs = plan.needs(of: operations)
        plan.supply(
            rows: try rows.rows(keys: needs.keys, identifiers: needs.identifiers),
            identifierMarks: try marks.identifierMarks(needs.identifiers),
            marks: DomainMarks(all: header.deletedVersion, domains: try marks.domains(needs.domains)),
            nextKeys: try marks.nextKeys(needs.allottingRoots))
        for operation in operations { outcomes.append(plan.apply(operation)) }
        try store(plan.changes())
    }

    private func store(_ changes: consuming ChangeSet) throws(SQLiteError) {
        try rows.release(changes.released)
        matches.remove(changes.removedMatches)
        matches.add(changes.addedMatches)
        if purpose == .items { try matches.flush() }
        try rows.store(changes.rows)
        try marks.store(changes, at: now)
    }

    private func apply(_ operation: ItemOperation) throws(SQLiteError) -> ItemOutcome {
        switch operation {
        case .declare(let declarations): return try declare(declarations)
        case .adopt(let store):
            return try adopt(store)
                ? .applied(0)
                : .refused(
                    "The catalog stands for the store \(header.identifier) and has objects, so that it cannot take those "
                        + "of the store \(store). Import them into a catalog of their own.")
        case .deleteDomains(let domains, let version):
            return try delete(domains, version)
        case .deleteAll(let version):
            try matches.flush()
            return try deleteAll(version).map { .applied($0) } ?? .superseded
        case .index, .deleteIdentifiers: preconditionFailure("these are applied by a plan")
        }
    }

    private func declare(_ declarations: [EntityDeclaration]) throws(SQLiteError) -> ItemOutcome {
        var learnt = model
        var failure: SQLiteError?
        do throws(CatalogModel.DeclarationError) {
            try learnt.declare(declarations) { number throws(CatalogModel.DeclarationError) in
                do throws(SQLiteError) { return try self.rows.hasRows(ofEntity: number) } catch {
                    failure = error
                    return true
                }
            }
        } catch {
            if let failure { throw failure }
            return .refused(error.description)
        }
        model = learnt
        try storeAdditions()
        return .applied(0)
    }

    /// Makes the catalog stand for a store; false where it has objects of another one.
    private func adopt(_ store: String) throws(SQLiteError) -> Bool {
        if store == header.identifier { return true }
        guard try rows.isEmpty() else { return false }
        let statement = try connection.prepare("UPDATE catalog SET identifier = ?1")
        statement.bind(store, at: 1)
        try statement.run()
        try countGeneration()
        return true
    }
}

// MARK: - Deletions of many

extension SQLiteWriteSession {
    private func delete(_ domains: [String], _ version: ItemVersion) throws(SQLiteError) -> ItemOutcome {
        try matches.flush()
        var (count, isNews) = (0, false)
        for domain in domains {
            if try marks.mark(domain: domain, version: version.number, at: now) { isNews = true }
            let below = DomainMarks.subdomains(of: domain)
            // Of text, nothing lies between a domain and the domain with a zero behind it.
            for domains in [domain..<domain + "\u{0}", below.lower..<below.upper] {
                var page = try rows.page(domains: domains, after: nil)
                while let last = page.last {
                    count += try delete(page.filter { version.replaces($0.version) }, version)
                    page = try rows.page(domains: domains, after: last)
                }
            }
        }
        return isNews || count > 0 ? .applied(count) : .superseded
    }

    private func delete(_ candidates: [ObjectRow], _ version: ItemVersion) throws(SQLiteError) -> Int {
        for row in candidates {
            matches.remove(model.matchRows(of: row, rows.reader.attributes(of: row)))
            try rows.store([
                .init(row: row.deleted(at: now, version: version.number), isNew: false, isVersionOnly: false)
            ])
        }
        try matches.flush()
        return candidates.count
    }

    /// Where nothing is newer, everything goes: the one mark keeps late items out.
    ///
    /// nil where everything of that version was deleted before.
    private func deleteAll(_ version: ItemVersion) throws(SQLiteError) -> Int? {
        if let last = header.deletedVersion, !version.replaces(last) { return nil }
        try connection.execute("UPDATE catalog SET deleted_version = \(version.number)")
        header.deletedVersion = version.number
        let count = try rows.count()
        guard try !rows.hasNewer(than: version) else {
            var deleted = 0
            var page = try rows.page(olderThan: version, after: nil)
            while let last = page.last {
                deleted += try delete(page, version)
                page = try rows.page(olderThan: version, after: last.key)
            }
            return deleted
        }
        try matches.clear()
        try rows.clear()
        try marks.clear(upTo: version.number)
        return count
    }

    /// Removes a few objects whose time is up, and marks that nobody needs any more.
    private func tidy() throws(SQLiteError) {
        let expired = try rows.expired(at: now, limit: CatalogSchema.housekeepingCount)
        for row in expired {
            matches.remove(model.matchRows(of: row, rows.reader.attributes(of: row)))
            try rows.store([.init(row: row.removed(at: now), isNew: false, isVersionOnly: false)])
        }
        if !expired.isEmpty { try matches.flush() }
        try rows.removeMarks(before: now - CatalogSchema.markLifetime, limit: CatalogSchema.housekeepingCount)
        try marks.removeMarks(before: now - CatalogSchema.markLifetime, limit: CatalogSchema.housekeepingCount)
    }
}
