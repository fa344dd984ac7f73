/// Finds objects in several stores: by the store that a URI names, or by a predicate in all that have the entity.
///
/// One coordinator belongs to one thread, like its stores. At most one batch is under way at a time.
public final class StoreCoordinator {
    /// One question about an object.
    public enum Query: Sendable {
        /// The object of a URI.
        case object(ObjectURI)
        /// The best match of a predicate, with one value for each of its comparisons.
        case matching(Predicate, values: [PredicateValue])
    }

    /// The answer to one query.
    public enum Answer: Sendable {
        /// The object.
        case found(FetchedObject)
        /// There is none; for a URI, with the entity and key that were looked for in an open store.
        case notFound(Absence)
        /// The URI is one of an object that was never saved.
        case temporary
        /// No open store has the URI's identifier, and no alias leads to one.
        case unknownStore
        /// The store has no such entity, or, for a predicate, no open store has.
        case unknownEntity
        /// An index is being built; ask again soon.
        case deferred
        /// A store that is needed cannot answer now.
        case unavailable(StoreError)
    }

    /// How far a batch is.
    public enum Progress: Sendable {
        /// All answers, in the order of the queries.
        case finished([Answer])
        /// Wait for the descriptor or the deadline, then `resume`.
        case pending(descriptor: Int32, forWriting: Bool, deadline: ContinuousClock.Instant)
    }

    /// The stores, in the configuration's order.
    public let stores: [any PersistentStore]
    /// The identifiers of the stores and their former ones, and the entities, which queries name.
    public let knownStores: KnownStores
    private var identifiers: [String]
    private let aliases: [String: String]
    private var batch: Batch?

    /// Takes the stores; `aliases` leads from a former identifier to a current one, and is followed once.
    ///
    /// Two stores of one identifier are an error that names both.
    public init(stores: [any PersistentStore], aliases: [String: String] = [:]) throws(StoreError) {
        var seen: [String: String] = [:]
        for store in stores {
            if let other = seen.updateValue(store.location, forKey: store.identifier) {
                throw StoreError(
                    .unsupported,
                    "The stores \(other) and \(store.location) have the same identifier \(store.identifier); "
                        + "an object's URI could mean either. Open only one of them.")
            }
        }
        self.stores = stores
        self.identifiers = stores.map(\.identifier)
        self.aliases = aliases
        let entities = Set(stores.flatMap { $0.model.entities.map(\.name) })
        knownStores = KnownStores(identifiers + aliases.keys.sorted(), entities: entities.sorted())
    }

    /// Says what queries will ask for, before the first one.
    public func prepare(_ plan: FetchPlan, predicates: [Predicate]) {
        for store in stores { store.prepare(plan, predicates: predicates) }
    }

    /// Starts a batch; the answers are in the order of the queries.
    public func begin(_ queries: [Query]) -> Progress {
        precondition(batch == nil, "a coordinator works on one batch at a time")
        for index in stores.indices where stores[index].identifier != identifiers[index] {
            identifiers[index] = stores[index].identifier
        }
        var batch = Batch(queries.count, stores: stores.count)
        for position in queries.indices {
            batch.answers.append(plan(queries[position], position: position, in: &batch))
        }
        return run(batch, resuming: false)
    }

    /// Goes on with a batch that was `.pending`.
    public func resume() -> Progress {
        guard let batch else { preconditionFailure("there is no batch to resume") }
        self.batch = nil
        return run(batch, resuming: true)
    }

    /// The answer as far as it is known without a store; what a store must say is put into the batch.
    private func plan(_ query: Query, position: Int, in batch: inout Batch) -> Answer {
        switch query {
        case .object(let uri):
            let index = storeIndex(of: uri.store)
            guard case .permanent(let key) = uri.key else {
                return uri.store.isEmpty || index != nil ? .temporary : .unknownStore
            }
            guard let index else {
                // A store that may turn out to be the one is asked: answering, it learns what it is.
                for index in stores.indices where !stores[index].isIdentifierSettled {
                    batch.add(.object(entity: uri.entity, primaryKey: key), at: position, store: index)
                    batch.unknownStores[position] = uri.store
                }
                return .unknownStore
            }
            batch.add(.object(entity: uri.entity, primaryKey: key), at: position, store: index)
            return .notFound(.noRow)
        case .matching(let predicate, let values):
            for index in stores.indices {
                batch.add(.matching(predicate, values: values), at: position, store: index)
            }
            return .unknownEntity
        }
    }

