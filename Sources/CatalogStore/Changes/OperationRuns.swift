public import Items
internal import PersistentStore

/// The parts of a batch that are applied one after the other.
public struct OperationRuns: Sequence, IteratorProtocol {
    /// A part.
    public enum Run {
        /// The next item is of this store: the catalog takes its identifier if it has no rows of objects yet.
        case adoption(String)
        /// Items and identifiers, for a `ChangePlan`; the range is of the batch's operations.
        case changes(Range<Int>)
        /// One operation of another kind, by its index.
        case single(Int)
    }

    private let operations: [ItemOperation]
    private var position = 0
    /// The catalog's store, and those that it was asked to adopt.
    private var stores: Set<String>

    /// Takes a batch for a catalog of a store.
    public init(_ operations: [ItemOperation], identifier: String) {
        self.operations = operations
        stores = [identifier]
    }

    /// The next part.
    public mutating func next() -> Run? {
        guard position < operations.count else { return nil }
        let start = position
        while position < operations.count, operations[position].isPlanned {
            if case .index(let item) = operations[position], let store = item.object?.store, !stores.contains(store) {
                if position > start { break }
                stores.insert(store)
                return .adoption(store)
            }
            position += 1
        }
        if position > start { return .changes(start..<position) }
        position += 1
        return .single(start)
    }
}

extension ItemOperation {
    fileprivate var isPlanned: Bool {
        switch self {
        case .index, .deleteIdentifiers: true
        case .declare, .adopt, .deleteDomains, .deleteAll: false
        }
    }
}
