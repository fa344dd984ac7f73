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
    public enum Progress: Sendable {
        /// One outcome for each activity, in their order.
        case finished([Outcome])
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
        let traces = explaining ? activities.map { _ in Trace() } : []
        self.traces = traces
        var batch = Batch(activities)
        var captured: [String?] = []
        for index in activities.indices {
            switch router.step(activities[index], captured: &captured, traces.isEmpty ? nil : traces[index]) {
            case .answered(let command): batch.outcomes.append(.command(command))
            case .lookUp(let query, let predicate, let route):
                batch.queries.append(query)
                batch.pending.append(Batch.Pending(index: index, predicate: predicate, route: route))
                batch.outcomes.append(.deferred)
            }
        }
        if batch.queries.isEmpty { return .finished(batch.outcomes) }
        let progress = stores.begin(batch.queries)
        return advance(batch, progress)
    }

    /// Goes on with a batch that was `.pending`.
    public func resume() -> Progress {
        guard let batch = waiting else { preconditionFailure("there is no batch to resume") }
        waiting = nil
        return advance(batch, stores.resume())
    }

    private func advance(_ batch: consuming Batch, _ progress: StoreCoordinator.Progress) -> Progress {
        switch progress {
        case .finished(let answers):
            return .finished(finish(batch, answers))
        case .pending(let descriptor, let forWriting, let deadline):
            waiting = batch
            return .pending(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
        }
    }

    private func finish(_ batch: consuming Batch, _ answers: [StoreCoordinator.Answer]) -> [Outcome] {
        let traces = traces
        for position in batch.pending.indices {
            let index = batch.pending[position].index
            let trace = traces.isEmpty ? nil : traces[index]
            trace?.answered(answers[position])
            if case .found(let object) = answers[position] {
                batch.outcomes[index] = .command(
                    router.command(opening: object, batch.pending[position].route, batch.activities[index], trace))
            } else {
                batch.outcomes[index] = router.outcome(
                    answers[position], to: batch.queries[position], batch.pending[position].predicate,
                    batch.pending[position].route, batch.activities[index])
            }
        }
        return batch.outcomes
    }
}

extension Resolver.Outcome {
    /// Writes the command, where there is one, as `NavigationCommand.write` does; false where there is none.
    @discardableResult
    public func write(to writer: inout JSONWriter, explanation: Explanation? = nil) -> Bool {
        guard case .command(let command) = self else { return false }
        command.write(to: &writer, explanation: explanation)
        return true
    }

    /// Writes the command, where there is one, by the forms of earlier ones; false where there is none.
    @discardableResult
    public func write(to writer: inout JSONWriter, by forms: inout AnswerForms) -> Bool {
        guard case .command(let command) = self else { return false }
        forms.write(command, to: &writer)
        return true
    }
}

/// One batch on its way: its activities, and those that wait for an object.
private struct Batch {
    struct Pending {
        let index: Int
        let predicate: PredicateTemplate?
        let route: Route
    }

    let activities: [Activity]
    var outcomes: [Resolver.Outcome] = []
    /// What the stores are asked, and for which activity.
    var queries: [StoreCoordinator.Query] = []
    var pending: [Pending] = []

    init(_ activities: [Activity]) {
        self.activities = activities
        outcomes.reserveCapacity(activities.count)
        queries.reserveCapacity(activities.count)
        pending.reserveCapacity(activities.count)
    }
}
