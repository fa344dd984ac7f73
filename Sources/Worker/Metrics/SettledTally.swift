/// What was settled since the last `flush`: it is counted here first, for adding to what other threads read costs more.
struct SettledTally {
    private var answered = 0
    private var handled = 0
    /// When the last ones were sent, in seconds since 1970, and how many in a row were then.
    private var sentAt: UInt64 = 0
    private var sentCount = 0

    /// Counts a request that was settled without being rejected; for an answer that is not handled, its reason's place.
    mutating func settled(isAnswer: Bool, notHandled reason: Int?, in metrics: Metrics) {
        answered += 1
        guard isAnswer else { return }
        if let reason { metrics.countNotHandled(reason) } else { handled += 1 }
    }

    /// Counts a request by when it was sent.
    mutating func aged(since seconds: UInt64, in metrics: Metrics) {
        if seconds != sentAt {
            flushAges(to: metrics)
            sentAt = seconds
        }
        sentCount += 1
    }

    /// Hands over what was counted.
    mutating func flush(to metrics: Metrics) {
        guard answered > 0 || sentCount > 0 else { return }
        metrics.countSettled(.answered, answered)
        metrics.handled.count(handled)
        answered = 0
        handled = 0
        flushAges(to: metrics)
    }

    private mutating func flushAges(to metrics: Metrics) {
        guard sentCount > 0 else { return }
        metrics.observeAge(since: sentAt, times: sentCount)
        sentCount = 0
    }
}
