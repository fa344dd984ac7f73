public import Items
public import PersistentStore

/// What applies the messages of the item queue for a pipeline: the worker's view of catalogs.
///
/// It belongs to the pipeline's thread. At most one batch is under way; outcomes are read by index after it has finished,
/// until the next batch begins. Applying a message again must change nothing that is newer.
public protocol ItemApplying: AnyObject {
    /// Begins to apply messages, in their order.
    func begin(_ messages: [ItemMessage]) -> ResolvingProgress
    /// Goes on after the descriptor became ready or the deadline passed.
    func resume() -> ResolvingProgress
    /// What became of a message of the finished batch.
    func outcome(_ index: Int) -> ApplyingOutcome
}

/// A message of the item queue.
public struct ItemMessage: Sendable {
    /// The AMQP property `app_id`; nil where there is none.
    public var appID: String?
    /// What is to be done, in order.
    public var operations: [ItemOperation]

    /// Makes a message.
    public init(appID: String?, operations: [ItemOperation]) {
        self.appID = appID
        self.operations = operations
    }
}

/// What became of a message of items.
public enum ApplyingOutcome: Sendable {
    /// Its operations are committed; so many of them changed nothing, for what the catalog has is newer.
    case applied(superseded: Int)
    /// An operation can never be applied, for the reason in the sentence; the others are.
    case refused(String)
    /// Nothing of it was applied, for its catalog cannot answer now.
    case unavailable(StoreError)
}
