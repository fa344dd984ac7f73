public import AMQP

/// What a worker is told by flags and environment.
public struct WorkerSettings: Sendable {
    /// The brokers, tried in random order.
    public var urls: [AMQPURL]
    /// The input queue.
    public var queue = "deeplink.activities"
    /// The queue for answers to requests that name none.
    public var replyQueue = "deeplink.commands"
    /// The dead-letter queue.
    public var deadQueue = "deeplink.dead"
    /// The queue of item updates.
    public var itemsQueue = "deeplink.items"
    /// Whether the item queue is declared, because a catalog is a store.
    public var declaresItemsQueue = false
    /// The type of the queues that are declared.
    public var queueType = QueueType.quorum
    /// Whether the queues are declared; else they must exist.
    public var declaresQueues = true
    /// How many requests a pipeline may have unacknowledged, 1 to 65,535.
    public var prefetch = 500
    /// How many pipelines share the work, each with a thread and two connections.
    public var pipelines = 1
    /// The largest body that is decoded, in bytes.
    public var bodyByteCountMax = 256 << 10
    /// How many bytes of requests a pipeline holds before it stops reading.
    public var inflightByteCountMax = 32 << 20
    /// How long a drain may take.
    public var drainTimeout: Duration = .seconds(25)
    /// How long requests are held while a store is unavailable.
    public var holdLimit: Duration = .seconds(600)
    /// How long a publish may be unconfirmed before it is sent again.
    public var confirmTimeout: Duration = .seconds(30)
    /// How long a refused answer is sent again before its request is dead-lettered.
    public var refusalLimit: Duration = .seconds(300)
    /// How long the broker may take to begin or end the consumer before the connection is given up.
    public var consumerTimeout: Duration = .seconds(60)

    /// The settings with their defaults.
    public init(urls: [AMQPURL]) { self.urls = urls }

    /// The queues as they are declared.
    public var topology: Topology {
        Topology(
            input: queue, reply: replyQueue, dead: deadQueue, items: declaresItemsQueue ? itemsQueue : nil,
            type: queueType)
    }
}
