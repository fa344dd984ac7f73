internal import Synchronization

/// Why a pipeline is not ready; the raw value is a bit.
public enum UnreadyReason: UInt8, Sendable, CaseIterable {
    /// A connection to the broker is missing.
    case notConnected = 1
    /// No deliveries are asked for.
    case notConsuming = 2
    /// A store cannot answer.
    case storeUnavailable = 4
    /// The broker takes no messages.
    case blocked = 8
    /// The worker is stopping.
    case draining = 16

    /// The reason in words.
    public var text: String {
        switch self {
        case .notConnected: "not connected to the broker"
        case .notConsuming: "not consuming"
        case .storeUnavailable: "a store is unavailable"
        case .blocked: "the broker has blocked publishing"
        case .draining: "draining"
        }
    }

    /// The label in the exposition.
    public var name: String {
        switch self {
        case .notConnected: "not_connected"
        case .notConsuming: "not_consuming"
        case .storeUnavailable: "store_unavailable"
        case .blocked: "blocked"
        case .draining: "draining"
        }
    }
}

/// A pipeline's state as other threads see it.
public final class PipelineHealth: Sendable {
    private let reasons = Atomic<UInt8>(UnreadyReason.notConnected.rawValue | UnreadyReason.notConsuming.rawValue)
    /// The milliseconds from `start` to the loop's last turn; it turns at least once a second.
    private let lastTurn = Atomic<Int64>(0)
    private let start = Moment.now
    /// How long a loop may be silent, for example while the machine swaps, before it counts as stuck.
    private static let silenceMax: Duration = .seconds(30)

    /// Makes the state of a pipeline that has not begun.
    public init() {}

    /// Why the pipeline is not ready; empty when it is.
    public var unreadyReasons: [UnreadyReason] {
        let bits = reasons.load(ordering: .relaxed)
        return UnreadyReason.allCases.filter { bits & $0.rawValue != 0 }
    }

    /// Whether the loop turns.
    public var isLive: Bool {
        Moment.now - start - .milliseconds(lastTurn.load(ordering: .relaxed)) < Self.silenceMax
    }

    /// The pipeline has not begun, for a store cannot be opened yet.
    func waitForStore() {
        let missing: [UnreadyReason] = [.notConnected, .notConsuming, .storeUnavailable]
        set(missing.reduce(0) { $0 | $1.rawValue })
    }

    func set(_ bits: UInt8) { reasons.store(bits, ordering: .relaxed) }

    func turned(at now: Moment) {
        lastTurn.store(Int64((now - start) / .milliseconds(1)), ordering: .relaxed)
    }
}
