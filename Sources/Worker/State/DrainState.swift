/// The way from "stop" to the end: finish, acknowledge once, give the queue time, close.
///
/// RabbitMQ's quorum queues may give back what is acknowledged just before the channel closes, so there is a pause.
struct DrainState {
    /// How long the queue gets to take the last acknowledgement.
    static let settleTime: Duration = .milliseconds(150)
    /// How long the broker gets to answer the closing.
    static let closeTime: Duration = .seconds(2)

    /// Where the drain is.
    enum Phase: Equatable {
        /// Nobody asked to stop.
        case running
        /// No more is taken; what was delivered is finished, until then.
        case finishing(deadline: Moment)
        /// The last acknowledgements are on their way.
        case settling(until: Moment)
        /// The connections are being closed.
        case closing(until: Moment)
        /// The end.
        case ended
    }

    /// What to do now.
    enum Action: Equatable {
        case acknowledge
        case close
        case end
    }

    /// What is kept of the time for acknowledging and closing, when the finishing takes all of it; at most a quarter.
    static let reserve: Duration = .milliseconds(500)

    private let timeout: Duration
    /// When everything must be over.
    private var end: Moment?
    private(set) var phase: Phase = .running
    /// Whether everything that was delivered was finished.
    private(set) var isClean = true

    init(timeout: Duration) { self.timeout = timeout }

    /// Whether a stop was asked for.
    var isDraining: Bool { phase != .running }

    /// Somebody asked to stop.
    mutating func stop(now: Moment) {
        guard phase == .running else { return }
        end = now + timeout
        phase = .finishing(deadline: now + timeout - min(Self.reserve, timeout / 4))
    }

    /// Deliveries that were being worked on were lost with their connection: the broker delivers them again.
    mutating func lostDeliveries() {
        if isDraining { isClean = false }
    }

    /// The next step.
    ///
    /// `isIdle`: nothing delivered is unfinished and the consumer is gone. `isFlushed`: all acknowledgements are written.
    /// `isClosed`: the broker has answered the closing, or there is no connection.
    mutating func step(now: Moment, isIdle: Bool, isFlushed: Bool, isClosed: Bool) -> Action? {
        switch phase {
        case .running, .ended: return nil
        case .finishing(let deadline):
            guard isIdle || now >= deadline else { return nil }
            if !isIdle { isClean = false }
            phase = .settling(until: isClosed ? now : atMost(now + Self.settleTime))
            return .acknowledge
        case .settling(let until):
            guard now >= until, isFlushed || now >= atMost(until + Self.closeTime) else { return nil }
            phase = .closing(until: atMost(now + Self.closeTime))
            return .close
        case .closing(let until):
            guard isClosed || now >= until else { return nil }
            phase = .ended
            return .end
        }
    }

    private func atMost(_ moment: Moment) -> Moment { end.map { min($0, moment) } ?? moment }

    /// When `step` has something to do.
    var deadline: Moment? {
        switch phase {
        case .running, .ended: nil
        case .finishing(let deadline): deadline
        case .settling(let until), .closing(let until): until
        }
    }
}
