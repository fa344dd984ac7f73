import AMQP
import Activities
import Arguments
import DeadLetters

/// `dead purge`: removes dead letters for good.
enum DeadPurgeCommand {
    static let command = Command(
        name: "dead purge", summary: "Removes dead letters for good.",
        options: DeadFlags.options + [
            Option("yes", hasVariable: false, summary: "Removes all of them; needed where no condition is given."),
            DeadFlags.filter, DeadFlags.limit("Removes no more than so many."), DeadFlags.dryRun, Flags.json,
        ],
        discussion: "What does not meet the conditions stays, in its order. \(DeadFlags.conditions)")

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let filter = try arguments.filter()
        let limit = try arguments.limit()
        let isDry = arguments.flag("dry-run")
        guard !filter.isEmpty || isDry || arguments.flag("yes") else {
            throw UsageError("'dead purge' removes all messages for good: say --yes, or which by --where.")
        }
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        return try DeepStack.run { [wish = interruption.wish] in
            if filter.isEmpty, limit == .max, !isDry { return try purgeAll(arguments) }
            let queue = try DeadQueue(arguments)
            guard !isDry else {
                var listing = Listing(queue, asJSON: arguments.flag("json"), wish)
                try listing.run(filter: filter, limit: limit)
                return .ok
            }
            let move = DeadMove(queue: queue, filter: filter, limit: limit, wish: wish)
            return try move.run(to: nil, asJSON: arguments.flag("json"))
        }
    }

    /// The broker removes them itself; nothing is looked at.
    private static func purgeAll(_ arguments: ParsedArguments) throws -> ExitStatus {
        let name = try arguments.queueName("dead-queue")
        let urls = try arguments.brokerURLs()
        let count: Int
        do throws(AMQPError) {
            let connection = try Connection.open(urls, name: "deeplink-worker dead")
            _ = try connection.inspect(queue: name)
            count = try connection.purge(queue: name)
        } catch {
            throw CommandFailure(error)
        }
        var output = Output()
        try output.line(
            arguments.flag("json")
                ? #"{"messages":\#(count),"removed":\#(count)}"#
                : "\(count) of \(count) messages removed")
        try output.flush()
        return .ok
    }
}
