/// What happened when: counts and latencies of each interval of a run.
///
/// The interval is a second, and doubles when there are too many, so that a run of days takes no more memory.
struct LoadTimeline: Sendable {
    /// One interval.
    struct Interval: Sendable {
        var sent = 0
        var answered = 0
        var latencies = LatencyHistogram(bits: 4)

        mutating func add(_ other: Interval) {
            sent += other.sent
            answered += other.answered
            latencies.add(other.latencies)
        }
    }

    /// More intervals than this are joined in pairs.
    static let countMax = 600
    /// The seconds of an interval.
    private(set) var seconds = 1
    private(set) var intervals: [Interval] = []

    /// The interval of a time in nanoseconds from the beginning, which is made if needed.
    private mutating func place(of time: Int64) -> Int {
        var place = Int(max(0, time) / 1_000_000_000) / seconds
        while place >= Self.countMax {
            join()
            place /= 2
        }
        while intervals.count <= place { intervals.append(Interval()) }
        return place
    }

    mutating func sent(at time: Int64) { intervals[place(of: time)].sent += 1 }

    mutating func answered(at time: Int64, after latency: UInt64) {
        let place = place(of: time)
        intervals[place].answered += 1
        intervals[place].latencies.record(latency)
    }

    /// Adds another producer's.
    mutating func add(_ other: LoadTimeline) {
        var other = other
        while other.seconds < seconds { other.join() }
        while seconds < other.seconds { join() }
        while intervals.count < other.intervals.count { intervals.append(Interval()) }
        for index in other.intervals.indices { intervals[index].add(other.intervals[index]) }
    }

    private mutating func join() {
        var joined: [Interval] = []
        for index in intervals.indices {
            if index.isMultiple(of: 2) {
                joined.append(intervals[index])
            } else {
                joined[index / 2].add(intervals[index])
            }
        }
        intervals = joined
        seconds *= 2
    }
}
