/// Which reply queues do not take their answers, and how much of what a pipeline may hold waits for each.
///
/// One queue may hold at most a quarter of the requests and of the bytes, and all of them together half, so that those
/// who answer are not slowed by those who do not.
struct Troubles {
    private struct Share {
        var requests = 0
        var bytes = 0
    }

    private let requestMax: Int
    private let byteMax: Int
    private var shares: [String: Share] = [:]
    private var total = Share()

    /// Nothing is in trouble; a pipeline holds so many requests and bytes at most.
    init(prefetch: Int, inflightByteCountMax: Int) {
        requestMax = prefetch
        byteMax = inflightByteCountMax
    }

    /// Adds a request to those that wait for a queue; false when there is no room for it.
    mutating func admit(_ queue: String, byteCount: Int) -> Bool {
        var share = shares[queue, default: Share()]
        guard share.requests < requestMax / 4, total.requests < requestMax / 2,
            // The first may be larger than a quarter, for a limit that is small would else refuse it always.
            share.requests == 0 || share.bytes + byteCount <= byteMax / 4, total.bytes + byteCount <= byteMax / 2
        else { return false }
        share.requests += 1
        share.bytes += byteCount
        shares[queue] = share
        total.requests += 1
        total.bytes += byteCount
        return true
    }

    /// Takes a request out again that was admitted.
    mutating func forget(_ queue: String, byteCount: Int) {
        guard var share = shares[queue] else { return }
        share.requests -= 1
        share.bytes -= byteCount
        shares[queue] = share.requests > 0 ? share : nil
        total.requests -= 1
        total.bytes -= byteCount
    }

    /// How many requests wait for a queue.
    func count(_ queue: String) -> Int { shares[queue]?.requests ?? 0 }

    /// How many requests wait for any queue.
    var count: Int { total.requests }
}
