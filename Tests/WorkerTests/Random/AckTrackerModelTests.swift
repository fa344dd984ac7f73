import SeededRandom
import Testing

@testable import Worker

/// The tracker against the broker's view of a channel.
struct AckTrackerModelTests {
    enum Event {
        case deliver
        /// Settles or rejects one of the outstanding deliveries; mostly one of the oldest, as confirms come.
        case settle(pick: Int, isLate: Bool, rejects: Bool)
        case take(after: Duration, areLast: Bool)
    }

    private static func event(_ random: inout SeededGenerator) -> Event {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: .deliver
        case 4..<8:
            .settle(
                pick: Int.random(in: 0..<1000, using: &random), isLate: Bool.random(using: &random),
                rejects: Int.random(in: 0..<20, using: &random) == 0)
        default:
            .take(
                after: .milliseconds(Int.random(in: 0...700, using: &random)),
                areLast: Int.random(in: 0..<12, using: &random) == 0)
        }
    }

    /// What the broker holds, and since when each settled delivery has waited.
    private struct Play {
        var tracker: AckTracker
        let prefetch: Int
        var now = Moment.now
        var unacknowledged: Set<UInt64> = []
        var outstanding: [UInt64] = []
        var settledAt: [UInt64: Moment] = [:]
        var next: UInt64 = 1

        init(prefetch: Int) {
            self.prefetch = prefetch
            tracker = AckTracker(prefetch: prefetch)
        }

        mutating func play(_ event: Event) -> String? {
            switch event {
            case .deliver:
                guard unacknowledged.count < prefetch else { return nil }
                guard tracker.delivered(next) else { return "delivery \(next) was refused" }
                unacknowledged.insert(next)
                outstanding.append(next)
                next += 1
            case .settle(let pick, let isLate, let rejects):
                guard !outstanding.isEmpty else { return nil }
                let index = isLate ? pick % outstanding.count : min(1, outstanding.count - 1)
                let tag = outstanding.remove(at: index)
                if rejects {
                    tracker.reject(tag)
                    unacknowledged.remove(tag)
                } else {
                    tracker.settle(tag)
                    settledAt[tag] = now
                }
            case .take(let wait, let areLast):
                now += wait
                // The loop wakes for the deadline, so time never jumps over it unseen.
                if let deadline = tracker.deadline, deadline < now {
                    if let problem = take(deadline, false) { return problem }
                }
                if let problem = take(now, areLast) { return problem }
            }
            return countProblem
        }

        private mutating func take(_ moment: Moment, _ areLast: Bool) -> String? {
            var acks: [Acknowledgement] = []
            tracker.take(now: moment, areLast: areLast, into: &acks)
            for ack in acks {
                guard unacknowledged.contains(ack.tag) else { return "\(ack) names what the broker does not hold" }
                let covered = ack.multiple ? unacknowledged.filter { $0 <= ack.tag } : [ack.tag]
                guard covered.allSatisfy({ settledAt[$0] != nil }) else { return "\(ack) covers what is not settled" }
                unacknowledged.subtract(covered)
                for tag in covered { settledAt[tag] = nil }
            }
            if areLast, !settledAt.isEmpty { return "the last ones waited: \(settledAt.keys.sorted())" }
            return settledAt.isEmpty || tracker.deadline != nil ? nil : "nothing will wake what is settled"
        }

        private var countProblem: String? {
            guard tracker.outstandingCount == outstanding.count, tracker.settledCount == settledAt.count,
                tracker.nextTag == next
            else { return "the counts are wrong" }
            let place = next / 2
            guard tracker.unacknowledgedCount(before: place) == unacknowledged.count(where: { $0 < place }) else {
                return "wrong count before \(place)"
            }
            return nil
        }

        /// A second after the last event nothing that is settled is left.
        mutating func end() -> String? {
            for _ in 0..<3 {
                if let problem = take(max(now, tracker.deadline ?? now), false) { return problem }
            }
            return unacknowledged == Set(outstanding) ? nil : "forgotten: \(unacknowledged.subtracting(outstanding))"
        }
    }

    @Test(arguments: [1, 2, 3, 8, 40])
    func `nothing unsettled is acknowledged, and what is settled waits for at most a second`(prefetch: Int) {
        RandomRun.check(400, event: Self.event) { events in
            var play = Play(prefetch: prefetch)
            for event in events {
                if let problem = play.play(event) { return problem }
            }
            return play.end()
        }
    }
}
