import SeededRandom
import Testing

@testable import Worker

/// The tracker against a list of what is unconfirmed.
struct ConfirmTrackerModelTests {
    enum Event {
        case publish
        case putOldestAside
        /// A confirm of a number up to a little more than there are.
        case confirm(pick: Int, multiple: Bool)
        case reset
    }

    private static func event(_ random: inout SeededGenerator) -> Event {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: .reset
        case 1..<20: .publish
        case 20..<24: .putOldestAside
        default: .confirm(pick: .random(in: 0..<1000, using: &random), multiple: .random(using: &random))
        }
    }

    private struct Play {
        var tracker = ConfirmTracker(capacity: 8)
        var model: [UInt64: Int32] = [:]
        var isAside: Set<UInt64> = []
        var next: UInt64 = 1
        var slot: Int32 = 0

        mutating func play(_ event: Event) -> String? {
            switch event {
            case .publish:
                tracker.published(ConfirmTracker.Item(slot: slot, generation: 0, kind: .answer))
                model[next] = slot
                next += 1
                slot += 1
            case .putOldestAside:
                if let oldest { isAside.insert(oldest) }
                tracker.putOldestAside()
            case .confirm(let pick, let multiple):
                let tag = UInt64(pick) % (next + 2)
                var items: [ConfirmTracker.Item] = []
                tracker.take(tag, multiple: multiple, into: &items)
                // A number that was never given out confirms nothing, also with `multiple`.
                let tags = model.keys.filter { tag < next && (multiple ? $0 <= tag : $0 == tag) }
                guard items.map(\.slot).sorted() == tags.compactMap({ model[$0] }).sorted() else {
                    return "confirm \(tag) \(multiple) gave \(items.map(\.slot))"
                }
                for tag in tags { model[tag] = nil }
            case .reset:
                let order = isAside.sorted() + model.keys.filter { !isAside.contains($0) }.sorted()
                guard tracker.reset().map(\.slot) == order.compactMap({ model[$0] }) else { return "the wrong rest" }
                (model, isAside, next) = ([:], [], 1)
            }
            guard tracker.count == model.count else { return "\(tracker.count) counted, not \(model.count)" }
            return tracker.oldest?.slot == oldest.flatMap { model[$0] } ? nil : "the wrong oldest"
        }

        /// The oldest that has not been put aside.
        private var oldest: UInt64? { model.keys.filter { !isAside.contains($0) }.min() }
    }

    @Test func `every publish is confirmed or given back once, whatever the order`() {
        RandomRun.check(500, event: Self.event) { events in
            var play = Play()
            return events.lazy.compactMap { play.play($0) }.first
        }
    }
}
