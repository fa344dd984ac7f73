import Testing

@testable import Worker

struct ConfirmTrackerTests {
    private func item(_ slot: Int32) -> ConfirmTracker.Item {
        ConfirmTracker.Item(slot: slot, generation: 0, kind: .answer)
    }

    private func taken(_ tracker: inout ConfirmTracker, _ tag: UInt64, multiple: Bool = false) -> [Int32] {
        var items: [ConfirmTracker.Item] = []
        tracker.take(tag, multiple: multiple, into: &items)
        return items.map(\.slot)
    }

    @Test func `a multiple confirm covers all before it, a single one only itself`() {
        var tracker = ConfirmTracker(capacity: 4)
        for slot in 1...6 as ClosedRange<Int32> { tracker.published(item(slot)) }
        #expect(taken(&tracker, 3) == [3])
        #expect(taken(&tracker, 4, multiple: true) == [1, 2, 4])
        #expect(taken(&tracker, 4, multiple: true) == [])
        #expect(tracker.count == 2)
    }

    @Test func `a confirm for what was never published is ignored`() {
        var tracker = ConfirmTracker(capacity: 4)
        tracker.published(item(1))
        #expect(taken(&tracker, 9) == [])
        #expect(taken(&tracker, 9, multiple: true) == [])
        #expect(tracker.count == 1)
    }

    @Test func `what is put aside still counts when its confirm comes`() {
        var tracker = ConfirmTracker(capacity: 4)
        for slot in 1...3 as ClosedRange<Int32> { tracker.published(item(slot)) }
        tracker.putOldestAside()
        #expect(tracker.oldest?.slot == 2)
        #expect(taken(&tracker, 1) == [1])
        #expect(tracker.reset().map(\.slot) == [2, 3])
    }

    @Test func `after a reset the numbers begin again`() {
        var tracker = ConfirmTracker(capacity: 4)
        for slot in 1...3 as ClosedRange<Int32> { tracker.published(item(slot)) }
        tracker.putOldestAside()
        #expect(tracker.reset().map(\.slot) == [1, 2, 3])
        tracker.published(item(7))
        #expect(taken(&tracker, 1) == [7])
    }
}
