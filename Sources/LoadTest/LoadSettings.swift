public import AMQP

/// What a load test is told.
public struct LoadSettings: Sendable {
    /// Where the answers come.
    public enum ReplyMode: String, Sendable, CaseIterable {
        /// To a durable queue that the broker names, so that a restart of the broker loses no answer.
        case durable
        /// To a queue that goes with its connection: the least work for the broker.
        case exclusive
    }

    /// The brokers, tried in random order.
    public var urls: [AMQPURL]
    /// The queue of requests.
    public var queue = "deeplink.activities"
    /// The bodies of the requests, one after the other, again and again.
    public var activities: [[UInt8]]
    /// How many requests are sent a second, by all producers; nil for as many as are answered.
    public var rate: Double?
    /// After how many requests the sending ends.
    public var count: Int?
    /// After how long the sending ends.
    public var duration: Duration?
    /// How many producers share the work, each with a thread, two connections and a reply queue.
    public var producers = 1
    /// How many requests may be unanswered, in each producer, where there is no rate.
    public var windowMax = 1000
    /// How long to wait for the next answer after the sending has ended.
    public var timeout: Duration = .seconds(30)
    /// Where the answers come.
    public var replyMode = ReplyMode.durable

    /// Makes settings; there must be an activity.
    public init(urls: [AMQPURL], activities: [[UInt8]]) {
        precondition(!activities.isEmpty, "a load test needs an activity")
        self.urls = urls
        self.activities = activities
    }
}
