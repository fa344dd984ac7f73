import SeededRandom
import Testing

@testable import Worker

/// A drain whatever happens meanwhile.
struct DrainStateModelTests {
    enum Event {
        case stop
        case lose
        /// Time passes, and then this is how things are.
        case look(after: Duration, isIdle: Bool, isFlushed: Bool, isClosed: Bool)
    }

    private static func event(_ random: inout SeededGenerator) -> Event {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .stop
        case 1: .lose
        default:
            .look(
                after: .milliseconds(Int.random(in: 0...1200, using: &random)), isIdle: .random(using: &random),
                isFlushed: .random(using: &random), isClosed: Int.random(in: 0..<4, using: &random) == 0)
        }
    }

    private struct Play {
        let timeout: Duration
        var drain: DrainState
        var now = Moment.now
        var stoppedAt: Moment?
        var actions: [DrainState.Action] = []
        var mustBeUnclean = false
        var lookedAt: Moment?

        init(timeout: Duration) {
            self.timeout = timeout
            drain = DrainState(timeout: timeout)
        }

        mutating func play(_ event: Event) -> String? {
            switch event {
            case .stop:
                if stoppedAt == nil { stoppedAt = now }
                drain.stop(now: now)
            case .lose:
                if stoppedAt != nil { mustBeUnclean = true }
                drain.lostDeliveries()
            case .look(let wait, let isIdle, let isFlushed, let isClosed):
                let end = now + wait
                // The loop wakes at every deadline on the way.
                while let deadline = drain.deadline, deadline <= end, deadline > now {
                    now = deadline
                    look(isIdle, isFlushed, isClosed)
                }
                now = end
                look(isIdle, isFlushed, isClosed)
            }
            return problem
        }

        private mutating func look(_ isIdle: Bool, _ isFlushed: Bool, _ isClosed: Bool) {
            if stoppedAt != nil { lookedAt = now }
            while let action = drain.step(now: now, isIdle: isIdle, isFlushed: isFlushed, isClosed: isClosed) {
                if action == .acknowledge, !isIdle { mustBeUnclean = true }
                actions.append(action)
            }
        }

        private var problem: String? {
            guard actions == Array([DrainState.Action.acknowledge, .close, .end].prefix(actions.count)) else {
                return "\(actions)"
            }
            guard let stoppedAt else { return actions.isEmpty ? nil : "it began by itself" }
            if mustBeUnclean, drain.isClean { return "what was left is called clean" }
            if !mustBeUnclean, !drain.isClean { return "a clean drain is called unclean" }
            // It goes on when it is asked, which is at every deadline.
            let isOver = lookedAt.map { $0 >= stoppedAt + timeout } ?? false
            return isOver && actions.last != .end ? "it did not end in its time: \(drain.phase)" : nil
        }
    }

    @Test(arguments: [Duration.zero, .milliseconds(700), .seconds(2), .seconds(25)])
    func `it acknowledges, closes and ends once each, in its time, and is clean only when all was done`(
        timeout: Duration
    ) {
        RandomRun.check(60, event: Self.event) { events in
            var play = Play(timeout: timeout)
            return events.lazy.compactMap { play.play($0) }.first
        }
    }
}
