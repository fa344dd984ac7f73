internal import PersistentStore
internal import PostgreSQL

internal import struct FoundationEssentials.Date

/// One batch of look-ups on its way: which questions to ask next, and the answers when there are no more.
///
/// Nearly every batch is one round. More are needed where an object's values lead to other objects, or where very many
/// objects have a value that is sought.
struct LookupBatch {
    /// What to do next.
    enum Next {
        /// Ask this, and `take` what comes.
        case ask([Statement])
        /// The catalog's model is another one: read it, and begin again.
        case outdated
        case finished([LookupResult])
    }

    /// A predicate's look-up.
    private struct Search {
        let index: Int
        let matcher: PredicateMatcher
        let sought: PredicateMatcher.Sought
        var place: Place
        var tally = MatchTally()

        enum Place {
            case single(Int)
            case group(Int)
            /// No value leads to candidates: every object is looked at.
            case everything
        }
    }

    private enum Stage {
        case lookup, counts([Int]), scan(ObjectScan), rows([ObjectKey])
    }

    private let state: CatalogState
    private let plan: ReadPlan
    private let reader: AttributeReaderBox
    private let time = Date().timeIntervalSinceReferenceDate
    private var results: [LookupResult]
    private var keys: [(index: Int, key: ObjectKey, family: Set<Int>)] = []
    private var searches: [Search] = []
    private var query = LookupStatement()
    private var stage = Stage.lookup
    /// The searches that one statement each must scan for.
    private var scans: [Int] = []
    /// Rows that were read; nil for keys without one.
    private var rows: [ObjectKey: ObjectRow?] = [:]

    /// Plans a batch for a state of the catalog.
    init(
        _ lookups: [Lookup], state: CatalogState, plan: ReadPlan, fits: MatcherShelf, reader: AttributeReaderBox
    ) {
        self.state = state
        self.plan = plan
        self.reader = reader
        results = []
        results.reserveCapacity(lookups.count)
        for (index, lookup) in lookups.enumerated() { results.append(enter(lookup, index, fits)) }
    }

    /// Prepares a look-up; returns its answer as far as it is known without asking.
    private mutating func enter(_ lookup: Lookup, _ index: Int, _ fits: MatcherShelf) -> LookupResult {
        switch lookup {
        case .object(let name, let primaryKey):
            guard let entity = state.model.number(of: name), let root = state.model.entity(entity)?.root else {
                return .unknownEntity
            }
            guard let key = ObjectKey(root: root, primaryKey: primaryKey) else { return .notFound(.noRow) }
            query.add(key)
            keys.append((index, key, fits.family(of: entity, in: state.model)))
            return .notFound(.noRow)
        case .matching(let predicate, let values):
            guard state.model.number(of: predicate.entity) != nil else { return .unknownEntity }
            guard let matcher = fits.matcher(predicate, in: state.model), let sought = matcher.sought(values) else {
                return .notFound(.noMatch)
            }
            let known = sought.keys.compactMap { key in
                key.hash.map { LookupStatement.Value(attribute: key.attribute, hash: $0) }
            }
            let place: Search.Place =
                switch known.count {
                case 0: .everything
                case 1: .single(query.add(known[0]))
                default: .group(query.add(group: known))
                }
            searches.append(Search(index: index, matcher: matcher, sought: sought, place: place))
            return .notFound(.noMatch)
        }
    }

    /// The first question.
    ///
    /// A batch of which everything is known is asked too: the catalog may know more by now.
    func begin() -> [Statement] { [query.statement] }

    /// Takes the answers to what was asked last.
    mutating func take(_ results: [ServerResult]) -> Next {
        switch stage {
        case .lookup:
            let answer = query.answer(results[0])
            guard let header = answer.header, header.hasModel(of: state.header),
                header.version == state.header.version
            else { return .outdated }
            takeFirst(answer)
            let counted = searches.indices.filter { isCrowd($0, in: answer) && isCountable($0) }
            scans = searches.indices.filter { isCrowd($0, in: answer) && !isCountable($0) }
            if counted.isEmpty { return goOn() }
            stage = .counts(counted)
            return .ask([CrowdCount.statement(counted.map { (searches[$0].matcher, searches[$0].sought) }, at: time)])
        case .counts(let counted):
            for (place, tally) in CrowdCount.tallies(results[0]) { searches[counted[place]].tally = tally }
            return goOn()
        case .scan(var scan):
            let page = scan.take(results[0])
            for row in page.rows { compare(row, scan.search) }
            if page.more {
                stage = .scan(scan)
                return .ask([scan.statement])
            }
            return goOn()
        case .rows(let wanted):
            for key in wanted { rows[key] = .some(nil) }
            for row in ObjectRow.all(results[0]) { rows[row.key] = row }
            return goOn()
        }
    }

