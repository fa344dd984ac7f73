import Activities
import CatalogStore
import Foundation
import Navigation
import PersistentStore

/// Waits for a resolver's answers, for commands that have nothing else to do.
struct StorePatience {
    /// How often a deferred look-up is asked again.
    private static let interval = 0.005

    private let resolver: AppResolver

    init(_ resolver: AppResolver) {
        self.resolver = resolver
    }

    /// What became of each activity, in their order: commands alone, for indexes that are being built are waited for.
    ///
    /// With `explaining`, the resolver's `explanations` say afterwards how they came about.
    func resolve(_ activities: [Activity], explaining: Bool) throws(CommandFailure) -> Outcomes {
        while true {
            var progress = resolver.begin(activities, explaining: explaining)
            while case .pending(let descriptor, let forWriting, let deadline) = progress {
                PendingWait.wait(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
                progress = resolver.resume()
            }
            if case .finished(let outcomes) = progress {
                switch outcomes.unanswered {
                case nil, .command: return outcomes
                case .unavailable(let error): throw CommandFailure(error)
                case .deferred: break
                }
            }
            Thread.sleep(forTimeInterval: Self.interval)
        }
    }
}
