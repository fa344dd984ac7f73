internal import Synchronization

/// What a producer shows while it works, and whether it shall end; any thread may look.
final class ProducerProgress: Sendable {
    struct State: Sendable {
        var sent = 0
        var answered = 0
        var duplicate = 0
        var unexpected = 0
        var reconnects = 0
        /// Quantiles of all latencies so far, in nanoseconds.
        var p50: UInt64 = 0
        var p99: UInt64 = 0
        var nextUpdate: Int64 = 0
    }

    private static let interval: Int64 = 250_000_000
    private let state = Mutex(State())
    private let hasEnd = Atomic(false)

    var current: State { state.withLock { $0 } }
    var isInterrupted: Bool { hasEnd.load(ordering: .relaxed) }

    func interrupt() { hasEnd.store(true, ordering: .relaxed) }

    /// Takes over how far the producer is, four times a second.
    func update(_ report: borrowing LoadReport, _ answers: borrowing AnswerLedger, at time: Int64) {
        state.withLock { state in
            guard time >= state.nextUpdate else { return }
            state.nextUpdate = time + Self.interval
            state.sent = answers.sentCount
            state.answered = answers.answeredCount
            state.duplicate = report.duplicate
            state.unexpected = report.unexpected
            state.reconnects = report.reconnects
            state.p50 = report.latencies.value(atQuantile: 0.5)
            state.p99 = report.latencies.value(atQuantile: 0.99)
        }
    }
}
