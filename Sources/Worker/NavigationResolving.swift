public import Activities
public import Navigation
internal import PersistentStore

/// Navigation's resolver as a pipeline uses it.
public final class NavigationResolving: ActivityResolving {
    private let resolver: Resolver
    private var outcomes: [Resolver.Outcome] = []

    /// Takes the resolver; both belong to one thread.
    public init(_ resolver: Resolver) {
        self.resolver = resolver
    }

    /// Begins a batch.
    public func begin(_ activities: [Activity]) -> ResolvingProgress { progress(resolver.begin(activities)) }

    /// Goes on after the descriptor became ready or the deadline passed.
    public func resume() -> ResolvingProgress { progress(resolver.resume()) }

    private func progress(_ progress: Resolver.Progress) -> ResolvingProgress {
        switch progress {
        case .finished(let outcomes):
            self.outcomes = outcomes
            return .finished
        case .pending(let descriptor, let forWriting, let deadline):
            return .pending(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
        }
    }

    /// What became of an activity of the finished batch; a command is written as one JSON object.
    public func outcome(_ index: Int, writingTo writer: inout JSONWriter) -> ResolvingOutcome {
        switch outcomes[index] {
        case .command(let command):
            command.write(to: &writer)
            return .command(isHandled: command.isHandled, reason: command.reason?.rawValue)
        case .deferred: return .deferred
        case .unavailable(let error): return .unavailable(error)
        }
    }
}
