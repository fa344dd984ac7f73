internal import AMQP
internal import Synchronization

/// Opens one connection on a thread of its own, for resolving, connecting and logging in wait for others.
final class Connector: Sendable {
    /// What the connection is for.
    enum Purpose: Sendable {
        /// Deliveries and acknowledgements; the queues are declared or looked for first.
        case consuming
        /// Answers and dead letters, confirmed.
        case publishing
        /// Only to declare the queues again.
        case declaring
    }

    /// How it went.
    enum Outcome {
        case opened(Connection)
        case declared
        case failed(AMQPError)
    }

    // The connection is handed from the connector's thread to the pipeline's, and never used by both.
    private struct Box: @unchecked Sendable {
        let outcome: Outcome
    }

    private let box = Mutex<Box?>(nil)

    /// Starts the thread; `wakeUp` is signalled when there is an outcome.
    init(_ purpose: Purpose, settings: WorkerSettings, wakeUp: WakeUp) {
        do throws(AMQPError) {
            try NativeThread(name: "dl-connect", stackByteCount: 2 << 20) { [self] in
                finish(Self.open(purpose, settings), wakeUp)
            }.detach()
        } catch {
            finish(.failed(error), wakeUp)
        }
    }

    private func finish(_ outcome: Outcome, _ wakeUp: WakeUp) {
        box.withLock { [box = Box(outcome: outcome)] in $0 = box }
        wakeUp.signal()
    }

    /// The outcome, once.
    func take() -> Outcome? {
        box.withLock { box in
            defer { box = nil }
            return box
        }?.outcome
    }

    private static func open(_ purpose: Purpose, _ settings: WorkerSettings) -> Outcome {
        do throws(AMQPError) {
            let connection = try Connection.open(settings.urls, name: "deeplink-worker \(purpose)")
            switch purpose {
            case .consuming:
                try prepareQueues(connection, settings)
            case .publishing:
                try connection.selectConfirms()
            case .declaring:
                try prepareQueues(connection, settings)
                return .declared
            }
            connection.readDirectly()
            return .opened(connection)
        } catch {
            return .failed(error)
        }
    }

    private static func prepareQueues(_ connection: Connection, _ settings: WorkerSettings) throws(AMQPError) {
        for queue in settings.topology.queues {
            if settings.declaresQueues {
                try connection.declare(queue)
            } else {
                _ = try connection.inspect(queue: queue.name)
            }
        }
    }
}
