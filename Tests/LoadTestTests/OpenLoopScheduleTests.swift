import Testing

@testable import LoadTest

struct OpenLoopScheduleTests {
    @Test func `requests are due at a constant rate, the first at once`() {
        let schedule = OpenLoopSchedule(rate: 1000, producer: 0, of: 1)
        #expect(schedule.time(of: 0) == 0)
        #expect(schedule.time(of: 5) == 5_000_000)
        #expect(schedule.count(dueAt: 0) == 1)
        #expect(schedule.count(dueAt: 999_999) == 1)
        #expect(schedule.count(dueAt: 1_000_000) == 2)
        #expect(schedule.count(dueAt: 1_000_000_000 - 1) == 1000)
    }

    @Test func `several producers take turns and send together what one would`() {
        let schedules = (0..<3).map { OpenLoopSchedule(rate: 9000, producer: $0, of: 3) }
        for moment in stride(from: 0, to: 2_000_000_000 as Int64, by: 77_777_777) {
            let single = OpenLoopSchedule(rate: 9000, producer: 0, of: 1).count(dueAt: moment)
            let together = schedules.reduce(0) { $0 + $1.count(dueAt: moment) }
            #expect(abs(single - together) <= 1)
        }
        #expect(schedules.map { $0.time(of: 0) } == [0, 111_111, 222_222])
        #expect(schedules[2].count(dueAt: 222_221) == 0)
    }

    @Test func `a fractional rate is kept over a long time`() {
        let schedule = OpenLoopSchedule(rate: 0.3, producer: 0, of: 1)
        #expect(schedule.count(dueAt: 3_600_000_000_000 - 1) == 1080)
    }
}
