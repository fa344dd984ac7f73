/// Requests of which one made the broker close the channel: they are published again one at a time.
struct SuspectQueue {
    /// A broker that closes the channel over a message does so at once; after so long the next one is tried.
    static let patience: Duration = .seconds(1)

    private var queue = SlotQueue()
    /// The one that is published and not yet confirmed.
    var current: SlotReference?
    /// When that one was taken.
    private(set) var takenAt: Moment = .now

    /// Whether one may be taken.
    var hasNext: Bool { current == nil && !queue.isEmpty }

    /// Whether anything is suspected; then nothing else is published.
    var isActive: Bool { current != nil || !queue.isEmpty }

    mutating func append(_ reference: SlotReference) { queue.append(reference) }

    /// Takes the next one, when there is none unconfirmed.
    mutating func next(now: Moment) -> SlotReference? {
        guard current == nil else { return nil }
        takenAt = now
        current = queue.popFirst()
        return current
    }
}
