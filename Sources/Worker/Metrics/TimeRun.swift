/// Observations of how long something took, of which many in a row began together, as the requests of a batch do.
///
/// They are counted first and go to the histogram as one; a pipeline does so with each message, so it matters.
struct TimeRun {
    private var beginning = Moment.now
    private var count = 0

    /// Adds an observation that ends `now`; those before it end then too, so `flush` comes before `now` moves on.
    mutating func add(since moment: Moment, now: Moment, to histogram: borrowing Histogram) {
        if moment != beginning {
            flush(now: now, to: histogram)
            beginning = moment
        }
        count += 1
    }

    /// Hands over what was counted.
    mutating func flush(now: Moment, to histogram: borrowing Histogram) {
        guard count > 0 else { return }
        histogram.observe(now - beginning, times: count)
        count = 0
    }
}
