internal import AMQP

/// One of a pipeline's connections, and its way back when it is lost.
struct Link {
    let purpose: Connector.Purpose
    private(set) var state = LinkState()
    private(set) var connection: Connection?
    private var connector: Connector?

    init(_ purpose: Connector.Purpose) { self.purpose = purpose }

    /// When opening is due; nil while there is a connection, or one is being opened.
    func deadline(now: Moment) -> Moment? { state.deadline(now: now) }

    /// Starts opening when it is time.
    mutating func openIfDue(now: Moment, settings: WorkerSettings, wakeUp: WakeUp) {
        guard state.begin(now: now) else { return }
        connector = Connector(purpose, settings: settings, wakeUp: wakeUp)
    }

    /// Takes an outcome over; the caller sees whether it is good.
    mutating func takeOutcome(now: Moment) -> Connector.Outcome? {
        guard let outcome = connector?.take() else { return nil }
        connector = nil
        switch outcome {
        case .opened(let opened):
            connection = opened
            state.opened()
        case .declared: state.finished()
        case .failed: state.failed(now: now)
        }
        return outcome
    }

    /// The connection proved useful: the next loss starts with short waits again.
    mutating func proved() { state.proved() }

    /// Drops the connection; it is opened again after a wait, a short one if it was closed over something that was sent.
    mutating func lose(now: Moment, overMessage: Bool = false) {
        connection = nil
        overMessage ? state.closedOverMessage(now: now) : state.failed(now: now)
    }

    /// Drops the connection for good.
    mutating func end() {
        connection = nil
        state.ended()
    }
}