    private mutating func takeFirst(_ answer: LookupStatement.Answer) {
        for key in query.keys { rows[key] = .some(nil) }
        for (key, row) in answer.rows { rows[key] = row }
        for index in searches.indices where !isCrowd(index, in: answer) {
            for row in candidates(index, in: answer) {
                rows[row.key] = row
                compare(row, index)
            }
        }
    }

    private func candidates(_ index: Int, in answer: LookupStatement.Answer) -> [ObjectRow] {
        switch searches[index].place {
        case .single(let place): answer.singles[place]
        case .group(let place): answer.groups[place]
        case .everything: []
        }
    }

    private func isCrowd(_ index: Int, in answer: LookupStatement.Answer) -> Bool {
        if case .everything = searches[index].place { return true }
        return candidates(index, in: answer).count > LookupStatement.fewCandidates
    }

    /// Whether the rows of `match` alone tell which objects match.
    private func isCountable(_ index: Int) -> Bool {
        let keys = searches[index].sought.keys
        return keys.count == 1 && keys[0].isDecisive && keys[0].hash != nil
    }

    private mutating func compare(_ row: ObjectRow, _ index: Int) {
        let search = searches[index]
        guard
            let isExact = search.matcher.compare(
                row, reader.attributes(of: row), with: search.sought, at: time)
        else { return }
        searches[index].tally.add(row.key, isExact: isExact)
        if searches[index].tally.best?.key == row.key { rows[row.key] = row }
    }

    /// The next scan, or the objects that are still missing, or the end.
    private mutating func goOn() -> Next {
        if let index = scans.popLast() {
            let scan = ObjectScan(search: index, searches[index].matcher, searches[index].sought)
            stage = .scan(scan)
            return .ask([scan.statement])
        }
        var missing: Set<ObjectKey> = []
        for (index, key, family) in keys {
            guard let row = rows[key]?.flatMap({ $0 }) else { continue }
            if let absence = row.absence(family: family, model: state.model, at: time) {
                results[index] = .notFound(absence)
            } else {
                results[index] = .found(fetched(row, missing: &missing))
            }
        }
        for search in searches {
            guard let best = search.tally.best else { continue }
            guard let known = rows[best.key] else {
                missing.insert(best.key)
                continue
            }
            guard let row = known, row.isFound(at: time) else {
                results[search.index] = .notFound(.noMatch)
                continue
            }
            var object = fetched(row, missing: &missing)
            object.matches = search.tally.count
            object.isExact = best.isExact
            results[search.index] = .found(object)
        }
        guard !missing.isEmpty else { return .finished(results) }
        let wanted = missing.sorted()
        stage = .rows(wanted)
        return .ask([Self.rowsStatement(wanted)])
    }

    private func fetched(_ row: ObjectRow, missing: inout Set<ObjectKey>) -> FetchedObject {
        func target(_ key: ObjectKey) -> (ObjectRow, RowAttributes)? {
            guard let known = rows[key] else {
                missing.insert(key)
                return nil
            }
            guard let row = known, row.isFound(at: time) else { return nil }
            return (row, reader.attributes(of: row))
        }
        return plan.object(row, reader.attributes(of: row), model: state.model, target: target)
    }

    static func rowsStatement(_ keys: [ObjectKey]) -> Statement {
        Statement(
            """
            SELECT \(ObjectRow.columns(of: "o")) FROM unnest($1::bigint[]) q (id)
            CROSS JOIN LATERAL (SELECT * FROM deeplink.object o WHERE o.id = q.id OFFSET 0) o
            """, name: "deeplink_rows", [.integers(keys.map(\.rawValue))])
    }
}
