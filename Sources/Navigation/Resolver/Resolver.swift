public import Activities
public import PersistentStore

/// Turns activities into navigation commands.
///
/// One resolver belongs to one thread, like its stores; the configuration may be shared. Activities come in batches,
/// whose look-ups go to the stores together. At most one batch is under way at a time.
public final class Resolver {
    /// What became of one activity.
    public enum Outcome: Sendable {
        /// Its answer.
        case command(NavigationCommand)
        /// An index that it needs is being built; resolve it again soon, for example after 10 ms.
        case deferred
        /// A store that it needs cannot answer now; resolve it again later.
        case unavailable(StoreError)
    }

    /// How far a batch is.
    public enum Progress {
        /// One outcome for each activity, in their order; they are for the resolver's thread.
        case finished(Outcomes)
        /// Wait for the descriptor or the deadline, then `resume`.
        case pending(descriptor: Int32, forWriting: Bool, deadline: ContinuousClock.Instant)
    }

    /// The rules.
    public let configuration: Configuration
    /// How the answers of the last batch came about, one for each activity; empty unless it was asked for.
    ///
    /// Complete when the batch is finished.
    public var explanations: [Explanation] { traces.map(\.explanation) }

    private let stores: StoreCoordinator
    private let router: Router
    private var traces: [Trace] = []
    /// The batch that waits for its stores.
    private var waiting: Batch?

    /// Takes the rules and the stores, and tells the stores what will be asked of them.
    public init(configuration: Configuration, stores: StoreCoordinator) {
        self.configuration = configuration
        self.stores = stores
        router = Router(configuration, knowing: stores.knownStores)
        stores.prepare(configuration.fetchPlan, predicates: configuration.predicates)
    }

    /// Starts a batch; with `explaining`, `explanations` says afterwards how the answers came about.
    public func begin(_ activities: [Activity], explaining: Bool = false) -> Progress {
        precondition(waiting == nil, "a resolver works on one batch at a time")
        traces = explaining ? activities.map { _ in Trace() } : []
        let batch = Batch(activities, router, traces)
        return batch.queries.isEmpty ? finish(batch) : advance(batch, stores.begin(batch.queries))
    }

    /// Goes on with a batch that was `.pending`.
    public func resume() -> Progress {
        guard let batch = waiting else { preconditionFailure("there is no batch to resume") }
        waiting = nil
        return advance(batch, stores.resume())
    }

    private func advance(_ batch: Batch, _ progress: StoreCoordinator.Progress) -> Progress {
        switch progress {
        case .finished(let answers):
            batch.answers = answers
            return finish(batch)
        case .pending(let descriptor, let forWriting, let deadline):
            waiting = batch
            return .pending(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
        }
    }

    private func finish(_ batch: Batch) -> Progress {
        if traces.isEmpty { return .finished(Outcomes(batch)) }
        return .finished(Outcomes(traces.indices.map { .outcome(batch.outcome($0, traces[$0])) }))
    }
}
