import AMQP
import Arguments
import DeadLetters

/// `dead replay`: puts dead letters back on a queue.
enum DeadReplayCommand {
    static let command = Command(
        name: "dead replay", summary: "Puts dead letters back on the queue of activities, in their order.",
        options: DeadFlags.options + [
            Flags.queue,
            Option(
                "to", .one("QUEUE"), hasVariable: false, summary: "Another queue than the queue of activities."),
            DeadFlags.filter, DeadFlags.limit("Replays no more than so many."), DeadFlags.dryRun, Flags.json,
        ],
        discussion: """
            A message is removed only after the broker has confirmed its copy, which has the same body and properties but
            none of the headers that say why it was dead. Only messages that were there at the beginning are replayed, so
            that one that fails again waits for the next time. The first one that the broker does not take ends it, with
            status 69; what was not replayed stays, in its order. \(DeadFlags.conditions)
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let filter = try arguments.filter()
        let limit = try arguments.limit()
        let target = try arguments.queueName(arguments.text("to") == nil ? "queue" : "to")
        guard target != arguments.text("dead-queue") else {
            throw UsageError("The queue '\(target.escapedForTerminal)' is the queue of dead letters itself.")
        }
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        return try DeepStack.run { [wish = interruption.wish] in
            let queue = try DeadQueue(arguments)
            guard !arguments.flag("dry-run") else {
                var listing = Listing(queue, asJSON: arguments.flag("json"), wish)
                try listing.run(filter: filter, limit: limit)
                return .ok
            }
            let move = DeadMove(queue: queue, filter: filter, limit: limit, wish: wish)
            return try move.run(to: target, asJSON: arguments.flag("json"))
        }
    }
}
