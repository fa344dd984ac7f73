import SeededRandom
import Testing

@testable import Worker

struct ConsumerStateTests {
    @Test func `another prefetch means cancelling and consuming again`() {
        var consumer = ConsumerState()
        #expect(consumer.step(wanted: 1) == .consume(prefetch: 1))
        #expect(consumer.step(wanted: 500) == nil)
        consumer.receivedConsumeOK()
        #expect(consumer.isRunning)
        #expect(consumer.step(wanted: 500) == .cancel)
        #expect(consumer.step(wanted: 500) == nil)
        consumer.receivedCancelOK()
        #expect(consumer.step(wanted: 500) == .consume(prefetch: 500))
    }

    @Test func `pausing cancels once, and a paused consumer stays away`() {
        var consumer = ConsumerState()
        _ = consumer.step(wanted: 10)
        consumer.receivedConsumeOK()
        #expect(consumer.step(wanted: nil) == .cancel)
        consumer.receivedCancelOK()
        #expect(consumer.phase == .stopped)
        #expect(consumer.step(wanted: nil) == nil)
    }

    @Test func `the broker's own cancel while ours is under way ends the same`() {
        var consumer = ConsumerState()
        _ = consumer.step(wanted: 10)
        consumer.receivedConsumeOK()
        _ = consumer.step(wanted: nil)
        consumer.lost()
        consumer.receivedCancelOK()
        #expect(consumer.phase == .stopped)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `from any state the consumer gets to where it should be`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var consumer = ConsumerState()
        for _ in 0..<50 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: _ = consumer.step(wanted: [nil, 1, 500].randomElement(using: &random) ?? nil)
            case 1: consumer.receivedConsumeOK()
            case 2: consumer.receivedCancelOK()
            default: consumer.lost()
            }
        }
        // The broker answers everything from here on.
        for _ in 0..<4 {
            _ = consumer.step(wanted: 7)
            consumer.receivedConsumeOK()
            consumer.receivedCancelOK()
        }
        #expect(consumer.phase == .running(prefetch: 7))
    }
}

struct PrefetchStateTests {
    @Test func `it begins with one at a time and opens with the first message that is not suspected`() {
        var state = PrefetchState(full: 500)
        #expect(state.limit(heldBack: 0) == 1)
        state.observed(deliveryCount: 2, isRedelivered: true)
        #expect(state.isIsolating)
        state.observed(deliveryCount: 19, isRedelivered: true)
        #expect(state.isIsolating)
        state.observed(deliveryCount: 1, isRedelivered: true)
        #expect(state.limit(heldBack: 0) == 500)
        state.observed(deliveryCount: 2, isRedelivered: true)
        #expect(state.isIsolating)
        state.observed(deliveryCount: 0, isRedelivered: false)
        #expect(state.limit(heldBack: 3) == 500)
    }

    @Test func `a count on a message that is not marked as redelivered is a forgery`() {
        var state = PrefetchState(full: 500)
        state.observed(deliveryCount: 7, isRedelivered: false)
        #expect(!state.isIsolating)
    }

    @Test func `a queue that does not count suspects what it marks as redelivered`() {
        var state = PrefetchState(full: 500)
        state.observed(deliveryCount: 0, isRedelivered: true)
        #expect(state.isIsolating)
    }

    @Test func `while isolating one more is taken for each that is held back, within the prefetch`() {
        let state = PrefetchState(full: 3)
        #expect((0...4).map { state.limit(heldBack: $0) } == [1, 2, 3, 3, 3])
    }
}

struct ConsumerRoomTests {
    private func room(_ limit: Int, _ unacknowledged: Int, inherited: Int = 0, isIsolating: Bool = false)
        -> ConsumerRoom
    {
        ConsumerRoom(
            limit: limit, unacknowledged: unacknowledged, inherited: inherited, isIsolating: isIsolating)
    }

    @Test func `a new consumer waits a little for what is unacknowledged, and never asks for more than is left`() {
        #expect(room(500, 0).prefetch(in: .stopped, waited: .zero) == 500)
        #expect(room(500, 1).prefetch(in: .stopped, waited: .zero) == nil)
        #expect(room(500, 1).prefetch(in: .stopped, waited: ConsumerRoom.quickWait) == 499)
        #expect(room(500, 300).prefetch(in: .stopped, waited: ConsumerRoom.quickWait) == nil)
        #expect(room(500, 300).prefetch(in: .stopped, waited: ConsumerRoom.longWait) == 200)
        #expect(room(500, 499).prefetch(in: .stopped, waited: ConsumerRoom.longWait) == nil)
        #expect(room(500, 499).prefetch(in: .stopped, waited: ConsumerRoom.lastWait) == 1)
        #expect(room(500, 500).prefetch(in: .stopped, waited: .seconds(100)) == nil)
    }

    @Test func `a consumer with too much or far too little is replaced`() {
        let one = ConsumerState.Phase.running(prefetch: 1)
        #expect(room(500, 1).prefetch(in: one, waited: .zero) == nil)
        #expect(room(500, 500, inherited: 1).prefetch(in: .running(prefetch: 499), waited: .zero) == 499)
        #expect(room(500, 400).prefetch(in: .running(prefetch: 375), waited: .zero) == 375)
        #expect(room(500, 374).prefetch(in: .running(prefetch: 374), waited: .zero) == nil)
        #expect(room(1, 1, isIsolating: true).prefetch(in: .running(prefetch: 500), waited: .zero) == nil)
    }

