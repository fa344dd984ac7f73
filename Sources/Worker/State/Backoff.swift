/// How long to wait before the next attempt: full jitter, so that many clients do not come back at once.
///
/// Attempt n waits a random time up to `base` doubled n times, at most `limit`.
struct Backoff: Equatable {
    let base: Duration
    let limit: Duration
    /// How many attempts have failed in a row.
    private(set) var failures = 0

    init(base: Duration, limit: Duration) {
        self.base = base
        self.limit = limit
    }

    /// The wait after one more failure.
    mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let ceiling = Self.ceiling(base: base, limit: limit, failures: failures)
        failures += 1
        return ceiling * Double.random(in: 0...1, using: &random)
    }

    /// The wait after one more failure.
    mutating func next() -> Duration {
        var random = SystemRandomNumberGenerator()
        return next(using: &random)
    }

    /// An attempt succeeded.
    mutating func reset() { failures = 0 }

    /// The longest wait after so many failures.
    static func ceiling(base: Duration, limit: Duration, failures: Int) -> Duration {
        failures >= 30 ? limit : min(limit, base * (1 << failures))
    }
}
