public import CatalogStore
public import Items
public import PersistentStore

/// Applies operations to a catalog and waits for each batch, for commands that have nothing else to do.
public struct CatalogFeed {
    private let writer: any CatalogWriter
    /// How many objects were added, replaced or deleted.
    public private(set) var applied = 0
    /// How many operations were older than what the catalog knows.
    public private(set) var superseded = 0
    /// How many operations the catalog refused, and the first few sentences why.
    public private(set) var refused = 0
    /// The sentences of the first refusals.
    public private(set) var refusals: [String] = []

    /// Feeds a writer.
    public init(_ writer: any CatalogWriter) { self.writer = writer }

    /// Applies a batch; what the catalog refuses is counted, and the rest is applied.
    @discardableResult
    public mutating func apply(_ operations: [ItemOperation]) throws(StoreError) -> [ItemOutcome] {
        var progress = writer.begin(operations)
        while true {
            switch progress {
            case .pending(let descriptor, let forWriting, let deadline):
                PendingWait.wait(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
                progress = writer.resume()
            case .failed(let error): throw error
            case .finished(let outcomes):
                for outcome in outcomes { count(outcome) }
                return outcomes
            }
        }
    }

    /// Makes everything that was applied safe.
    public func finish() throws(StoreError) { try writer.finish() }

    private mutating func count(_ outcome: ItemOutcome) {
        switch outcome {
        case .applied(let count): applied += count
        case .superseded: superseded += 1
        case .refused(let sentence):
            refused += 1
            if refusals.count < 5, !refusals.contains(sentence) { refusals.append(sentence) }
        }
    }
}