    private func storeIndex(of identifier: String) -> Int? {
        if let index = identifiers.firstIndex(of: identifier) { return index }
        guard let current = aliases[identifier] else { return nil }
        return identifiers.firstIndex(of: current)
    }

    /// Asks the stores one after the other, from the batch's next one on, which may have to be resumed.
    private func run(_ batch: consuming Batch, resuming: Bool) -> Progress {
        var resuming = resuming
        while batch.next < stores.count {
            let index = batch.next
            if !batch.lookups[index].isEmpty {
                switch resuming ? stores[index].resume() : stores[index].begin(batch.lookups[index]) {
                case .finished(let results):
                    batch.take(results, from: index) { [aliases, identifier = stores[index].identifier] in
                        identifier == $0 || identifier == aliases[$0]
                    }
                case .pending(let descriptor, let forWriting, let deadline):
                    self.batch = batch
                    return .pending(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
                }
            }
            batch.next += 1
            resuming = false
        }
        return .finished(batch.answers)
    }
}

/// One batch on its way through the stores.
private struct Batch {
    var answers: [StoreCoordinator.Answer] = []
    /// The look-ups of each store, and the query that each belongs to.
    var lookups: [[Lookup]]
    var positions: [[Int]]
    /// What is asked of stores whose identifier may turn out to be the one in the query.
    var unknownStores: [Int: String] = [:]
    /// The store to ask next.
    var next = 0

    init(_ count: Int, stores: Int) {
        answers.reserveCapacity(count)
        lookups = Array(repeating: [], count: stores)
        positions = Array(repeating: [], count: stores)
        for store in 0..<stores {
            lookups[store].reserveCapacity(count)
            positions[store].reserveCapacity(count)
        }
    }

    mutating func add(_ lookup: consuming Lookup, at position: Int, store: Int) {
        lookups[store].append(lookup)
        positions[store].append(position)
    }

    /// Takes the answers of a store; `isStore` says whether an identifier leads to it.
    mutating func take(_ results: [LookupResult], from store: Int, isStore: (String) -> Bool) {
        precondition(results.count == lookups[store].count, "a store answers every look-up")
        let isOnly = lookups.count == 1
        for index in results.indices {
            let position = positions[store][index]
            if !unknownStores.isEmpty, let identifier = unknownStores[position] {
                if isStore(identifier) || results[index].isUnknown {
                    answers[position] = StoreCoordinator.Answer(results[index])
                }
                continue
            }
            answers[position] =
                isOnly ? StoreCoordinator.Answer(results[index]) : Self.merge(answers[position], results[index])
        }
    }

    /// Of several stores: what cannot be known yet, then the better match, then the earlier store.
    private static func merge(_ answer: StoreCoordinator.Answer, _ result: LookupResult) -> StoreCoordinator.Answer {
        switch (answer, result) {
        case (.unavailable, _), (.deferred, _): return answer
        case (_, .unavailable(let error)): return .unavailable(error)
        case (_, .deferred): return .deferred
        case (.found(var best), .found(let other)):
            let matches = best.matches + other.matches
            if other.isExact && !best.isExact { best = other }
            best.matches = matches
            return .found(best)
        case (.found, _): return answer
        case (_, .found(let object)): return .found(object)
        case (_, .notFound(let absence)): return .notFound(absence)
        case (.notFound(.noMatch), .unknownEntity): return answer
        case (_, .unknownEntity): return .unknownEntity
        }
    }
}

extension LookupResult {
    /// Whether the store cannot tell yet.
    fileprivate var isUnknown: Bool {
        switch self {
        case .deferred, .unavailable: true
        case .found, .notFound, .unknownEntity: false
        }
    }
}

extension StoreCoordinator.Answer {
    /// The answer of the only store.
    fileprivate init(_ result: LookupResult) {
        switch result {
        case .found(let object): self = .found(object)
        case .notFound(let absence): self = .notFound(absence)
        case .unknownEntity: self = .unknownEntity
        case .deferred: self = .deferred
        case .unavailable(let error): self = .unavailable(error)
        }
    }
}
