/// What is done while a store cannot answer: hold, try again with back-off, and give back after the hold limit.
///
/// Giving back (closing the channel) counts one delivery of every held request, so it happens once an outage.
struct StoreOutage {
    /// Where the outage is.
    enum Phase: Equatable {
        /// The stores answer.
        case none
        /// Requests are held since then.
        case holding(since: Moment)
        /// The held requests were given back; a remembered request is the probe.
        case givenBack
    }

    /// What is due.
    enum Action: Equatable {
        case probe
        case giveBack
    }

    private let holdLimit: Duration
    private(set) var phase: Phase = .none
    private var backoff = Backoff(base: .milliseconds(50), limit: .seconds(5))
    private(set) var nextProbe: Moment?

    init(holdLimit: Duration) { self.holdLimit = holdLimit }

    /// Whether consuming must pause.
    var isActive: Bool { phase != .none }

    /// A store could not answer.
    mutating func storeUnavailable(now: Moment) {
        if phase == .none { phase = .holding(since: now) }
        if nextProbe == nil { nextProbe = now + backoff.next() }
    }

    /// The probe was answered: the outage is over.
    mutating func storeAnswered() {
        phase = .none
        nextProbe = nil
        backoff.reset()
    }

    /// When `step` has something to do.
    var deadline: Moment? {
        switch phase {
        case .none: nil
        case .holding(let since): min(since + holdLimit, nextProbe ?? since + holdLimit)
        case .givenBack: nextProbe
        }
    }

    /// What is due now; a probe's result must be told afterwards.
    mutating func step(now: Moment) -> Action? {
        switch phase {
        case .none: return nil
        case .holding(let since) where now >= since + holdLimit:
            phase = .givenBack
            nextProbe = now + backoff.next()
            return .giveBack
        case .holding, .givenBack:
            guard let due = nextProbe, now >= due else { return nil }
            nextProbe = nil
            return .probe
        }
    }
}
