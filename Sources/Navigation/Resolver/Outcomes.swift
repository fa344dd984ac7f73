public import Activities
public import PersistentStore

/// The outcomes of a finished batch, one for each activity, in their order.
///
/// An outcome is worked out when it is asked for; who wants its bytes alone gets them cheaper by `write`.
public struct Outcomes: RandomAccessCollection {
    /// What became of an activity whose answer was written.
    public enum Written: Sendable {
        /// The answer opens something.
        case handled
        /// The answer says why nothing is opened.
        case notHandled(NotHandledReason)
        /// Nothing was written: `Resolver.Outcome.deferred`.
        case deferred
        /// Nothing was written: `Resolver.Outcome.unavailable`.
        case unavailable(StoreError)
    }

    /// Where an outcome comes from.
    enum Origin {
        case outcome(Resolver.Outcome)
        case batch(Batch, Int)
    }

    /// Nil where the outcomes are listed.
    private let batch: Batch?
    private let origins: [Origin]

    init(_ batch: Batch) {
        self.batch = batch
        origins = []
    }

    init(_ origins: [Origin]) {
        batch = nil
        self.origins = origins
    }

    /// The place of the first activity.
    public var startIndex: Int { 0 }
    /// How many activities there are.
    public var endIndex: Int { batch?.activities.count ?? origins.count }

    /// The outcome of an activity.
    public subscript(position: Int) -> Resolver.Outcome {
        switch origin(position) {
        case .outcome(let outcome): outcome
        case .batch(let batch, let position): batch.outcome(position)
        }
    }

    /// Where the outcome of an activity comes from.
    func origin(_ position: Int) -> Origin {
        batch.map { .batch($0, position) } ?? origins[position]
    }

    /// The first outcome that is no command; nil where there are commands alone.
    public var unanswered: Resolver.Outcome? {
        if let batch { return batch.unanswered }
        return lazy.compactMap { if case .command = $0 { nil } else { $0 } }.first
    }

    /// Writes the command, where there is one, as `NavigationCommand.write` does.
    public func write(_ position: Int, to writer: inout JSONWriter) -> Written {
        if let batch { return batch.write(position, to: &writer) }
        switch origins[position] {
        case .outcome(let outcome): return outcome.write(to: &writer)
        case .batch(let batch, let position): return batch.write(position, to: &writer)
        }
    }
}

extension Resolver.Outcome {
    /// Writes the command, where there is one, as `NavigationCommand.write` does.
    @discardableResult
    public func write(to writer: inout JSONWriter, explanation: Explanation? = nil) -> Outcomes.Written {
        switch self {
        case .command(let command):
            command.write(to: &writer, explanation: explanation)
            return command.reason.map { .notHandled($0) } ?? .handled
        case .deferred: return .deferred
        case .unavailable(let error): return .unavailable(error)
        }
    }
}
