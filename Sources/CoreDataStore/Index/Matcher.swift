internal import PersistentStore
internal import SQLite

/// A predicate fitted to a store's layout: which columns it compares, and how.
struct Matcher: Sendable {
    /// One comparison with the column that it reads.
    struct Term: Sendable {
        let column: String
        let attribute: AttributeDescription
        let folding: TextFolding
    }

    /// The folding of none: equality under it is an exact match.
    static let exactly = TextFolding()

    let predicate: Predicate
    let entity: Int
    let table: String
    let terms: [Term]
    /// Whether any comparison folds text.
    let folds: Bool

    /// Fits a predicate; nil where nothing can match: no such attribute, or none that is stored.
    init?(_ predicate: Predicate, entity: Int, layout: StoreLayout) {
        guard let table = layout.tables[entity], !predicate.comparisons.isEmpty else { return nil }
        var terms: [Term] = []
        for comparison in predicate.comparisons {
            guard case .attribute(let attribute, .some(let column)) = layout.properties[entity][comparison.attribute]
            else { return nil }
            terms.append(Term(column: column, attribute: attribute, folding: comparison.folding))
        }
        self.predicate = predicate
        self.entity = entity
        self.table = table
        self.terms = terms
        folds = terms.contains { $0.folding != Self.exactly }
    }

    /// The columns that are compared.
    var columns: [String] { terms.map(\.column) }

    /// The condition on the rows' entities.
    ///
    /// The sign keeps SQLite from walking an index of them out of key order.
    func entityCondition(_ layout: StoreLayout) -> String {
        "+Z_ENT IN (\(layout.families[entity].map { String(layout.numbers[$0]) }.joined(separator: ",")))"
    }

    /// The hash of keys in the order of the terms.
    static func hash(_ keys: some Sequence<MatchKey>) -> UInt64 {
        var hasher = Hasher()
        for key in keys { hasher.combine(key) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// The values of one look-up as keys, folded as the predicate says and exact.
struct SoughtKeys {
    let folded: [MatchKey]
    let exact: [MatchKey]
    let foldedHash: UInt64
    let exactHash: UInt64

    /// nil where no stored value can equal one of the values.
    init?(_ values: [PredicateValue], for matcher: Matcher) {
        guard values.count == matcher.terms.count else { return nil }
        var folded: [MatchKey] = []
        var exact: [MatchKey] = []
        for (value, term) in zip(values, matcher.terms) {
            let type = term.attribute.type
            guard let key = MatchKey(sought: value, type: type, folding: term.folding) else { return nil }
            folded.append(key)
            guard matcher.folds else { continue }
            guard let key = MatchKey(sought: value, type: type, folding: Matcher.exactly) else { return nil }
            exact.append(key)
        }
        self.folded = folded
        foldedHash = Matcher.hash(folded)
        self.exact = matcher.folds ? exact : folded
        exactHash = matcher.folds ? Matcher.hash(exact) : foldedHash
    }
}
