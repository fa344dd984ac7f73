/// What a load test has shown.
public struct LoadReport: Sendable {
    /// The requests that were sent, each once however often it had to be published.
    public internal(set) var sent = 0
    /// The requests that were answered.
    public internal(set) var answered = 0
    /// The answers that open something.
    public internal(set) var handled = 0
    /// Further answers to requests that were answered.
    public internal(set) var duplicate = 0
    /// Messages in the reply queue that answer no request of this test, or answer one under a wrong `message_id`.
    public internal(set) var unexpected = 0
    /// Answers that came after the answer to a later request.
    public internal(set) var outOfOrder = 0
    /// Publishes again of requests that were not confirmed before a connection was lost, or were refused.
    public internal(set) var resent = 0
    /// Answers that the broker delivered again because an acknowledgement was lost.
    public internal(set) var redelivered = 0
    /// How often the broker did not take a request at first.
    public internal(set) var refused = 0
    /// How often a connection was lost and opened again.
    public internal(set) var reconnects = 0
    /// The seconds from the beginning to the last answer.
    public internal(set) var seconds = 0.0
    /// From the time that a request was meant to be sent at to its answer.
    public internal(set) var latencies = LatencyHistogram()
    var timeline = LoadTimeline()
    /// Why the test ended early, in a sentence.
    public internal(set) var problem: String?

    /// The requests without an answer.
    public var lost: Int { sent - answered }
    /// The answers a second.
    public var rate: Double { seconds > 0 ? Double(answered) / seconds : 0 }

    /// A quantile of the latencies in seconds; nil where there was no answer.
    public func latency(_ quantile: Double) -> Double? {
        latencies.count == 0 ? nil : Double(latencies.value(atQuantile: quantile)) / 1e9
    }

    /// Adds another producer's.
    mutating func add(_ other: LoadReport) {
        sent += other.sent
        answered += other.answered
        handled += other.handled
        duplicate += other.duplicate
        unexpected += other.unexpected
        outOfOrder += other.outOfOrder
        resent += other.resent
        redelivered += other.redelivered
        refused += other.refused
        reconnects += other.reconnects
        seconds = max(seconds, other.seconds)
        latencies.add(other.latencies)
        timeline.add(other.timeline)
        problem = problem ?? other.problem
    }
}
