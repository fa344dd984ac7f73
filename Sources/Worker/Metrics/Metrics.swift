public import Synchronization

/// What the worker counts; all pipelines add to it, and any thread may read it.
public final class Metrics: Sendable {
    /// The reasons of commands that are not handled, in a fixed order; the last stands for any other.
    public static let reasons: [String] = [
        "missingIdentifier", "malformedIdentifier", "temporaryIdentifier", "unknownStore", "unknownEntity",
        "objectNotFound", "entityNotRouted", "activityNotRouted", "linkNotClaimed", "linkNotRouted", "missingValue",
        "unknownApp", "malformedMessage", "other",
    ]

    /// Why a connection had to be opened again.
    public enum ReconnectCause: Int, Sendable, CaseIterable {
        /// The socket broke or the peer fell silent.
        case lost
        /// The broker closed the channel.
        case channelClosed
        /// The broker closed the connection.
        case connectionClosed
        /// No connection could be opened.
        case failed
        /// The held requests were given back because a store was unavailable for too long.
        case gaveBack

        /// The label in the exposition.
        public var name: String {
            switch self {
            case .lost: "lost"
            case .channelClosed: "channel_closed"
            case .connectionClosed: "connection_closed"
            case .failed: "failed"
            case .gaveBack: "gave_back"
            }
        }
    }

    /// How a delivery was settled.
    public enum Settlement: Int, Sendable, CaseIterable {
        /// Acknowledged, for its answer is confirmed.
        case answered
        /// Acknowledged, for its dead letter is confirmed.
        case deadLettered
        /// Rejected, so that the broker dead-letters it.
        case rejected

        /// The label in the exposition.
        public var name: String {
            switch self {
            case .answered: "answered"
            case .deadLettered: "dead_lettered"
            case .rejected: "rejected"
            }
        }
    }

    /// The reply codes with which brokers close channels and connections; 0 stands for any other.
    public static let closeCodes: [UInt16] = [0, 311, 320, 403, 404, 405, 406, 501, 503, 504, 530, 540, 541]

    /// Deliveries that came for the first time, and again.
    public let deliveries = Atomic<UInt64>(0)
    /// Deliveries that came again.
    public let redeliveries = Atomic<UInt64>(0)
    /// Confirmed answers that open something.
    public let handled = Atomic<UInt64>(0)
    private let notHandled: InlineArray<14, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let rejected: InlineArray<7, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let reconnected: InlineArray<5, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let settled: InlineArray<3, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let closed: InlineArray<13, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    /// Connections that were given up because the broker was silent for two heartbeats.
    public let heartbeatMisses = Atomic<UInt64>(0)
    /// Publishes that are not confirmed now.
    public let awaitingConfirm = Atomic<Int>(0)
    /// The prefetch of the consumers that there are.
    public let prefetch = Atomic<Int>(0)
    /// The consuming connections that are open.
    public let consuming = Atomic<Int>(0)
    /// The publishing connections that are open.
    public let publishing = Atomic<Int>(0)
    /// The seconds from a request's `timestamp` to its settlement; the property counts whole seconds.
    public let age = Histogram.seconds()
    /// Item operations that were committed and changed something.
    public let itemOperations = Atomic<UInt64>(0)
    /// Item operations that changed nothing, for the catalog has newer.
    public let supersededOperations = Atomic<UInt64>(0)
    /// Deliveries that are not settled.
    public let inFlight = Atomic<Int>(0)
    /// The bytes of the requests that are held.
    public let heldBytes = Atomic<Int>(0)
    /// Confirms for what belongs to an earlier connection or was settled otherwise.
    public let staleConfirms = Atomic<UInt64>(0)
    /// Deliveries that were lost with their connection before their acknowledgement was written.
    public let staleAcks = Atomic<UInt64>(0)
    /// Answers and dead letters that the broker returned.
    public let returned = Atomic<UInt64>(0)
    /// Answers and dead letters that the broker refused.
    public let refused = Atomic<UInt64>(0)
    /// Answers and dead letters that were not confirmed in time.
    public let unconfirmed = Atomic<UInt64>(0)
    /// The publishing connections that are blocked now.
    public let blocked = Atomic<Int>(0)
    /// For how many nanoseconds publishing connections were blocked.
    public let blockedNanoseconds = Atomic<UInt64>(0)
    /// How often a new configuration was taken over.
    public let reloads = Atomic<UInt64>(0)
    /// How often a new configuration was refused because it is wrong.
    public let failedReloads = Atomic<UInt64>(0)
    /// Whether the configuration that was read last is in use: 1, or 0 when it was wrong.
    public let isConfigurationCurrent = Atomic<Int>(1)
    /// How many deliveries were read at once.
    public let batchSizes = Histogram.counts()
    /// The seconds from a delivery to its settlement.
    public let latency = Histogram.seconds()
    /// The seconds from a publish to its confirm.
    public let confirmLatency = Histogram.seconds()
    /// The seconds that the stores took for a batch.
    public let storeTime = Histogram.seconds()
    /// How often a store became unavailable for a pipeline, or was so at its start.
    public let storeOutages = Atomic<UInt64>(0)

