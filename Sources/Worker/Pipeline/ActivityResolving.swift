public import Activities
public import PersistentStore

/// What resolves activities for a pipeline: the worker's view of Navigation's `Resolver`.
///
/// It belongs to the pipeline's thread. At most one batch is under way; outcomes are read by index after it has finished,
/// until the next batch begins.
public protocol ActivityResolving: AnyObject {
    /// Whether activities choose among several apps, and shall carry their request's `app_id`; it never changes.
    var choosesApps: Bool { get }
    /// Begins a batch.
    func begin(_ activities: [Activity]) -> ResolvingProgress
    /// Goes on after the descriptor became ready or the deadline passed.
    func resume() -> ResolvingProgress
    /// What became of an activity of the finished batch; a command is written as one JSON object.
    func outcome(_ index: Int, writingTo writer: inout JSONWriter) -> ResolvingOutcome
    /// The outcomes of the finished batch are not asked for any more.
    func end()
}

extension ActivityResolving {
    /// There is one app.
    public var choosesApps: Bool { false }
    /// There is nothing to forget.
    public func end() {}
}

/// How far a batch is.
public enum ResolvingProgress: Sendable {
    /// All outcomes are there.
    case finished
    /// Wait for the descriptor or the deadline, then `resume`.
    case pending(descriptor: Int32, forWriting: Bool, deadline: ContinuousClock.Instant)
}

/// What became of an activity.
public enum ResolvingOutcome: Sendable {
    /// A command was written; the reason is there when it is not handled.
    case command(isHandled: Bool, reason: String?)
    /// Something that it needs, such as an index, is being built: ask again soon.
    case deferred
    /// A store that it needs cannot answer now.
    case unavailable(StoreError)
}
