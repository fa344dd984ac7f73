public import PersistentStore

/// A predicate fitted to a catalog's model: which rows of `match` lead to candidates, and whether a candidate matches.
public struct PredicateMatcher: Sendable {
    /// One comparison.
    struct Term: Sendable {
        let name: String
        let place: CatalogModel.Place
        let folding: TextFolding
    }

    /// The values of one look-up.
    public struct Sought: Sendable {
        /// One comparison as the table `match` has it.
        public struct Key: Sendable, Hashable {
            /// The number of the attribute.
            public let attribute: Int
            /// The hash; nil for a comparison with nil, which no row of `match` shows.
            public let hash: Int64?
            /// The column `exact` of the value as it is.
            public let exact: Int64
            /// Of objects that have the value, what the column `exact` is.
            public let forms: ClosedRange<Int64>
            /// Whether `hash` and `forms` tell that an object has the value, without a look at its row.
            ///
            /// They do unless just one of case and diacritics is ignored.
            public let isDecisive: Bool
        }

        /// One for each comparison, in their order.
        public let keys: [Key]
        fileprivate let folded: [MatchKey]
        fileprivate let exact: [MatchKey]
    }

    /// The predicate.
    public let predicate: Predicate
    /// The number of the root entity: candidates are of it or descend from it.
    public let root: Int
    /// The numbers of the predicate's entity and its descendants.
    public let family: Set<Int>
    /// Whether every object of the root is of the family.
    public let isWholeRoot: Bool
    private let terms: [Term]
    private let folds: Bool

    /// Fits a predicate; nil where nothing can match, as the entity has no such attribute.
    ///
    /// The entity is known to the model.
    public init?(_ predicate: Predicate, model: CatalogModel) {
        guard let entity = model.number(of: predicate.entity), let root = model.entity(entity)?.root,
            !predicate.comparisons.isEmpty
        else { return nil }
        var terms: [Term] = []
        for comparison in predicate.comparisons {
            guard let place = Self.place(of: comparison.attribute, entity, root, model),
                place.property.type != .objectID
            else { return nil }
            terms.append(Term(name: comparison.attribute, place: place, folding: comparison.folding))
        }
        self.predicate = predicate
        self.root = root
        self.terms = terms
        family = model.family(of: entity)
        isWholeRoot = entity == root
        folds = terms.contains { $0.folding != TextFolding() }
    }

    /// The fields of items are attributes of every entity, also where no item had them yet.
    private static func place(of name: String, _ entity: Int, _ root: Int, _ model: CatalogModel) -> CatalogModel.Place?
    {
        if let place = model.place(of: name, entity: entity) { return place }
        guard ItemField(rawValue: name) != nil else { return nil }
        return CatalogModel.Place(
            attribute: 0, owner: root, property: CatalogModel.Property(type: .string, isDeclared: false))
    }

    /// The values of a look-up; nil where no object can have one of them.
    public func sought(_ values: [PredicateValue]) -> Sought? {
        guard values.count == terms.count else { return nil }
        var (keys, folded, exact): ([Sought.Key], [MatchKey], [MatchKey]) = ([], [], [])
        for (value, term) in zip(values, terms) {
            let type = term.place.property.type
            guard let foldedKey = MatchKey(sought: value, type: type, folding: term.folding),
                let exactKey = MatchKey(sought: value, type: type, folding: TextFolding()),
                let bothKey = MatchKey(sought: value, type: type, folding: TextFolding(case: true, diacritics: true))
            else { return nil }
            let (hash, form) = MatchHash.columns(exactKey, folded: bothKey)
            keys.append(
                Sought.Key(
                    attribute: term.place.attribute, hash: exactKey == .null ? nil : hash, exact: form,
                    forms: term.folding == TextFolding() ? form...form : MatchHash.foldedForms(form),
                    isDecisive: term.folding.foldsCase == term.folding.foldsDiacritics))
            folded.append(foldedKey)
            exact.append(exactKey)
        }
        return Sought(keys: keys, folded: folded, exact: exact)
    }

    /// Whether a row matches, and if so whether without folding; nil where it does not, also when it is not found.
    public func compare(_ row: ObjectRow, _ attributes: RowAttributes, with sought: Sought, at time: Double) -> Bool? {
        guard row.isFound(at: time), family.contains(row.entity) else { return nil }
        var isExact = true
        for (index, term) in terms.enumerated() {
            let value = row.value(of: term.name, in: attributes)
            let type = term.place.property.type
            if MatchKey(stored: value, type: type, folding: TextFolding()) == sought.exact[index] { continue }
            isExact = false
            guard folds, MatchKey(stored: value, type: type, folding: term.folding) == sought.folded[index] else {
                return nil
            }
        }
        return isExact
    }
}

/// Objects that match a look-up, the best one first: an exact match before a folded one, then the smallest key.
public struct MatchTally: Sendable {
    /// How many were added.
    public private(set) var count = 0
    /// The best one, and whether it matches without folding.
    public private(set) var best: (key: ObjectKey, isExact: Bool)?
    /// When the first of them expires, in seconds since 2001-01-01T00:00:00Z.
    public private(set) var expires = Double.infinity

    /// Makes an empty tally.
    public init() {}

    /// Adds matching objects, of which `key` is the best.
    public mutating func add(_ key: ObjectKey, isExact: Bool, expires: Double? = nil, count: Int = 1) {
        self.count += count
        if let expires { self.expires = min(self.expires, expires) }
        if let best, isExact == best.isExact ? best.key < key : best.isExact { return }
        best = (key, isExact)
    }
}
