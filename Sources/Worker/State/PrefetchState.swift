/// How much may be taken at once, so that a message which kills the worker takes no innocent ones with it.
///
/// A quorum queue counts deliveries. The worker starts with one message at a time, and takes the full prefetch when a
/// message comes that was not delivered twice before; a message that was brings it back to one at a time. So what
/// crashes the worker reaches its delivery limit alone. Twice, because one earlier delivery is the usual trace of a lost
/// connection or of a neighbour's crash, after which a whole prefetch would be taken singly for nothing: an innocent
/// message is redelivered once with the full prefetch, and then the culprit is alone. A classic queue counts nothing and
/// only marks what it delivers again; there one earlier delivery is enough.
///
/// A message that is held back because its reply or dead-letter queue is in trouble has not killed the worker: while
/// isolating, one more is taken for each that is held.
struct PrefetchState: Equatable {
    /// From how many earlier deliveries on a message of a quorum queue is suspected.
    static let suspectCount: UInt64 = 2

    /// The prefetch when nothing is suspected.
    let full: Int
    /// Whether one message is taken at a time.
    private(set) var isIsolating = true

    init(full: Int) { self.full = full }

    /// How many messages may be unacknowledged, while so many are held back.
    func limit(heldBack: Int) -> Int { isIsolating ? min(full, 1 + heldBack) : full }

    /// A message came that was delivered so often before; `isRedelivered` is the broker's mark, without a number.
    mutating func observed(deliveryCount: UInt64, isRedelivered: Bool) {
        // Without the broker's mark the number is a sender's forgery.
        isIsolating = isRedelivered && (deliveryCount >= Self.suspectCount || deliveryCount == 0)
    }
}
