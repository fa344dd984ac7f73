internal import AMQP

/// One of a pipeline's two connections, and its way back when it is lost.
struct Link {
    let purpose: Connector.Purpose
    var connection: Connection?
    private var connector: Connector?
    private var retryAt: Moment?
    private var backoff = Backoff(base: .milliseconds(200), limit: .seconds(30))
    /// Whether the broker has answered the closing.
    var isClosed = false
    /// Whether a connection was ever opened.
    private(set) var wasOpened = false
    /// Whether a connection was ever of use.
    private(set) var wasProved = false

    init(_ purpose: Connector.Purpose) { self.purpose = purpose }

    /// When opening is due; nil while there is a connection, or one is being opened.
    func deadline(now: Moment) -> Moment? { connection == nil && connector == nil ? retryAt ?? now : nil }

    /// Starts opening when it is time.
    mutating func openIfDue(now: Moment, settings: WorkerSettings, wakeUp: WakeUp) {
        guard connection == nil, connector == nil, retryAt.map({ $0 <= now }) ?? true else { return }
        connector = Connector(purpose, settings: settings, wakeUp: wakeUp)
    }

    /// Takes an outcome over; the caller sees whether it is good.
    mutating func takeOutcome(now: Moment) -> Connector.Outcome? {
        guard let outcome = connector?.take() else { return nil }
        connector = nil
        switch outcome {
        case .opened(let opened):
            connection = opened
            isClosed = false
            wasOpened = true
            retryAt = nil
        case .declared:
            backoff.reset()
            retryAt = nil
        case .failed:
            retryAt = now + backoff.next()
        }
        return outcome
    }

    /// The connection proved useful: the next loss starts with short waits again.
    mutating func proved() {
        wasProved = true
        backoff.reset()
    }

    /// Drops the connection; it is opened again after a wait.
    mutating func lose(now: Moment) {
        connection = nil
        retryAt = now + backoff.next()
    }

    /// Drops the connection for good.
    mutating func end() {
        connection = nil
        isClosed = true
    }
}
