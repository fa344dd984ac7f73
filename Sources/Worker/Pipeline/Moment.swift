/// A point in time that no change of the wall clock moves.
typealias Moment = ContinuousClock.Instant
