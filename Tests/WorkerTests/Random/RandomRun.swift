import Foundation
import SeededRandom
import Testing

/// Random events against a model: a run that fails is made as short as it can be and told with its seed.
///
/// Events hold random numbers rather than references, so that a run from which some are left out still means something.
enum RandomRun {
    /// How many seeds are tried; DEEPLINK_TEST_SEEDS asks for more.
    static let seeds: Range<UInt64> =
        0..<(ProcessInfo.processInfo.environment["DEEPLINK_TEST_SEEDS"].flatMap(UInt64.init) ?? 200)

    /// Plays `count` events for each seed; `play` says what is wrong, or nil.
    static func check<Event>(
        _ count: Int, sourceLocation: SourceLocation = #_sourceLocation,
        event: (inout SeededGenerator) -> Event, play: ([Event]) -> String?
    ) {
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            let events = (0..<count).map { _ in event(&random) }
            guard play(events) != nil else { continue }
            let short = shortened(events, play)
            Issue.record(
                "seed \(seed), shortened to \(short.count) events: \(play(short) ?? ""); \(short)",
                sourceLocation: sourceLocation)
            return
        }
    }

    /// Leaves out ever smaller parts, as long as the rest still fails.
    static func shortened<Event>(_ events: [Event], _ play: ([Event]) -> String?) -> [Event] {
        var events = events
        var size = events.count / 2
        while size > 0 {
            var start = 0
            while start < events.count {
                var fewer = events
                fewer.removeSubrange(start..<min(start + size, fewer.count))
                if play(fewer) != nil { events = fewer } else { start += size }
            }
            size /= 2
        }
        return events
    }
}

struct RandomRunTests {
    @Test func `a failing run is shortened to what makes it fail`() {
        let short = RandomRun.shortened(Array(1...100)) { $0.contains(17) && $0.contains(83) ? "both" : nil }
        #expect(short == [17, 83])
    }
}
