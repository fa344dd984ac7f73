/// A point in time that no change of the wall clock moves.
///
/// The library's instants have a size that is only known at run time, so that whatever holds one is slow to get at.
struct Moment: InstantProtocol {
    /// Since the first look at the clock; enough for 292 years.
    private let nanoseconds: Int64

    private static let start = ContinuousClock.now

    /// This moment.
    static var now: Moment { Moment(.now) }

    /// The moment of an instant.
    init(_ instant: ContinuousClock.Instant) {
        nanoseconds = Self.nanoseconds(Self.start.duration(to: instant))
    }

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The library's form.
    var instant: ContinuousClock.Instant { Self.start.advanced(by: .nanoseconds(nanoseconds)) }

    func advanced(by duration: Duration) -> Moment {
        let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(Self.nanoseconds(duration))
        return Moment(nanoseconds: isTooMuch ? Self.limit(isNegative: duration < .zero) : sum)
    }

    func duration(to other: Moment) -> Duration {
        let (difference, isTooMuch) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(isTooMuch ? Self.limit(isNegative: other < self) : difference)
    }

    static func + (moment: Moment, duration: Duration) -> Moment { moment.advanced(by: duration) }
    static func - (moment: Moment, duration: Duration) -> Moment { moment.advanced(by: .zero - duration) }
    static func - (left: Moment, right: Moment) -> Duration { right.duration(to: left) }
    static func += (moment: inout Moment, duration: Duration) { moment = moment + duration }

    static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

    private static func limit(isNegative: Bool) -> Int64 { isNegative ? .min : .max }

    /// A duration in nanoseconds; one that is too long counts as the longest that there is.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooMuch else { return limit(isNegative: seconds < 0) }
        let (sum, isStillTooMuch) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isStillTooMuch ? limit(isNegative: seconds < 0) : sum
    }
}
