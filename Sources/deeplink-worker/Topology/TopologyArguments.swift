import AMQP
import Arguments
import Worker

/// What the commands about queues share.
enum TopologyArguments {
    static let items = Option(
        "items", hasVariable: false,
        summary: "With the queue of item updates, which 'run' declares when a catalog is a store.")
    static let options = Flags.broker + [Flags.queueType, items]

    /// The queues as `run` declares them.
    static func topology(_ arguments: ParsedArguments) throws -> Topology {
        var settings = WorkerSettings(urls: [])
        try settings.takeQueues(arguments)
        settings.declaresItemsQueue = arguments.flag("items")
        return settings.topology
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
