import Testing

@testable import LoadTest

struct LedgerTests {
    @Test func `each request has one first answer, further ones are duplicates, others are unknown`() {
        var ledger = AnswerLedger()
        for time in 0..<3 { #expect(ledger.send(intended: Int64(time) * 10) == time) }
        #expect(ledger.answer(1) == .first(intended: 10, isLate: false))
        #expect(ledger.answer(0) == .first(intended: 0, isLate: true))
        #expect(ledger.answer(1) == .duplicate)
        #expect(ledger.answer(3) == .unknown)
        #expect(ledger.answer(-1) == .unknown)
        #expect(ledger.openCount == 1)
        #expect(ledger.open == [2])
        #expect(ledger.answer(2) == .first(intended: 20, isLate: false))
        #expect(ledger.answer(0) == .duplicate)
        #expect(ledger.open.isEmpty)
    }

    @Test func `a long run with holes is counted as a plain set would`() {
        var ledger = AnswerLedger()
        var open: Set<Int> = []
        var state: UInt64 = 1
        var duplicates = 0
        for _ in 0..<60_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            open.insert(ledger.send(intended: 0))
            // Mostly the oldest or near it, as answers come; some again.
            let number = max(0, ledger.sentCount - 1 - Int(state >> 33 % 40))
            switch ledger.answer(number) {
            case .first: #expect(open.remove(number) != nil)
            case .duplicate:
                #expect(!open.contains(number))
                duplicates += 1
            case .unknown: Issue.record("\(number) was sent")
            }
        }
        #expect(duplicates > 1000)
        #expect(Set(ledger.open) == open)
        #expect(ledger.openCount == open.count)
    }

    @Test func `confirms take single publishes and ranges, once, and the rest is left in its order`() {
        var ledger = PublishLedger()
        for request in 100..<110 { ledger.publish(request) }
        var settled: [Int] = []
        ledger.settle(3, multiple: false) { settled.append($0) }
        ledger.settle(5, multiple: true) { settled.append($0) }
        ledger.settle(5, multiple: true) { settled.append($0) }
        ledger.settle(99, multiple: true) { settled.append($0) }
        #expect(settled == [102, 100, 101, 103, 104])
        #expect(ledger.count == 5)
        ledger.settle(8, multiple: false)
        #expect(ledger.reset() == [105, 106, 108, 109])
        #expect(ledger.count == 0)
        // A new channel counts from 1 again.
        ledger.publish(7)
        ledger.settle(1, multiple: false) { settled.append($0) }
        #expect(settled.last == 7)
    }

    @Test func `confirms of a long run leave nothing behind`() {
        var ledger = PublishLedger()
        var tag: UInt64 = 0
        for request in 0..<50_000 {
            ledger.publish(request)
            tag += 1
            if request.isMultiple(of: 100) { ledger.settle(tag, multiple: true) }
        }
        ledger.settle(tag, multiple: true)
        #expect(ledger.count == 0)
        #expect(ledger.reset().isEmpty)
    }

    @Test func `ids are read back, and no other text is taken for one`() {
        let names = RequestNames(run: "run", producer: 2)
        for number in [0, 7, 10, 123_456_789_012] {
            let id = names.id(of: number)
            #expect(names.request(id[...]) == number)
            let answer = Array("re:".utf8) + id
            #expect(names.isAnswer(answer[...], to: id[...]))
            #expect(!names.isAnswer(id[...], to: id[...]))
        }
        #expect(String(decoding: names.id(of: 10), as: UTF8.self) == "run-2-10")
        for text in ["run-2-", "run-2-01", "run-2-1x", "run-3-1", "", "run-2--1", "run-2-99999999999999999999"] {
            #expect(names.request(Array(text.utf8)[...]) == nil, "\(text)")
        }
    }
}
