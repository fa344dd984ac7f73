/// Requests of which one made the broker close the channel: they are published again one at a time.
struct SuspectQueue {
    private var queue = SlotQueue()
    /// The one that is published and not yet confirmed.
    var current: SlotReference?

    /// Whether one may be taken.
    var hasNext: Bool { current == nil && !queue.isEmpty }

    /// Whether anything is suspected; then nothing else is published.
    var isActive: Bool { current != nil || !queue.isEmpty }

    mutating func append(_ reference: SlotReference) { queue.append(reference) }

    /// Takes the next one, when there is none unconfirmed.
    mutating func next() -> SlotReference? {
        guard current == nil else { return nil }
        current = queue.popFirst()
        return current
    }
}