    @Test func `isolated, the next one is asked for when all others are held back`() {
        let one = ConsumerState.Phase.running(prefetch: 1)
        #expect(room(1, 1, isIsolating: true).prefetch(in: one, waited: .zero) == 1)
        #expect(room(2, 1, isIsolating: true).prefetch(in: one, waited: .zero) == nil)
        #expect(room(2, 1, isIsolating: true).prefetch(in: .stopped, waited: .zero) == 1)
        #expect(room(2, 2, inherited: 1, isIsolating: true).prefetch(in: one, waited: .zero) == 1)
        #expect(room(2, 2, isIsolating: true).prefetch(in: .stopped, waited: .seconds(100)) == nil)
    }
}

struct BackoffTests {
    @Test func `waits grow, never beyond the limit, and are spread over the whole range`() {
        var random = SeededGenerator(seed: 1)
        var shares: [Double] = []
        for _ in 0..<200 {
            var backoff = Backoff(base: .milliseconds(100), limit: .seconds(5))
            for failures in 0..<50 {
                let wait = backoff.next(using: &random)
                let ceiling = Backoff.ceiling(base: .milliseconds(100), limit: .seconds(5), failures: failures)
                #expect(wait >= .zero && wait <= ceiling && ceiling <= .seconds(5))
                shares.append(wait / ceiling)
            }
        }
        let mean = shares.reduce(0, +) / Double(shares.count)
        #expect((0.48...0.52).contains(mean))
    }

    @Test func `a success begins anew`() {
        var backoff = Backoff(base: .milliseconds(100), limit: .seconds(5))
        for _ in 0..<10 { _ = backoff.next() }
        backoff.reset()
        #expect(backoff.next() <= .milliseconds(100))
    }
}

struct DrainStateTests {
    private let start = Moment.now

    @Test func `an idle drain acknowledges, gives the queue time, closes and ends clean`() {
        var drain = DrainState(timeout: .seconds(25))
        #expect(drain.step(now: start, isIdle: true, isFlushed: true, isClosed: false) == nil)
        drain.stop(now: start)
        #expect(drain.step(now: start, isIdle: false, isFlushed: true, isClosed: false) == nil)
        #expect(drain.step(now: start, isIdle: true, isFlushed: true, isClosed: false) == .acknowledge)
        #expect(drain.step(now: start, isIdle: true, isFlushed: true, isClosed: false) == nil)
        let later = start + DrainState.settleTime
        #expect(drain.step(now: later, isIdle: true, isFlushed: true, isClosed: false) == .close)
        #expect(drain.step(now: later, isIdle: true, isFlushed: true, isClosed: false) == nil)
        #expect(drain.step(now: later, isIdle: true, isFlushed: true, isClosed: true) == .end)
        #expect(drain.isClean)
    }

    @Test func `a drain whose time is up is not clean, and ends even when the broker does not answer`() {
        var drain = DrainState(timeout: .seconds(1))
        drain.stop(now: start)
        var now = start + .seconds(1)
        #expect(drain.step(now: now, isIdle: false, isFlushed: false, isClosed: false) == .acknowledge)
        now += .seconds(5)
        #expect(drain.step(now: now, isIdle: false, isFlushed: false, isClosed: false) == .close)
        now += DrainState.closeTime
        #expect(drain.step(now: now, isIdle: false, isFlushed: false, isClosed: false) == .end)
        #expect(!drain.isClean)
    }

    @Test(arguments: [Duration.zero, .milliseconds(100), .seconds(3), .seconds(25)])
    func `a drain of which nothing gets done ends within its time`(timeout: Duration) {
        var drain = DrainState(timeout: timeout)
        drain.stop(now: start)
        var now = start
        for _ in 0..<10 where drain.phase != .ended {
            if let deadline = drain.deadline { now = max(now, deadline) }
            _ = drain.step(now: now, isIdle: false, isFlushed: true, isClosed: false)
        }
        #expect(drain.phase == .ended)
        #expect(now - start <= timeout)
        #expect(!drain.isClean)
    }

    @Test func `deliveries that are lost while draining make it unclean, before they do not`() {
        var drain = DrainState(timeout: .seconds(1))
        drain.lostDeliveries()
        #expect(drain.isClean)
        drain.stop(now: start)
        drain.lostDeliveries()
        #expect(!drain.isClean)
    }

    @Test func `without a connection the end comes at once`() {
        var drain = DrainState(timeout: .seconds(25))
        drain.stop(now: start)
        var actions: [DrainState.Action] = []
        while let action = drain.step(now: start, isIdle: true, isFlushed: true, isClosed: true) {
            actions.append(action)
        }
        #expect(actions == [.acknowledge, .close, .end])
    }
}

struct StoreOutageTests {
    private let start = Moment.now

    @Test func `it probes with back-off and is over when the store answers`() throws {
        var outage = StoreOutage(holdLimit: .seconds(600))
        #expect(!outage.isActive)
        outage.storeUnavailable(now: start)
        #expect(outage.isActive)
        for _ in 0..<20 {
            let due = try #require(outage.nextProbe)
            #expect(outage.step(now: due) == .probe)
            #expect(outage.step(now: due) == nil)
            outage.storeUnavailable(now: due)
        }
        outage.storeAnswered()
        #expect(!outage.isActive)
        #expect(outage.deadline == nil)
    }

    @Test func `it gives back once, at the limit, and probes on`() throws {
        var outage = StoreOutage(holdLimit: .seconds(10))
        outage.storeUnavailable(now: start)
        var giveBacks = 0
        var now = start
        for _ in 0..<200 {
            now = try max(now, #require(outage.deadline))
            switch outage.step(now: now) {
            case .giveBack: giveBacks += 1
            case .probe: outage.storeUnavailable(now: now)
            case nil: break
            }
            now += .milliseconds(100)
        }
        #expect(giveBacks == 1)
        #expect(outage.phase == .givenBack)
    }
}
