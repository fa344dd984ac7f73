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

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `every publish is confirmed once, whatever the order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tracker = ConfirmTracker(capacity: 8)
        var model: [UInt64: Int32] = [:]
        var next: UInt64 = 1
        for _ in 0..<500 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                tracker.published(item(Int32(next)))
                model[next] = Int32(next)
                next += 1
            case 4 where next > 1:
                tracker.putOldestAside()
            default:
                let tag = UInt64.random(in: 1...max(1, next - 1), using: &random)
                let multiple = Bool.random(using: &random)
                let expected =
                    multiple ? Set(model.filter { $0.key <= tag }.values) : Set([model[tag]].compactMap(\.self))
                if next > 1 {
                    let got = taken(&tracker, tag, multiple: multiple)
                    #expect(got.count == Set(got).count)
                    #expect(Set(got) == expected)
                    for slot in got { model[UInt64(slot)] = nil }
                }
            }
            #expect(tracker.count == model.count)
        }
        #expect(Set(tracker.reset().map(\.slot)) == Set(model.values))
    }
}
