import Testing

@testable import Worker

struct AckTrackerTests {
    private let start = Moment.now

    private func delivered(_ count: UInt64, prefetch: Int = 100) -> AckTracker {
        var tracker = AckTracker(prefetch: prefetch)
        for tag in 1...count {
            let isNext = tracker.delivered(tag)
            #expect(isNext)
        }
        return tracker
    }

    @Test func `what is settled in order is acknowledged with one multiple`() {
        var tracker = delivered(5)
        for tag in 1...3 as ClosedRange<UInt64> { tracker.settle(tag) }
        var acks: [Acknowledgement] = []
        tracker.take(now: start, into: &acks)
        #expect(acks == [Acknowledgement(tag: 3, multiple: true)])
        #expect(tracker.outstandingCount == 2)
    }

    @Test func `what is unacknowledged is counted, all of it and what came before a delivery`() {
        var tracker = delivered(5)
        tracker.settle(2)
        tracker.reject(3)
        #expect(tracker.unacknowledgedCount == 4)
        #expect(tracker.nextTag == 6)
        #expect((1...6).map { tracker.unacknowledgedCount(before: $0) } == [0, 1, 2, 2, 3, 4])
        var acks: [Acknowledgement] = []
        // The first becomes a straggler, and the second is acknowledged.
        tracker.take(now: start, areLast: true, into: &acks)
        #expect(acks == [Acknowledgement(tag: 2, multiple: false)])
        #expect((1...6).map { tracker.unacknowledgedCount(before: $0) } == [0, 1, 1, 1, 2, 3])
    }

    @Test func `a single one is acknowledged alone`() {
        var tracker = delivered(2)
        tracker.settle(1)
        var acks: [Acknowledgement] = []
        tracker.take(now: start, into: &acks)
        #expect(acks == [Acknowledgement(tag: 1, multiple: false)])
    }

    @Test func `a hole is never crossed, and waited for at most a second`() {
        var tracker = delivered(5)
        for tag in 2...4 as ClosedRange<UInt64> { tracker.settle(tag) }
        var acks: [Acknowledgement] = []
        tracker.take(now: start, into: &acks)
        #expect(acks.isEmpty)
        #expect(tracker.deadline == start + .seconds(1))
        tracker.take(now: start + .seconds(1), into: &acks)
        #expect(acks == [2, 3, 4].map { Acknowledgement(tag: $0, multiple: false) })
        tracker.settle(5)
        tracker.settle(1)
        acks = []
        tracker.take(now: start + .seconds(1), into: &acks)
        #expect(Set(acks.map(\.tag)) == [1, 5])
        #expect(acks.allSatisfy { !$0.multiple })
        #expect(tracker.outstandingCount == 0)
    }

    @Test func `much behind a hole does not wait`() {
        var tracker = delivered(20, prefetch: 20)
        for tag in 2...6 as ClosedRange<UInt64> { tracker.settle(tag) }
        var acks: [Acknowledgement] = []
        tracker.take(now: start, into: &acks)
        #expect(acks.map(\.tag) == [2, 3, 4, 5, 6])
    }

    @Test func `a rejected delivery within the range is no hole and is never named`() {
        var tracker = delivered(3)
        tracker.settle(1)
        tracker.settle(2)
        tracker.reject(3)
        var acks: [Acknowledgement] = []
        tracker.take(now: start, into: &acks)
        #expect(acks == [Acknowledgement(tag: 2, multiple: true)])
    }

    @Test func `the last acknowledgements do not wait behind a hole`() {
        var tracker = delivered(3)
        tracker.settle(3)
        var acks: [Acknowledgement] = []
        tracker.take(now: start, areLast: true, into: &acks)
        #expect(acks == [Acknowledgement(tag: 3, multiple: false)])
    }

    @Test func `a number that is not the next one is refused`() {
        var tracker = delivered(2)
        let isTaken = [4, 2].map { tracker.delivered($0) }
        #expect(isTaken == [false, false])
    }
}
