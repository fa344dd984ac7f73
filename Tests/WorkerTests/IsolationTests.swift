import Synchronization
import Testing

@testable import Worker

struct IsolationTests {
    @Test func `the first that asks is the one, until it takes a message that is not suspected`() {
        let isolation = Isolation()
        #expect([2, 0, 2, 1].map { isolation.mayConsume($0) } == [true, false, true, false])
        isolation.observed(isSuspected: true, by: 2)
        isolation.observed(isSuspected: false, by: 0)
        #expect(!isolation.mayConsume(0) && isolation.isHeld(by: 2))
        isolation.observed(isSuspected: false, by: 2)
        #expect([0, 1, 2].allSatisfy { isolation.mayConsume($0) })
    }

    @Test func `a suspected message makes its pipeline the one again, and others' words end nothing`() {
        let isolation = Isolation()
        _ = isolation.mayConsume(0)
        isolation.end(0)
        isolation.observed(isSuspected: true, by: 1)
        isolation.observed(isSuspected: true, by: 2)
        isolation.observed(isSuspected: false, by: 2)
        #expect([0, 1, 2].map { isolation.mayConsume($0) } == [false, true, false])
    }

    @Test func `when the one is gone another takes its place, still alone`() {
        let isolation = Isolation()
        _ = isolation.mayConsume(0)
        isolation.leave(1)
        #expect(!isolation.mayConsume(1))
        isolation.leave(0)
        #expect([1, 0].map { isolation.mayConsume($0) } == [true, false])
    }

    @Test func `all are woken when something changes for them, and not for every message`() {
        let count = Mutex(0)
        let isolation = Isolation { count.withLock { $0 += 1 } }
        _ = isolation.mayConsume(0)
        for _ in 0..<10 { isolation.observed(isSuspected: false, by: 0) }
        for _ in 0..<10 { isolation.observed(isSuspected: true, by: 1) }
        isolation.leave(1)
        #expect(count.withLock { $0 } == 3)
    }
}
