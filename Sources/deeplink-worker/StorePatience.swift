import Activities
import Foundation
import Navigation
import PersistentStore

/// Waits for a resolver's answers, for commands that have nothing else to do.
struct StorePatience {
    /// How often a deferred look-up is asked again.
    private static let interval = 0.005

    private let resolver: Resolver

    init(_ resolver: Resolver) {
        self.resolver = resolver
    }

    /// The commands for the activities, in their order; indexes that are being built are waited for.
    ///
    /// With `explaining` there is an explanation for each command.
    func commands(
        for activities: [Activity], explaining: Bool
    ) throws(CommandFailure) -> [(command: NavigationCommand, explanation: Explanation?)] {
        while true {
            var progress = resolver.begin(activities, explaining: explaining)
            while case .pending(_, _, let deadline) = progress {
                Thread.sleep(forTimeInterval: max(0, min(Self.interval, (deadline - .now) / .seconds(1))))
                progress = resolver.resume()
            }
            guard case .finished(let outcomes) = progress else { continue }
            if let commands = try commands(outcomes) {
                let explanations = resolver.explanations
                return commands.enumerated().map { ($1, explaining ? explanations[$0] : nil) }
            }
            Thread.sleep(forTimeInterval: Self.interval)
        }
    }

    /// The commands; nil while one of them waits for an index.
    private func commands(_ outcomes: [Resolver.Outcome]) throws(CommandFailure) -> [NavigationCommand]? {
        var commands: [NavigationCommand] = []
        commands.reserveCapacity(outcomes.count)
        for outcome in outcomes {
            switch outcome {
            case .command(let command): commands.append(command)
            case .deferred: return nil
            case .unavailable(let error): throw CommandFailure(error)
            }
        }
        return commands
    }
}
