public import Items

/// The parts of a batch that are applied one after the other.
public struct OperationRuns: Sequence, IteratorProtocol {
    /// A part.
    public enum Run {
        /// Items and identifiers, for a `ChangePlan`; the range is of the batch's operations.
        case changes(Range<Int>)
        /// One operation of another kind, by its index.
        case single(Int)
    }

    private let operations: [ItemOperation]
    private var position = 0

    /// Takes a batch.
    public init(_ operations: [ItemOperation]) { self.operations = operations }

    /// The next part.
    public mutating func next() -> Run? {
        guard position < operations.count else { return nil }
        let start = position
        while position < operations.count, operations[position].isPlanned { position += 1 }
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
