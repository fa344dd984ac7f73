public import AMQP

/// Whether messages of a queue may be looked at without bringing one nearer to being dropped.
///
/// To look is to have a message delivered and to give it back, which quorum queues count. With the limit that the worker
/// declares, a million, this does no harm, nor does it in a classic queue. A queue with a lower limit, or on RabbitMQ 4
/// with none of its own (it then has 20), would drop what operators look at.
public enum LookingPermission: Sendable, Hashable {
    /// No look can do harm.
    case harmless
    /// A message is dropped after so many deliveries.
    case limited(Int)
    /// The user may not configure the queue, so the broker does not tell its arguments.
    case unknown

    /// Asks the broker; the connection's channel stays open.
    public static func ask(_ connection: Connection, queue: String) throws(AMQPError) -> LookingPermission {
        let wanted = Topology(input: "", reply: "", dead: queue, items: nil, type: .quorum).queues[0]
        let comparison: QueueComparison
        do throws(AMQPError) { comparison = try connection.compare(wanted) } catch  where error.replyCode == 403 {
            return .unknown
        }
        switch comparison {
        case .equal: return .harmless
        case .missing: throw AMQPError(.missing, "The queue \(queue) does not exist; nothing was dead-lettered yet.")
        case .different(let differences, _):
            return try judge(differences, queue: queue, majorVersion: connection.brokerVersion.major)
        }
    }

    static func judge(
        _ differences: [QueueDifference], queue: String, majorVersion: Int
    ) throws(AMQPError) -> LookingPermission {
        for difference in differences {
            switch (difference.name, difference.current) {
            case ("x-queue-type", .text("stream")?):
                throw AMQPError(.configuration, "The queue \(queue) is a stream, which is no queue of dead letters.")
            case ("x-queue-type", .text("quorum")?): continue
            case ("x-queue-type", _): return .harmless
            case ("exclusive", _):
                throw AMQPError(.mismatch, "The queue \(queue) belongs to another connection (it is exclusive).")
            case ("x-delivery-limit", .number(let limit)?):
                // Nobody looks a hundred thousand times; -1 is no limit.
                return limit < 0 || limit >= 100_000 ? .harmless : .limited(limit)
            case ("x-delivery-limit", _): return majorVersion < 4 ? .harmless : .limited(20)
            default: continue
            }
        }
        return .harmless
    }
}
