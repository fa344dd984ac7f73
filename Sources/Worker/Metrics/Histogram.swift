internal import Synchronization

/// How many observations fell below each of a row of bounds, and their sum; any thread may read it.
public struct Histogram: ~Copyable, Sendable {
    /// The number of buckets, the last without a bound.
    public static var bucketCount: Int { 18 }

    /// The bounds: observations up to and including each.
    public let bounds: InlineArray<17, Double>
    private let counts: InlineArray<18, Atomic<UInt64>>
    /// The sum in units of the scale.
    private let total = Atomic<UInt64>(0)
    private let scale: Double

    /// A histogram of times in seconds, from 50 µs to 30 s.
    static func seconds() -> Histogram {
        Histogram(
            bounds: [
                0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
                30,
            ], scale: 1e9)
    }

    /// A histogram of numbers of things, from 1 to 65,536 in powers of two.
    static func counts() -> Histogram {
        Histogram(bounds: InlineArray { Double(1 << $0) }, scale: 1)
    }

    private init(bounds: InlineArray<17, Double>, scale: Double) {
        self.bounds = bounds
        self.scale = scale
        counts = InlineArray { _ in Atomic(0) }
    }

    /// Adds `times` equal observations.
    func observe(_ value: Double, times: Int = 1) {
        var bucket = 0
        while bucket < 17, value > bounds[bucket] { bucket += 1 }
        counts[bucket].add(UInt64(times), ordering: .relaxed)
        total.add(UInt64(max(0, value * scale)) &* UInt64(times), ordering: .relaxed)
    }

    /// Adds `times` equal observations of a time.
    func observe(_ duration: Duration, times: Int = 1) {
        observe(duration / .seconds(1), times: times)
    }

    /// How many observations fell into a bucket.
    public func count(inBucket bucket: Int) -> UInt64 { counts[bucket].load(ordering: .relaxed) }

    /// The sum of all observations.
    public var sum: Double { Double(total.load(ordering: .relaxed)) / scale }

    /// How many observations there were.
    public var count: UInt64 {
        var count: UInt64 = 0
        for bucket in 0..<Self.bucketCount { count += self.count(inBucket: bucket) }
        return count
    }
}
