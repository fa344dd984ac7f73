public import Activities

/// Resolves the activities of one app or of several, each by its own app's rules and stores.
///
/// One resolver belongs to one thread. With one app it is that app's `Resolver` and costs nothing more.
public final class AppResolver {
    /// The configurations.
    public let configurations: ConfigurationSet
    /// How the answers of the last batch came about, one for each activity; empty unless it was asked for.
    public private(set) var explanations: [Explanation] = []

    /// One for each configuration.
    private let resolvers: [Resolver]
    private var batch: AppBatch?

    /// Takes a resolver for each of the configurations.
    public init(_ configurations: ConfigurationSet, resolvers: [Resolver]) {
        precondition(resolvers.count == configurations.configurations.count, "a resolver for each configuration")
        self.configurations = configurations
        self.resolvers = resolvers
    }

    /// Whether requests choose among apps, so that activities shall carry their request's `app_id`.
    public var choosesApps: Bool { !configurations.apps.isEmpty }

    /// Starts a batch; with `explaining`, `explanations` says afterwards how the answers came about.
    public func begin(_ activities: [Activity], explaining: Bool = false) -> Resolver.Progress {
        guard choosesApps else { return finished(resolvers[0].begin(activities, explaining: explaining)) }
        precondition(batch == nil, "a resolver works on one batch at a time")
        return advance(AppBatch(activities, configurations, explaining: explaining), resuming: false)
    }

    /// Goes on with a batch that was `.pending`.
    public func resume() -> Resolver.Progress {
        guard choosesApps else { return finished(resolvers[0].resume()) }
        guard let batch else { preconditionFailure("there is no batch to resume") }
        self.batch = nil
        return advance(batch, resuming: true)
    }

    /// The only app's answers are the answers.
    private func finished(_ progress: Resolver.Progress) -> Resolver.Progress {
        explanations = resolvers[0].explanations
        return progress
    }

    /// Resolves the apps' shares of the batch, one after the other.
    private func advance(_ batch: consuming AppBatch, resuming: Bool) -> Resolver.Progress {
        var isResuming = resuming
        while let share = batch.shares.first {
            let resolver = resolvers[share.index]
            let progress =
                isResuming
                ? resolver.resume()
                : resolver.begin(share.activities, explaining: !batch.explanations.isEmpty)
            isResuming = false
            guard case .finished(let outcomes) = progress else {
                self.batch = batch
                return progress
            }
            batch.shares.removeFirst()
            batch.take(outcomes, resolver.explanations, of: share)
        }
        explanations = batch.explanations
        return .finished(Outcomes(batch.outcomes))
    }
}

/// One batch on its way through the apps.
private struct AppBatch {
    /// The activities of one app, with their places in the batch.
    struct Share {
        let index: Int
        var activities: [Activity] = []
        var places: [Int] = []
    }

    /// What is still to be resolved.
    var shares: [Share] = []
    var outcomes: [Outcomes.Origin] = []
    /// One for each activity, or none.
    var explanations: [Explanation] = []

    init(_ activities: [Activity], _ set: ConfigurationSet, explaining: Bool) {
        outcomes.reserveCapacity(activities.count)
        for (place, activity) in activities.enumerated() {
            let index = set.index(requestAppID: activity.requestAppID, appID: activity.appID)
            if explaining { explanations.append(Explanation(app: activity, index: index, set)) }
            guard let index else {
                outcomes.append(.outcome(.command(Route.unknownApp(activity))))
                continue
            }
            outcomes.append(.outcome(.deferred))
            let share = shares.firstIndex { $0.index == index } ?? shares.count
            if share == shares.count { shares.append(Share(index: index)) }
            shares[share].activities.append(activity)
            shares[share].places.append(place)
        }
    }

    mutating func take(_ outcomes: Outcomes, _ explanations: [Explanation], of share: Share) {
        for (position, place) in share.places.enumerated() {
            self.outcomes[place] = outcomes.origin(position)
            guard position < explanations.count else { continue }
            let app = self.explanations[place].app
            self.explanations[place] = explanations[position]
            self.explanations[place].app = app
        }
    }
}

extension Explanation {
    /// What can be said before the app's own rules are looked at.
    fileprivate init(app activity: Activity, index: Int?, _ set: ConfigurationSet) {
        self.init()
        kind = activity.classification == .userActivity ? .userActivity : .searchResult
        app = index.map { set.name(of: $0, requestAppID: activity.requestAppID, appID: activity.appID) }
    }
}

extension Route {
    /// The answer to an activity for which no app is chosen.
    fileprivate static func unknownApp(_ activity: Activity) -> NavigationCommand {
        let kind: NavigationCommand.Kind =
            activity.classification == .userActivity ? .userActivity : .searchResult
        return Route(kind: kind).notHandled(
            activity, .unknownApp, Message.unknownApp(activity.requestAppID, activity.appID))
    }
}
