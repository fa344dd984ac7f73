/// How many deliveries may be unacknowledged, and how many are: what the next consumer may ask for.
///
/// The broker counts a prefetch for each consumer, and a consumer that was cancelled leaves its deliveries
/// unacknowledged. So a new consumer asks for no more than what is left of the limit.
struct ConsumerRoom: Equatable {
    /// How long a change waits for everything to be acknowledged, so that the new consumer gets the whole limit.
    static let quickWait: Duration = .milliseconds(50)
    /// How long it waits for most of it.
    static let longWait: Duration = .seconds(1)
    /// After so long the new consumer takes what there is.
    static let lastWait: Duration = .seconds(5)

    /// How many deliveries may be unacknowledged.
    let limit: Int
    /// How many are.
    let unacknowledged: Int
    /// How many of those came to earlier consumers.
    let inherited: Int
    /// Whether requests are taken one at a time.
    let isIsolating: Bool

    /// The prefetch to consume with; nil to end the consumer that there is, or to wait.
    ///
    /// `waited` is how long there has been no consumer though there should be one.
    func prefetch(in phase: ConsumerState.Phase, waited: Duration) -> Int? {
        switch phase {
        case .starting(let prefetch), .running(let prefetch): isGood(prefetch) ? prefetch : nil
        case .cancelling: nil
        case .stopped: mayBegin(waited) ? limit - unacknowledged : nil
        }
    }

    /// A consumer with too much is replaced, and one with too little when it lacks so much that it matters.
    private func isGood(_ prefetch: Int) -> Bool {
        let lacking = limit - prefetch - inherited
        return isIsolating ? lacking == 0 : lacking >= 0 && lacking * 4 <= limit
    }

    private func mayBegin(_ waited: Duration) -> Bool {
        guard unacknowledged < limit else { return false }
        if isIsolating || unacknowledged == 0 || waited >= Self.lastWait { return true }
        let hasMost = unacknowledged * 4 <= limit
        let hasSome = (limit - unacknowledged) * 4 >= limit
        return waited >= Self.quickWait && hasMost || waited >= Self.longWait && hasSome
    }

    /// When waiting may be over though nothing was acknowledged meanwhile.
    static func deadline(since start: Moment, now: Moment) -> Moment? {
        [quickWait, longWait, lastWait].lazy.map { start + $0 }.first { $0 > now }
    }
}
