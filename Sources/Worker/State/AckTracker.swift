/// One acknowledgement for the broker.
struct Acknowledgement: Equatable {
    /// The delivery.
    let tag: UInt64
    /// Whether all unacknowledged deliveries before it are meant too.
    let multiple: Bool
}

/// Which deliveries of one channel may be acknowledged, and with how few acknowledgements.
///
/// A delivery is outstanding from when it comes until it is settled (answered and confirmed) and then acknowledged, or
/// rejected. An acknowledgement with `multiple` names the highest settled delivery up to which nothing is outstanding;
/// it never crosses a hole (an outstanding delivery with settled ones behind it), for that would lose the request. When a
/// hole is old, or much waits behind it, it is put aside as a straggler and what is behind is acknowledged singly.
/// Deliveries are numbered from 1 without gaps, and a tracker lives as long as its channel.
struct AckTracker {
    /// How long acknowledgements wait behind a hole.
    static let holePatience: Duration = .seconds(1)

    private enum State {
        static let done: UInt8 = 0
        static let outstanding: UInt8 = 1
        static let settled: UInt8 = 2
    }

    private var ring: [UInt8]
    private let mask: Int
    /// The lowest delivery in the ring.
    private var base: UInt64 = 1
    /// The next delivery to come.
    private var next: UInt64 = 1
    /// Outstanding deliveries that the ring has gone past, in order.
    private var stragglers: [UInt64] = []
    private var settledStragglers: [UInt64] = []
    private var hole: (tag: UInt64, since: Moment)?
    /// How many settled deliveries wait to be acknowledged.
    private(set) var settledCount = 0
    /// How many deliveries are neither settled nor rejected.
    private(set) var outstandingCount = 0
    /// How many deliveries the broker holds for this channel.
    var unacknowledgedCount: Int { outstandingCount + settledCount }
    /// The number that the next delivery will have.
    var nextTag: UInt64 { next }
    /// How many may wait behind a hole before it is put aside.
    private let waitingMax: Int

    /// Makes a tracker for a channel with that many unacknowledged deliveries at most.
    init(prefetch: Int) {
        var size = 64
        while size < prefetch * 4 { size *= 2 }
        ring = Array(repeating: State.done, count: size)
        mask = size - 1
        waitingMax = max(1, prefetch / 4)
    }

    /// How many of the deliveries with a lower number are unacknowledged.
    func unacknowledgedCount(before tag: UInt64) -> Int {
        var count = 0
        for straggler in stragglers where straggler < tag { count += 1 }
        for straggler in settledStragglers where straggler < tag { count += 1 }
        var place = base
        while place < min(tag, next) {
            if ring[Int(truncatingIfNeeded: place) & mask] != State.done { count += 1 }
            place += 1
        }
        return count
    }

    /// A delivery came; false when its number is not the next one, which breaks the protocol.
    mutating func delivered(_ tag: UInt64) -> Bool {
        guard tag == next else { return false }
        if next - base == UInt64(ring.count) { putBaseAside() }
        ring[Int(truncatingIfNeeded: tag) & mask] = State.outstanding
        next += 1
        outstandingCount += 1
        return true
    }

    /// Everything about a delivery is done but its acknowledgement.
    mutating func settle(_ tag: UInt64) {
        outstandingCount -= 1
        settledCount += 1
        guard tag < base else {
            ring[Int(truncatingIfNeeded: tag) & mask] = State.settled
            return
        }
        removeStraggler(tag)
        settledStragglers.append(tag)
    }

    /// A delivery was rejected instead, and must not be named any more.
    mutating func reject(_ tag: UInt64) {
        outstandingCount -= 1
        guard tag < base else {
            ring[Int(truncatingIfNeeded: tag) & mask] = State.done
            return
        }
        removeStraggler(tag)
    }

    /// Appends the acknowledgements that can be sent now; the last ones do not wait behind a hole.
    mutating func take(now: Moment, areLast: Bool = false, into acknowledgements: inout [Acknowledgement]) {
        for tag in settledStragglers { acknowledgements.append(Acknowledgement(tag: tag, multiple: false)) }
        settledCount -= settledStragglers.count
        settledStragglers.removeAll(keepingCapacity: true)
        takePrefix(&acknowledgements)
        guard settledCount > 0 else {
            hole = nil
            return
        }
        // What is left is settled, and behind the hole at the base.
        if hole?.tag != base { hole = (base, now) }
        while settledCount > 0, let hole, areLast || settledCount >= waitingMax || now - hole.since >= Self.holePatience
        {
            putBaseAside()
            takePrefix(&acknowledgements)
            // The next hole has kept the same deliveries waiting.
            self.hole = settledCount > 0 ? (base, hole.since) : nil
        }
    }

    /// When `take` has something to do though nothing is settled meanwhile.
    var deadline: Moment? { hole.map { $0.since + Self.holePatience } }

    /// Acknowledges what is settled from the base up to the first outstanding delivery.
    private mutating func takePrefix(_ acknowledgements: inout [Acknowledgement]) {
        var last: UInt64 = 0
        var count = 0
        scan: while base < next {
            switch ring[Int(truncatingIfNeeded: base) & mask] {
            case State.outstanding: break scan
            case State.settled:
                if !stragglers.isEmpty { acknowledgements.append(Acknowledgement(tag: base, multiple: false)) }
                last = base
                count += 1
                ring[Int(truncatingIfNeeded: base) & mask] = State.done
            default: break
            }
            base += 1
        }
        settledCount -= count
        if count > 0, stragglers.isEmpty {
            acknowledgements.append(Acknowledgement(tag: last, multiple: count > 1))
        }
    }

    /// Moves the window past its first delivery, whatever that is.
    private mutating func putBaseAside() {
        switch ring[Int(truncatingIfNeeded: base) & mask] {
        case State.outstanding: stragglers.append(base)
        case State.settled: settledStragglers.append(base)
        default: break
        }
        ring[Int(truncatingIfNeeded: base) & mask] = State.done
        base += 1
    }

    private mutating func removeStraggler(_ tag: UInt64) {
        if let index = stragglers.firstIndex(of: tag) { stragglers.remove(at: index) }
    }
}
