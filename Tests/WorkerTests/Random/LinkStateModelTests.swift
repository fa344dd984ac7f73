import SeededRandom
import Testing

@testable import Worker

/// The life of a connection whatever the broker does.
struct LinkStateModelTests {
    enum Event {
        case wait(Duration)
        case begin
        /// What was begun succeeds or fails; an open connection is lost.
        case succeed, finish, fail, closeOverMessage
        case prove
        case end
    }

    private static func event(_ random: inout SeededGenerator) -> Event {
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4: .wait(.milliseconds(Int.random(in: 0...40_000, using: &random)))
        case 4..<8: .begin
        case 8, 9: .succeed
        case 10: .finish
        case 11, 12: .fail
        case 13: .closeOverMessage
        case 14: .prove
        default: .end
        }
    }

    private struct Play {
        var state = LinkState()
        var now = Moment.now
        var failures = 0
        var closedAt: Moment?

        mutating func play(_ event: Event) -> String? {
            switch (event, state.phase) {
            case (.wait(let duration), _): now += duration
            case (.begin, let before):
                let begins = state.begin(now: now)
                guard begins else { break }
                guard case .closed = before else { return "it was opened twice" }
            case (.succeed, .opening): state.opened()
            case (.finish, .opening):
                state.finished()
                (failures, closedAt) = (0, nil)
            case (.fail, .opening), (.fail, .open):
                state.failed(now: now)
                closedAt = now
                failures += 1
            case (.closeOverMessage, .open):
                state.closedOverMessage(now: now)
                closedAt = now
                failures += 1
                if let due = state.deadline(now: now), due > now + LinkState.waitMaxAfterMessage {
                    return "others wait too long for one message"
                }
            case (.prove, .open):
                state.proved()
                failures = 0
            case (.end, .open):
                state.ended()
                closedAt = nil
            case (.succeed, _), (.finish, _), (.fail, _), (.closeOverMessage, _), (.prove, _), (.end, _): break
            }
            return problem
        }

        private var problem: String? {
            guard case .closed(let until) = state.phase else {
                return state.deadline(now: now) == nil ? nil : "there is a deadline without a need"
            }
            guard let due = state.deadline(now: now) else { return "it is never opened again" }
            guard let closedAt else { return due <= now ? nil : "a first attempt waits" }
            let ceiling = Backoff.ceiling(
                base: LinkState.waits.base, limit: LinkState.waits.limit, failures: max(0, failures - 1))
            let wait = (until ?? closedAt) - closedAt
            return wait >= .zero && wait <= ceiling ? nil : "\(failures) failures, and a wait of \(wait)"
        }
    }

    @Test func `it is opened once at a time, and waits grow with failures until it proves useful`() {
        RandomRun.check(200, event: Self.event) { events in
            var play = Play()
            return events.lazy.compactMap { play.play($0) }.first
        }
    }

    @Test func `it remembers that it was opened and that it was of use`() {
        var state = LinkState()
        let isBegun = state.begin(now: .now)
        #expect(isBegun && !state.wasOpened)
        state.opened()
        #expect(state.wasOpened && !state.wasProved)
        state.proved()
        state.failed(now: .now)
        #expect(state.wasOpened && state.wasProved)
    }
}
