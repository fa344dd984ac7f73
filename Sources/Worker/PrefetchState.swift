/// How much may be taken at once, so that a message which kills the worker takes no innocent ones with it.
///
/// A quorum queue counts deliveries. The worker starts with one message at a time, and takes the full prefetch when a
/// message comes that was not delivered twice before; a message that was brings it back to one at a time. So what
/// crashes the worker reaches its delivery limit alone.
struct PrefetchState: Equatable {
    /// From how many earlier deliveries on a message is suspected.
    static let suspectCount: UInt64 = 2

    /// The prefetch when nothing is suspected.
    let full: Int
    /// Whether one message is taken at a time.
    private(set) var isIsolating = true

    init(full: Int) { self.full = full }

    /// The prefetch to consume with.
    var prefetch: Int { isIsolating ? 1 : full }

    /// A message came that was delivered so often before.
    mutating func observed(deliveryCount: UInt64) {
        isIsolating = deliveryCount >= Self.suspectCount
    }
}
