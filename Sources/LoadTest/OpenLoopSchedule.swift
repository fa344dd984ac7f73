/// When requests are meant to be sent: at a constant rate, whatever becomes of the earlier ones.
///
/// Latency is measured from the intended time, so that a stall counts for all requests that it held up, not only for
/// those that happened to be sent. The producers take turns.
struct OpenLoopSchedule {
    private let interval: Double
    private let offset: Double

    /// The schedule of one of `producers`; `rate` is that of all together, a second.
    init(rate: Double, producer: Int, of producers: Int) {
        precondition(rate > 0 && producers > 0, "a schedule needs a rate and a producer")
        interval = 1e9 * Double(producers) / rate
        offset = 1e9 * Double(producer) / rate
    }

    /// The nanoseconds from the beginning at which a request is meant to be sent.
    func time(of index: Int) -> Int64 { Int64(offset + Double(index) * interval) }

    /// How many requests are meant to have been sent by a time.
    func count(dueAt time: Int64) -> Int {
        guard Double(time) >= offset else { return 0 }
        return Int((Double(time) - offset) / interval) + 1
    }
}
