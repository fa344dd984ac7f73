internal import PersistentStore

/// The predicates and entities of look-ups fitted to a model, each once; it belongs to one thread.
final class MatcherShelf {
    private var matchers: [Predicate: PredicateMatcher?] = [:]
    private var families: [Int: Set<Int>] = [:]

    /// The fitted predicate; nil where nothing can match.
    func matcher(_ predicate: Predicate, in model: CatalogModel) -> PredicateMatcher? {
        if let known = matchers[predicate] { return known }
        let matcher = PredicateMatcher(predicate, model: model)
        matchers[predicate] = .some(matcher)
        return matcher
    }

    /// The numbers of an entity and its descendants.
    func family(of entity: Int, in model: CatalogModel) -> Set<Int> {
        if let known = families[entity] { return known }
        let family = model.family(of: entity)
        families[entity] = family
        return family
    }
}

/// A reader of attributes that several values share on one thread.
final class AttributeReaderBox {
    private let reader = AttributeReader()

    func attributes(of row: ObjectRow) -> RowAttributes { reader.attributes(of: row) }
}
