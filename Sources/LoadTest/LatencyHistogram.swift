/// How long things took, in nanoseconds, with a bounded relative error whatever the range.
///
/// It follows the HdrHistogram: buckets of equal width within each power of two. A value that is read back is never
/// below the one that was recorded, and at most 1/512 above it.
public struct LatencyHistogram: Sendable {
    /// Half the number of buckets within a power of two is two to this.
    private let bits: Int
    private var counts: [UInt64]
    /// How many values were recorded.
    public private(set) var count: UInt64 = 0
    /// The largest recorded value, exactly.
    public private(set) var max: UInt64 = 0
    /// The sum of the recorded values.
    public private(set) var sum: Double = 0

    /// Makes an empty histogram whose relative error is at most one over two to the `bits`.
    public init(bits: Int = 9) {
        precondition((1...16).contains(bits), "the precision is 1 to 16 bits")
        self.bits = bits
        // The largest value has its top bit at 63.
        counts = Array(repeating: 0, count: (63 - bits) << bits + 2 << bits)
    }

    /// The largest relative error of a value that is read back.
    public var relativeError: Double { 1 / Double(1 << bits) }

    /// Adds a value.
    public mutating func record(_ value: UInt64) {
        counts[index(of: value)] += 1
        count += 1
        sum += Double(value)
        if value > max { max = value }
    }

    /// Adds what another histogram of the same precision has recorded.
    public mutating func add(_ other: LatencyHistogram) {
        precondition(bits == other.bits, "histograms of different precision cannot be added")
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        sum += other.sum
        max = Swift.max(max, other.max)
    }

    /// Forgets everything.
    public mutating func removeAll() {
        for index in counts.indices { counts[index] = 0 }
        count = 0
        max = 0
        sum = 0
    }

    /// The value that a share of all values, from 0 to 1, does not exceed; 0 where nothing was recorded.
    public func value(atQuantile quantile: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        let share = Swift.min(1, Swift.max(0, quantile))
        let wanted = Swift.max(1, UInt64((share * Double(count)).rounded(.up)))
        var seen: UInt64 = 0
        for index in counts.indices where counts[index] > 0 {
            seen += counts[index]
            if seen >= wanted { return Swift.min(max, highest(in: index)) }
        }
        return max
    }

    /// The bucket of a value: the power of two that it is scaled down by, and its first bits.
    private func index(of value: UInt64) -> Int {
        let shift = Swift.max(0, 63 - value.leadingZeroBitCount - bits)
        return shift << bits + Int(value >> UInt64(shift))
    }

    /// The highest value that falls into a bucket.
    private func highest(in index: Int) -> UInt64 {
        let shift = Swift.max(0, index >> bits - 1)
        let part = UInt64(index - shift << bits)
        return (part << UInt64(shift)) | ((1 << UInt64(shift)) - 1)
    }
}
