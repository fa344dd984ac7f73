internal import PersistentStore
internal import SQLite

internal import struct FoundationEssentials.Date

/// One state of a store, opened by one thread: its connection, its prepared queries and the answers it gave.
final class Session {
    /// The key of a kept answer to a look-up by primary key.
    private struct ObjectKey: Equatable {
        let entity: Int
        let key: Int64
    }

    /// The key of a kept answer to a predicate.
    private struct MatchQuestion: Equatable {
        let matcher: Int
        let values: [PredicateValue]
    }

    let snapshot: StoreSnapshot
    let catalog: SessionCatalog
    private let indexes: IndexShelf
    private let plan: FetchPlan
    private let planEntries: [Int?]
    /// Locks the file during a batch; nil where locks are of no use.
    private let fileGuard: FileGuard?
    private var queries: [RowQuery?]
    private var knownQueries: [Bool]
    private var matchers: [PreparedMatcher] = []
    private var lastMatcher = 0
    /// The last entities that were asked for, each at the place that its name's length leads to.
    private var lastEntities = [(name: String, index: Int)](repeating: ("", -1), count: 8)
    private var objects = ResultCache(empty: ObjectKey(entity: -1, key: 0))
    private var matches = ResultCache(empty: MatchQuestion(matcher: -1, values: []))
    private var seenIndexes = -1
    /// Whether the last answer may be another one soon, although the state is the same.
    private var isProvisional = false

    private var layout: StoreLayout { catalog.layout }

    /// Opens the state.
    init(_ snapshot: StoreSnapshot, plan: FetchPlan, predicates: [Predicate], indexes: IndexShelf) throws(SQLiteError) {
        self.snapshot = snapshot
        self.indexes = indexes
        self.plan = plan
        let layout = snapshot.layout
        planEntries = plan.entryIndexes(for: layout.model)
        catalog = try SessionCatalog(snapshot)
        fileGuard =
            if case .own(true, let counter) = snapshot.place {
                FileGuard(path: snapshot.files.database, changeCounter: counter)
            } else { nil }
        queries = [RowQuery?](repeating: nil, count: layout.model.entities.count)
        knownQueries = [Bool](repeating: false, count: layout.model.entities.count)
        for predicate in predicates { try add(predicate) }
    }

    private func add(_ predicate: Predicate) throws(SQLiteError) {
        if matchers.contains(where: { $0.predicate == predicate }) { return }
        matchers.append(try PreparedMatcher(predicate, catalog: catalog))
    }
}

// MARK: - Batches

extension Session {
    /// Makes sure that the file still is in this state, and keeps writers that respect SQLite's locks out.
    func begin() -> FileGuard.Condition {
        guard case .own(true, _) = snapshot.place else { return .usable }
        return fileGuard?.lock() ?? .outdated
    }

    /// Ends a batch; false where the file changed meanwhile, so that its answers may be of no state at all.
    func end() -> Bool {
        guard case .own = snapshot.place else { return true }
        fileGuard?.unlock()
        return FileSignature(snapshot.files) == snapshot.signature
    }

    /// Takes finished indexes from the shelf, and has missing ones built.
    func refreshIndexes() {
        let version = indexes.version
        guard version != seenIndexes else { return }
        for position in matchers.indices where matchers[position].isMatchable {
            let subject = IndexShelf.Subject.predicate(matchers[position].predicate)
            indexes.provide(subject, for: snapshot, through: catalog.connection)
            matchers[position].take(indexes[subject], generation: snapshot.generation)
        }
        seenIndexes = version
    }
}

// MARK: - Look-ups

extension Session {
    /// The answer to one look-up.
    func answer(_ lookup: Lookup) -> LookupResult {
        do throws(SQLiteError) {
            switch lookup {
            case .object(let name, let key):
                guard let entity = index(of: name) else { return .unknownEntity }
                return try object(entity, key)
            case .matching(let predicate, let values):
                guard let entity = index(of: predicate.entity) else { return .unknownEntity }
                return try match(predicate, values, entity)
            }
        } catch { return .unavailable(complaint(error)) }
    }

    private func index(of name: String) -> Int? {
        let place = name.utf8.count & 7
        let last = lastEntities[place]
        if last.index >= 0, last.name == name { return last.index }
        guard let index = layout.model.index(of: name) else { return nil }
        lastEntities[place] = (name, index)
        return index
    }

