public import Activities
public import Navigation

/// Navigation's resolver as a pipeline uses it.
public final class NavigationResolving: ActivityResolving {
    private let resolver: AppResolver
    private var outcomes: Outcomes?

    /// Takes a resolver over; it belongs to the pipeline's thread from now on.
    public init(_ resolver: AppResolver) { self.resolver = resolver }

    /// Whether activities choose among several apps.
    public var choosesApps: Bool { resolver.choosesApps }

    /// Begins a batch.
    public func begin(_ activities: [Activity]) -> ResolvingProgress { take(resolver.begin(activities)) }

    /// Goes on with a batch that was pending.
    public func resume() -> ResolvingProgress { take(resolver.resume()) }

    /// What became of an activity.
    public func outcome(_ index: Int, writingTo writer: inout JSONWriter) -> ResolvingOutcome {
        guard let outcomes else { preconditionFailure("no batch is finished") }
        switch outcomes.write(index, to: &writer) {
        case .handled: return .command(isHandled: true, reason: nil)
        case .notHandled(let reason): return .command(isHandled: false, reason: reason.rawValue)
        case .deferred: return .deferred
        case .unavailable(let error): return .unavailable(error)
        }
    }

    /// Forgets the outcomes, and so the activities.
    public func end() { outcomes = nil }

    private func take(_ progress: Resolver.Progress) -> ResolvingProgress {
        switch progress {
        case .finished(let outcomes):
            self.outcomes = outcomes
            return .finished
        case .pending(let descriptor, let forWriting, let deadline):
            return .pending(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
        }
    }
}
