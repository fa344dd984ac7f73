/// The life of one connection: when it is opened, and how long after a loss or a failure it is opened again.
///
/// Waits grow while attempts fail and while what was opened is lost before it was of use; what was of use once begins
/// with short waits again.
struct LinkState: Equatable {
    /// Where the connection is.
    enum Phase: Equatable {
        /// There is none; it may be opened from then on, at once where nil.
        case closed(until: Moment?)
        /// It is being opened.
        case opening
        /// There is one.
        case open
    }

    /// The longest wait before the first attempt after a loss, and before any.
    static let waits: (base: Duration, limit: Duration) = (.milliseconds(200), .seconds(30))

    /// The longest wait when the broker closed the connection over something that was sent.
    static let waitMaxAfterMessage: Duration = .seconds(1)

    private(set) var phase = Phase.closed(until: nil)
    private var backoff = Backoff(base: waits.base, limit: waits.limit)
    /// Whether a connection was ever opened.
    private(set) var wasOpened = false
    /// Whether a connection was ever of use.
    private(set) var wasProved = false

    /// When opening is due; nil while there is a connection, or one is being opened.
    func deadline(now: Moment) -> Moment? {
        if case .closed(let until) = phase { until ?? now } else { nil }
    }

    /// Whether to begin to open now.
    mutating func begin(now: Moment) -> Bool {
        guard let due = deadline(now: now), due <= now else { return false }
        phase = .opening
        return true
    }

    /// What was being opened is open.
    mutating func opened() {
        phase = .open
        wasOpened = true
    }

    /// What was being opened did what it was for, and is not needed any longer.
    mutating func finished() {
        backoff.reset()
        phase = .closed(until: nil)
    }

    /// It could not be opened, or it was lost.
    mutating func failed(now: Moment) { phase = .closed(until: now + backoff.next()) }

    /// The broker closed it over something that was sent: it is reachable, and others must not wait long for one message.
    mutating func closedOverMessage(now: Moment) {
        phase = .closed(until: now + min(Self.waitMaxAfterMessage, backoff.next()))
    }

    /// The connection proved useful.
    mutating func proved() {
        wasProved = true
        backoff.reset()
    }

    /// The connection was closed as it should be.
    mutating func ended() { phase = .closed(until: nil) }
}
