import Synchronization
import Testing

@testable import Worker

struct MomentTests {
    @Test func `moments and instants lead to one another`() {
        let instant = ContinuousClock.now + .seconds(5)
        let moment = Moment(instant)
        #expect(abs(instant.duration(to: moment.instant) / .nanoseconds(1)) <= 1)
        #expect(Moment.now < moment && moment - Moment.now > .seconds(1))
        #expect(moment + .milliseconds(3) - moment == .milliseconds(3))
        #expect(moment - .nanoseconds(7) < moment)
    }

    @Test func `times that are too far away are as far as can be told`() {
        let moment = Moment.now
        #expect(moment + .seconds(Int64.max) > moment + .seconds(1_000_000_000))
        #expect(moment - .seconds(Int64.max) < moment - .seconds(1_000_000_000))
        #expect((moment + .seconds(Int64.max)) - (moment - .seconds(Int64.max)) > .seconds(1_000_000_000))
    }
}

struct SettledTallyTests {
    @Test func `what was settled is counted once it is handed over`() {
        let metrics = Metrics()
        var tally = SettledTally()
        let now = WallClock.seconds
        for number in 0..<10 {
            tally.settled(isAnswer: number < 8, notHandled: number < 2 ? 3 : nil, in: metrics)
            tally.aged(since: number < 5 ? now : now - 60, in: metrics)
        }
        tally.flush(to: metrics)
        tally.flush(to: metrics)
        #expect(metrics.settled(.answered) == 10)
        #expect(metrics.handled.load(ordering: .relaxed) == 6)
        #expect(metrics.notHandled(3) == 2)
        #expect(metrics.age.count == 10)
        #expect((300...310).contains(metrics.age.sum))
    }
}
