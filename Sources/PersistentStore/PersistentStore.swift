public import FoundationEssentials

/// A store of managed objects: the app's own file, or a catalog.
///
/// One instance belongs to one thread. Look-ups come in batches; a store on this machine answers at once, one behind a
/// socket answers later: `begin` then returns `.pending`, and the caller calls `resume` when the descriptor is ready
/// or the deadline has passed. At most one batch is under way at a time.
public protocol PersistentStore: AnyObject {
    /// The store's identifier: the STORE of its objects' URIs, compared exactly.
    var identifier: String { get }

    /// Whether the identifier stays as it is: false for a catalog without objects, which takes that of the first one,
    /// and for a store that was never reached.
    var isIdentifierSettled: Bool { get }

    /// The entities of the store.
    var model: ObjectModel { get }

    /// The store's URL as configured, without secrets, for messages.
    var location: String { get }

    /// Says what look-ups will ask for, before the first one.
    ///
    /// Predicates get indexes here, which may be built in the background: until one is ready, look-ups that need it
    /// are answered `.deferred` and all others pass.
    func prepare(_ plan: FetchPlan, predicates: [Predicate])

    /// Starts a batch; the answers are in the order of the look-ups.
    func begin(_ lookups: [Lookup]) -> LookupProgress

    /// Goes on with a batch that was `.pending`.
    func resume() -> LookupProgress
}

extension PersistentStore {
    /// The identifier stays as it is.
    public var isIdentifierSettled: Bool { true }
}

/// How far a batch of look-ups is.
public enum LookupProgress: Sendable {
    /// All answers, in the order of the look-ups.
    case finished([LookupResult])
    /// Wait until `descriptor` is ready for the given events, or for the deadline; then `resume`.
    case pending(descriptor: Int32, forWriting: Bool, deadline: ContinuousClock.Instant)
}

/// One question to a store.
public enum Lookup: Sendable {
    /// The object of a primary key, of this entity or one that descends from it.
    case object(entity: String, primaryKey: Int64)
    /// The objects of the entity, or of one that descends from it, which the predicate matches.
    ///
    /// `values` holds one value for each of the predicate's comparisons, in their order.
    case matching(Predicate, values: [PredicateValue])
}

/// The answer to one look-up.
public enum LookupResult: Sendable {
    /// The object, or the best of several that match.
    case found(FetchedObject)
    /// There is no such object.
    case notFound(Absence)
    /// The store has no entity of that name.
    case unknownEntity
    /// An index that the look-up needs is being built; ask again, for example after 10 ms.
    case deferred
    /// The store cannot answer now.
    case unavailable(StoreError)
}

/// Why an object was not found.
public enum Absence: Hashable, Sendable {
    /// The store has no row of that key.
    case noRow
    /// The row was deleted, by the store's history; the time where it is known.
    case deleted(Date?)
    /// The object is past its expiration date, which is told.
    case expired(Date)
    /// The row is of another entity, which neither is the named one nor descends from it.
    case otherEntity(String)
    /// No object matches the predicate.
    case noMatch
}

/// An object that a look-up found, with the values that the plan asks for.
public struct FetchedObject: Sendable {
    /// What was read; shared by all copies, so that a copy costs one reference.
    @usableFromInline let row: Row
    /// How many objects matched a predicate; 1 for a look-up by key.
    public var matches: Int
    /// Whether the object matched the predicate without folding.
    public var isExact: Bool

    @usableFromInline
    final class Row: Sendable {
        @usableFromInline let store: String
        @usableFromInline let entity: String
        @usableFromInline let primaryKey: Int64
        @usableFromInline let planEntry: Int?
        @usableFromInline let values: ObjectValues

        init(store: String, entity: String, primaryKey: Int64, planEntry: Int?, values: ObjectValues) {
            self.store = store
            self.entity = entity
            self.primaryKey = primaryKey
            self.planEntry = planEntry
            self.values = values
        }
    }

    /// Makes an answer.
    public init(
        store: String, entity: String, primaryKey: Int64, planEntry: Int?, values: ObjectValues, matches: Int = 1,
        isExact: Bool = true
    ) {
        row = Row(store: store, entity: entity, primaryKey: primaryKey, planEntry: planEntry, values: values)
        self.matches = matches
        self.isExact = isExact
    }

    /// Makes an answer of values in an array.
    public init(
        store: String, entity: String, primaryKey: Int64, planEntry: Int?, values: [AttributeValue], matches: Int = 1,
        isExact: Bool = true
    ) {
        self.init(
            store: store, entity: entity, primaryKey: primaryKey, planEntry: planEntry, values: ObjectValues(values),
            matches: matches, isExact: isExact)
    }

    /// The identifier of its store.
    @inlinable public var store: String { row.store }
    /// The object's own entity.
    @inlinable public var entity: String { row.entity }
    /// Its primary key.
    @inlinable public var primaryKey: Int64 { row.primaryKey }
    /// The index of the plan's entry that holds for its entity: the nearest ancestor's; nil where there is none.
    @inlinable public var planEntry: Int? { row.planEntry }
    /// The values of that entry's paths, in their order; `.null` for what is absent.
    @inlinable public var values: ObjectValues { row.values }

    /// The object's canonical URI, with its own entity.
    public var uri: ObjectURI { ObjectURI(store: store, entity: entity, primaryKey: primaryKey) }
}

/// What to read of an object, by its entity.
public struct FetchPlan: Sendable, Hashable {
    /// What to read of the objects of an entity, and of its descendants that have no entry of their own.
    public struct Entry: Sendable, Hashable {
        /// The name of the entity.
        public var entity: String
        /// The attributes, each as to-one relationships to follow and the attribute or relationship at the end.
        ///
        /// A relationship at the end yields its target's URI. Never empty paths.
        public var paths: [[String]]

        /// Makes an entry.
        public init(entity: String, paths: [[String]]) {
            self.entity = entity
            self.paths = paths
        }
    }

    /// The entries; of two for one entity the first counts.
    public var entries: [Entry]

    /// Makes a plan.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    /// The index of the entry for each entity of a model: its own, or the nearest ancestor's.
    public func entryIndexes(for model: ObjectModel) -> [Int?] {
        let own = Dictionary(entries.enumerated().map { ($1.entity, $0) }, uniquingKeysWith: { first, _ in first })
        return model.entities.indices.map { entity in
            model.lineage(of: entity).lazy.compactMap { own[model.entities[$0].name] }.first
        }
    }
}
