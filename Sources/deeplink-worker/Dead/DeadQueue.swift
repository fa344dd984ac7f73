import AMQP
import Arguments
import DeadLetters
import Synchronization
import Worker

/// The dead-letter queue that a command was given, with a connection for questions about it.
struct DeadQueue {
    let name: String
    let urls: [AMQPURL]
    let control: Connection

    /// Connects, and refuses to look where looking could make the queue drop a message.
    init(_ arguments: ParsedArguments) throws {
        name = try arguments.queueName("dead-queue")
        urls = try arguments.brokerURLs()
        let name = name
        let permission: LookingPermission
        do throws(AMQPError) {
            control = try Connection.open(urls, name: "deeplink-worker dead")
            permission = try LookingPermission.ask(control, queue: name)
        } catch {
            throw CommandFailure(error)
        }
        guard !arguments.flag("allow-counting") else { return }
        switch permission {
        case .harmless: return
        case .limited(let limit):
            throw CommandFailure(
                .configuration,
                "The queue \(name) drops a message after \(limit) deliveries (x-delivery-limit), and every look counts as "
                    + "one. Give the queue the worker's arguments ('deeplink-worker topology verify' says how), or look "
                    + "all the same with --allow-counting.")
        case .unknown:
            throw CommandFailure(
                .noPermission,
                "Whether the queue \(name) drops messages that were looked at is not known, for the user may not "
                    + "configure it. Use a user who may, or look all the same with --allow-counting.")
        }
    }

    /// Begins to read.
    func reader() throws(CommandFailure) -> QueueReader {
        try asking { () throws(AMQPError) in try QueueReader(urls, queue: name, control: control) }
    }

    /// Runs what asks the broker, and sorts its errors.
    func asking<Result>(_ body: () throws(AMQPError) -> Result) throws(CommandFailure) -> Result {
        do throws(AMQPError) { return try body() } catch { throw CommandFailure(error) }
    }

    /// The reasons that the worker and the broker give.
    static let reasons =
        RejectionReason.allCases.map(\.rawValue) + ["rejected", "expired", "maxlen", "delivery_limit"]

    /// Says which reason may have been meant when a condition's reason is one that nobody gives.
    static func hint(_ filter: DeadLetterFilter) {
        for (given, nearest) in filter.misspeltReasons(among: reasons) {
            Output.message("There is no reason '\(given)'. Did you mean '\(nearest)'?")
        }
    }
}
