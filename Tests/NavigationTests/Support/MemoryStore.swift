import PersistentStore

import struct FoundationEssentials.Date

/// A store whose objects lie in arrays.
final class MemoryStore: PersistentStore {
    struct Row {
        var entity: String
        var key: Int64
        var values: [String: AttributeValue]
    }

    /// How the next look-ups that need it are answered.
    enum Trouble {
        case none
        /// Predicates wait for an index.
        case indexing
        case unavailable
        /// The first `begin` is pending on a descriptor, `resume` answers.
        case slow
    }

    let identifier: String
    let model: ObjectModel
    var location: String { "memory:\(identifier)" }
    var rows: [Row]
    var deleted: [Int64: Date?] = [:]
    var trouble = Trouble.none
    private(set) var prepared: (plan: FetchPlan, predicates: [Predicate])?
    private var waiting: [Lookup] = []
    private var entries: [Int?] = []

    init(_ identifier: String, model: ObjectModel, rows: [Row]) {
        self.identifier = identifier
        self.model = model
        self.rows = rows
    }

    func prepare(_ plan: FetchPlan, predicates: [Predicate]) {
        prepared = (plan, predicates)
        entries = plan.entryIndexes(for: model)
    }

    func begin(_ lookups: [Lookup]) -> LookupProgress {
        guard case .slow = trouble else { return .finished(lookups.map(answer)) }
        waiting = lookups
        return .pending(descriptor: 7, forWriting: true, deadline: .now + .seconds(1))
    }

    func resume() -> LookupProgress { .finished(waiting.map(answer)) }

    private func answer(_ lookup: Lookup) -> LookupResult {
        if case .unavailable = trouble { return .unavailable(StoreError(.unavailable, "The store is locked.")) }
        switch lookup {
        case .object(let entity, let key): return object(entity, key)
        case .matching(let predicate, let values):
            if case .indexing = trouble { return .deferred }
            return matching(predicate, values)
        }
    }

    private func object(_ entity: String, _ key: Int64) -> LookupResult {
        guard let sought = model.index(of: entity) else { return .unknownEntity }
        guard let row = rows.first(where: { $0.key == key && root($0.entity) == root(entity) }) else {
            return .notFound(deleted[key].map { .deleted($0) } ?? .noRow)
        }
        guard let own = model.index(of: row.entity), model.entity(own, isKindOf: sought) else {
            return .notFound(.otherEntity(row.entity))
        }
        return .found(fetched(row))
    }

    private func root(_ entity: String) -> Int? {
        model.index(of: entity).flatMap { model.lineage(of: $0).last }
    }

    private func matching(_ predicate: Predicate, _ values: [PredicateValue]) -> LookupResult {
        guard let sought = model.index(of: predicate.entity) else { return .unknownEntity }
        let candidates = rows.filter { row in
            model.index(of: row.entity).map { model.entity($0, isKindOf: sought) } ?? false
        }
        let exact = candidates.filter { holds(predicate, values, $0, exactly: true) }
        let folded = candidates.filter { holds(predicate, values, $0, exactly: false) }
        let best = (exact.isEmpty ? folded : exact).min { $0.key < $1.key }
        guard let best else { return .notFound(.noMatch) }
        var object = fetched(best)
        object.matches = folded.count
        object.isExact = !exact.isEmpty
        return .found(object)
    }

    private func holds(_ predicate: Predicate, _ values: [PredicateValue], _ row: Row, exactly: Bool) -> Bool {
        guard let entity = model.index(of: row.entity) else { return false }
        return zip(predicate.comparisons, values).allSatisfy { comparison, value in
            guard let type = model.attribute(comparison.attribute, of: entity)?.type else { return false }
            let folding = exactly ? TextFolding() : comparison.folding
            let stored = MatchKey(stored: row.values[comparison.attribute] ?? .null, type: type, folding: folding)
            return stored != nil && stored == MatchKey(sought: value, type: type, folding: folding)
        }
    }

    private func fetched(_ row: Row) -> FetchedObject {
        let entry = model.index(of: row.entity).flatMap { entries[$0] }
        let paths = entry.flatMap { prepared?.plan.entries[$0].paths } ?? []
        return FetchedObject(
            store: identifier, entity: row.entity, primaryKey: row.key, planEntry: entry,
            values: paths.map { value($0, of: row) })
    }

    private func value(_ path: [String], of row: Row) -> AttributeValue {
        let value = row.values[path[0]] ?? .null
        guard path.count > 1, case .object(let uri) = value, case .permanent(let key) = uri.key,
            let target = rows.first(where: { $0.key == key && $0.entity == uri.entity })
        else { return path.count > 1 ? .null : value }
        return self.value(Array(path.dropFirst()), of: target)
    }
}
