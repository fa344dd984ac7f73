import AMQP
import Arguments
import Worker

/// What the commands about queues share.
enum TopologyArguments {
    static let items = Option(
        "items", hasVariable: false,
        summary: "With the queue of item updates, also without --config.")
    private static let config = Option(
        "config", .one("FILE"), summary: "The configuration; with a catalog in it, the queue of item updates is there.")
    static let options = [config] + Flags.broker + [Flags.queueType, items]

    /// The queues as `run` declares them.
    static func topology(_ arguments: ParsedArguments) throws -> Topology {
        var settings = WorkerSettings(urls: [])
        try settings.takeQueues(arguments)
        settings.declaresItemsQueue = try arguments.flag("items") || hasCatalog(arguments)
        return settings.topology
    }

    private static func hasCatalog(_ arguments: ParsedArguments) throws -> Bool {
        guard let path = arguments.text("config"), !path.isEmpty else { return false }
        return try ConfigurationFile(path).hasCatalog
    }

    /// Runs what asks the broker, and sorts its errors.
    static func asking<Result>(
        _ arguments: ParsedArguments, _ body: (Connection) throws(AMQPError) -> Result
    ) throws -> Result {
        let urls = try arguments.brokerURLs()
        do throws(AMQPError) {
            return try body(try Connection.open(urls, name: "deeplink-worker topology"))
        } catch {
            throw CommandFailure(error)
        }
    }
}
