import Testing

@testable import Worker

struct ConfirmPatienceTests {
    private let start = Moment.now
    private let timeout: Duration = .seconds(30)

    @Test func `a publish waits for the time-out, from when it was published`() {
        let patience = ConfirmPatience(timeout: timeout, heartbeat: .zero, now: start)
        #expect(patience.deadline(publishedAt: start + .seconds(5), now: start + .seconds(6)) == start + .seconds(35))
    }

    @Test func `while the broker blocks nothing is overdue, and then the wait begins anew`() {
        var patience = ConfirmPatience(timeout: timeout, heartbeat: .zero, now: start)
        patience.blocked(true, now: start + .seconds(10))
        #expect(patience.deadline(publishedAt: start, now: start + .seconds(100)) == nil)
        patience.blocked(false, now: start + .seconds(100))
        #expect(patience.deadline(publishedAt: start, now: start + .seconds(100)) == start + .seconds(130))
        let later = start + .seconds(110)
        #expect(patience.deadline(publishedAt: later, now: later) == later + timeout)
    }

    @Test func `a broker that is silent for longer than its heartbeats allow has confirmed nothing`() {
        var patience = ConfirmPatience(timeout: timeout, heartbeat: .seconds(30), now: start)
        for second in stride(from: 15, through: 45, by: 15) { patience.heard(now: start + .seconds(second)) }
        let published = start + .seconds(46)
        // Its heartbeat of second 60 does not come.
        #expect(patience.deadline(publishedAt: published, now: start + .seconds(67)) == published + timeout)
        #expect(patience.deadline(publishedAt: published, now: start + .seconds(77)) == nil)
        patience.heard(now: start + .seconds(90))
        #expect(patience.deadline(publishedAt: published, now: start + .seconds(90)) == start + .seconds(120))
    }

    @Test func `without heartbeats silence means nothing`() {
        let patience = ConfirmPatience(timeout: timeout, heartbeat: .zero, now: start)
        #expect(patience.deadline(publishedAt: start, now: start + .seconds(500)) == start + timeout)
    }
}

struct TroublesTests {
    @Test func `a queue holds at most a quarter of the prefetch, and all of them half`() {
        var troubles = Troubles(prefetch: 16, inflightByteCountMax: 1 << 20)
        func admitted(_ queue: String) -> Int { (0..<20).count { _ in troubles.admit(queue, byteCount: 1) } }
        #expect(["a", "b", "c"].map { admitted($0) } == [4, 4, 0])
        #expect(troubles.count("a") == 4 && troubles.count == 8)
        troubles.forget("b", byteCount: 1)
        #expect(["c", "a"].map { admitted($0) } == [1, 0])
    }

    @Test func `a queue holds at most a quarter of the bytes, but for a first request, and all of them half`() {
        var troubles = Troubles(prefetch: 1000, inflightByteCountMax: 1000)
        let sizes = [300, 1, 0, 200, 1]
        let admitted = zip(["a", "a", "b", "c", "d"], sizes).map { troubles.admit($0, byteCount: $1) }
        #expect(admitted == [true, false, true, true, false])
        troubles.forget("a", byteCount: 300)
        let again = [250, 51, 50].map { troubles.admit("e", byteCount: $0) }
        #expect(again == [true, false, false])
    }

    @Test func `what was never admitted is not forgotten`() {
        var troubles = Troubles(prefetch: 8, inflightByteCountMax: 1000)
        troubles.forget("a", byteCount: 5)
        #expect(troubles.count == 0 && troubles.count("a") == 0)
    }
}
