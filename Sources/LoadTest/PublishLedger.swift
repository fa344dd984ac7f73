/// Which publishes on a channel are unconfirmed: the request of each, in the order of the tags, which count from 1.
struct PublishLedger {
    private static let settled = -1
    private var requests: [Int] = []
    private var head = 0
    private var base: UInt64 = 1
    private(set) var count = 0

    /// Notes a publish.
    mutating func publish(_ request: Int) {
        requests.append(request)
        count += 1
    }

    /// Takes what the broker confirms or refuses out, and returns the requests.
    mutating func settle(_ tag: UInt64, multiple: Bool, _ body: (Int) -> Void = { _ in }) {
        guard tag >= base, tag - base < UInt64(requests.count) else { return }
        let place = Int(tag - base)
        for place in (multiple ? min(head, place) : place)...place where requests[place] != Self.settled {
            body(requests[place])
            requests[place] = Self.settled
            count -= 1
        }
        while head < requests.count, requests[head] == Self.settled { head += 1 }
        if head >= 4096, head * 2 >= requests.count {
            requests.removeFirst(head)
            base += UInt64(head)
            head = 0
        }
    }

    /// Forgets the channel, and returns the requests that were not confirmed, in their order.
    mutating func reset() -> [Int] {
        let rest = requests[head...].filter { $0 != Self.settled }
        self = PublishLedger()
        return rest
    }
}