    /// Makes counters that stand at zero.
    public init() {}

    /// The place of a reason in `reasons`.
    static func index(ofReason reason: String?) -> Int {
        guard let reason else { return reasons.count - 1 }
        return reasons.firstIndex(of: reason) ?? reasons.count - 1
    }

    /// How many answers of a reason were confirmed.
    public func notHandled(_ index: Int) -> UInt64 { notHandled[index].load(ordering: .relaxed) }
    /// How many deliveries were settled in a way.
    public func settled(_ settlement: Settlement) -> UInt64 { settled[settlement.rawValue].load(ordering: .relaxed) }
    /// How often the broker closed a channel or a connection with a code of `closeCodes`.
    public func closed(_ index: Int) -> UInt64 { closed[index].load(ordering: .relaxed) }
    /// How many requests were dead-lettered for a reason.
    public func deadLetters(_ reason: RejectionReason) -> UInt64 { rejected[reason.index].load(ordering: .relaxed) }
    /// How often connections were opened again for a cause.
    public func reconnects(_ cause: ReconnectCause) -> UInt64 { reconnected[cause.rawValue].load(ordering: .relaxed) }

    /// Notes that the configuration was read again: taken over, or refused.
    public func countReload(succeeded: Bool) {
        if succeeded { reloads.count() } else { failedReloads.count() }
        isConfigurationCurrent.store(succeeded ? 1 : 0, ordering: .relaxed)
    }

    func countSettled(_ settlement: Settlement, _ count: Int = 1) { settled[settlement.rawValue].count(count) }

    func countClose(_ code: UInt16) { closed[Self.closeCodes.firstIndex(of: code) ?? 0].count() }

    /// A time of the sender's that is in the future or years ago is no time to measure from.
    func observeAge(since seconds: UInt64, times: Int = 1) {
        let now = WallClock.seconds
        guard seconds <= now, now - seconds < 366 * 86_400 else { return }
        age.observe(Double(now - seconds), times: times)
    }

    /// Takes a pipeline's gauges over.
    func add(_ gauges: PipelineGauges, insteadOf old: PipelineGauges) {
        inFlight.add(gauges.inFlight - old.inFlight, ordering: .relaxed)
        heldBytes.add(gauges.heldBytes - old.heldBytes, ordering: .relaxed)
        awaitingConfirm.add(gauges.unconfirmed - old.unconfirmed, ordering: .relaxed)
        prefetch.add(gauges.prefetch - old.prefetch, ordering: .relaxed)
        consuming.add(gauges.consuming - old.consuming, ordering: .relaxed)
        publishing.add(gauges.publishing - old.publishing, ordering: .relaxed)
    }

    /// Counts a confirmed answer that is not handled, by the place of its reason.
    func countNotHandled(_ index: Int) { notHandled[index].count() }
    func countDeadLetter(_ reason: RejectionReason) { rejected[reason.index].add(1, ordering: .relaxed) }
    func countReconnect(_ cause: ReconnectCause) { reconnected[cause.rawValue].add(1, ordering: .relaxed) }
}

extension Atomic where Value == UInt64 {
    func count(_ more: Int = 1) { add(UInt64(more), ordering: .relaxed) }
}

/// What one pipeline adds to the gauges.
struct PipelineGauges: Equatable {
    var inFlight = 0
    var heldBytes = 0
    var unconfirmed = 0
    var prefetch = 0
    var consuming = 0
    var publishing = 0
}
