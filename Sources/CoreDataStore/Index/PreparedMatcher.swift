internal import PersistentStore
internal import SQLite

/// A predicate with its index and the query that compares a candidate's row, for one open state of a store.
final class PreparedMatcher {
    /// What was found.
    enum Finding {
        /// Nothing matches, and whether that stays so.
        case none(isFinal: Bool)
        /// The best key, the number of matches, whether it matches without folding, and whether that stays so.
        case best(key: Int64, count: Int, isExact: Bool, isFinal: Bool)
        /// The index is not ready.
        case later
        case failed(StoreError)
    }

    /// Rows that match a look-up, the best one first.
    private struct Tally {
        var count = 0
        var best: (key: Int64, isExact: Bool)?

        mutating func add(_ key: Int64, isExact: Bool) {
            count += 1
            guard let best else {
                self.best = (key, isExact)
                return
            }
            if isExact != best.isExact ? isExact : key < best.key { self.best = (key, isExact) }
        }
    }

    let predicate: Predicate
    private let matcher: Matcher?
    private let layout: StoreLayout
    private let rows: RowReader?
    private let codecs: [AttributeCodec]
    private var index: MatchIndex?
    private var isCurrent = false
    /// Until when a former index may still say that nothing matches.
    private var validUntil: ContinuousClock.Instant?
    private var failure: StoreError?

    /// Whether anything can match at all.
    var isMatchable: Bool { matcher != nil }

    init(_ predicate: Predicate, catalog: SessionCatalog) throws(SQLiteError) {
        self.predicate = predicate
        layout = catalog.layout
        matcher = layout.model.index(of: predicate.entity).flatMap { [layout] in
            Matcher(predicate, entity: $0, layout: layout)
        }
        codecs = (matcher?.terms ?? []).map { AttributeCodec($0.attribute, externalData: "") }
        rows =
            if let matcher {
                try RowReader(matcher.table, columns: ["Z_ENT"] + matcher.columns, in: catalog)
            } else { nil }
    }

    /// Takes what the shelf has for a state of the store.
    func take(_ shelved: IndexShelf.Shelved, generation: Int) {
        if case .match(let index) = shelved.index { self.index = index } else { index = nil }
        isCurrent = shelved.generation == generation
        validUntil = shelved.validUntil
        failure = shelved.failedGeneration >= generation ? shelved.failure : nil
    }

    /// Finds the best row for the values of a look-up.
    func find(_ values: [PredicateValue]) throws(SQLiteError) -> Finding {
        guard let matcher, let sought = SoughtKeys(values, for: matcher) else { return .none(isFinal: true) }
        guard let index else { return failure.map { .failed($0) } ?? .later }
        if !isCurrent, let validUntil, ContinuousClock.now > validUntil { return .later }
        var tally = Tally()
        for key in index.candidates(sought.foldedHash) {
            if let isExact = try compare(key, sought) { tally.add(key, isExact: isExact) }
        }
        if let crowd = index.crowd(sought.foldedHash) {
            guard try add(crowd, sought, to: &tally) else { return .later }
        }
        guard let best = tally.best else { return .none(isFinal: isCurrent) }
        return .best(key: best.key, count: tally.count, isExact: best.isExact, isFinal: isCurrent)
    }

    /// Adds many rows of one value by their heads; false where the index turns out to be out of date.
    private func add(_ crowd: MatchIndex.Crowd, _ sought: SoughtKeys, to tally: inout Tally) throws(SQLiteError)
        -> Bool
    {
        guard let isExact = try compare(crowd.firstKey, sought) else { return isCurrent }
        tally.add(crowd.firstKey, isExact: isExact)
        tally.count += crowd.count - 1
        if tally.best?.isExact != true, let first = crowd.firstExact[sought.exactHash],
            try compare(first, sought) == true
        {
            tally.best = (first, true)
        }
        return true
    }

    /// Whether a row matches, and if so whether without folding; nil where it does not.
    private func compare(_ key: Int64, _ sought: SoughtKeys) throws(SQLiteError) -> Bool? {
        guard let rows, let matcher else { return nil }
        defer { rows.leave() }
        guard try rows.find(key), let entity = layout.entity(numbered: rows.integer(0)),
            layout.families[matcher.entity].contains(entity)
        else { return nil }
        var isExact = true
        for (position, term) in matcher.terms.enumerated() {
            let value = codecs[position].value(rows, Int32(position + 1))
            let type = term.attribute.type
            if MatchKey(stored: value, type: type, folding: Matcher.exactly) == sought.exact[position] { continue }
            isExact = false
            guard matcher.folds,
                MatchKey(stored: value, type: type, folding: term.folding) == sought.folded[position]
            else { return nil }
        }
        return isExact
    }
}