    private func object(_ entity: Int, _ key: Int64) throws(SQLiteError) -> LookupResult {
        // Such a row is found as fast as a kept answer that is not at hand in the processor's caches.
        if let outcome = try queries[entity]?.objectInPages(key) { return try result(outcome, of: key, entity) }
        guard let query = try query(entity) else { return .notFound(.noRow) }
        let cacheKey = ObjectKey(entity: entity, key: key)
        let hash = UInt64(bitPattern: key) &+ UInt64(entity) &* 0xd6e8_feb8_6659_fd93
        if let known = objects.result(cacheKey, hash: hash) { return known }
        isProvisional = false
        let result = try result(query.object(key), of: key, entity)
        if isProvisional { return result }
        objects.keep(result, cacheKey, hash: hash)
        return result
    }

    private func result(
        _ outcome: RowQuery.Outcome, of key: Int64, _ entity: Int
    ) throws(SQLiteError) -> LookupResult {
        switch outcome {
        case .absent: return try absence(of: key, entity)
        case .otherEntity(let name): return .notFound(.otherEntity(name))
        case .object(let object): return .found(object)
        }
    }

    private func query(_ entity: Int) throws(SQLiteError) -> RowQuery? {
        if knownQueries[entity] { return queries[entity] }
        let query = try RowQuery(entity: entity, in: catalog) { member in
            let entry = planEntries[member]
            return RowQuery.Reading(planEntry: entry, paths: entry.map { plan.entries[$0].paths } ?? [])
        }
        queries[entity] = query
        knownQueries[entity] = true
        return query
    }

    /// Why there is no row: the store's history may say that it was deleted.
    func absence(of key: Int64, _ entity: Int) throws(SQLiteError) -> LookupResult {
        guard layout.hasHistory else { return .notFound(.noRow) }
        indexes.provide(.deletions, for: snapshot, through: catalog.connection)
        let shelved = indexes[.deletions]
        isProvisional = shelved.generation < snapshot.generation
        guard case .deletions(let deletions) = shelved.index else {
            return shelved.failedGeneration >= snapshot.generation ? .notFound(.noRow) : .deferred
        }
        let numbers = layout.families[entity].lazy.map { [layout] in layout.numbers[$0] }
        guard let time = deletions.time(of: key, entities: numbers) else { return .notFound(.noRow) }
        return .notFound(.deleted(time.isFinite ? Date(timeIntervalSinceReferenceDate: time) : nil))
    }

    private func position(of predicate: Predicate) -> Int? {
        if lastMatcher < matchers.count, matchers[lastMatcher].predicate == predicate { return lastMatcher }
        guard let position = matchers.firstIndex(where: { $0.predicate == predicate }) else { return nil }
        lastMatcher = position
        return position
    }

    private func match(_ predicate: Predicate, _ values: [PredicateValue], _ entity: Int) throws(SQLiteError)
        -> LookupResult
    {
        guard let position = position(of: predicate) else {
            // Not announced by `prepare`: from now on it has an index, too.
            try add(predicate)
            seenIndexes = -1
            refreshIndexes()
            return try match(predicate, values, entity)
        }
        var hasher = Hasher()
        for value in values { hasher.combine(value) }
        let hash = UInt64(bitPattern: Int64(hasher.finalize())) &+ UInt64(position)
        let question = MatchQuestion(matcher: position, values: values)
        if let known = matches.result(question, hash: hash) { return known }
        switch try matchers[position].find(values) {
        case .later: return .deferred
        case .failed(let error): return .unavailable(error)
        case .none(let isFinal):
            if isFinal { matches.keep(.notFound(.noMatch), question, hash: hash) }
            return .notFound(.noMatch)
        case .best(let key, let count, let isExact, let isFinal):
            guard case .found(var object) = try object(entity, key) else { return .deferred }
            object.matches = count
            object.isExact = isExact
            if isFinal { matches.keep(.found(object), question, hash: hash) }
            return .found(object)
        }
    }

    func complaint(_ error: SQLiteError) -> StoreError {
        StoreError(
            error.isDamage ? .invalid : .unavailable,
            "\(snapshot.files.path) cannot be read: SQLite says \"\(error.message)\". "
                + "If that stays so, copy the store again, with its -wal file.")
    }
}
