import Testing

/// The checker must be able to fail.
struct LedgerTests {
    private func ledger(_ body: (inout Ledger) -> Void) -> Ledger {
        var ledger = Ledger()
        for id in ["a", "b"] {
            ledger.publish(id)
            ledger.confirm(id)
        }
        body(&ledger)
        return ledger
    }

    @Test func `what is answered or dead-lettered is not lost`() {
        let ledger = ledger {
            $0.answer(messageID: "re:a")
            $0.deadLetter(messageID: "b", reason: "malformedMessage")
        }
        #expect(ledger.lost.isEmpty && ledger.unexpected.isEmpty && ledger.repeatCount == 0)
        #expect(ledger.deadLettered == ["b"])
    }

    @Test func `a confirmed request without an end is lost, an unconfirmed one is not`() {
        let ledger = ledger {
            $0.publish("c")
            $0.answer(messageID: "re:a")
        }
        #expect(ledger.lost == ["b"])
    }

    @Test func `answers beyond the first are repeats, and so is a dead letter beside an answer`() {
        let ledger = ledger {
            for _ in 0..<3 { $0.answer(messageID: "re:a") }
            $0.answer(messageID: "re:b")
            $0.deadLetter(messageID: "b", reason: "replyRefused")
        }
        #expect(ledger.repeatCount == 3)
    }

    @Test func `an answer to nothing is unexpected, whatever it is called`() {
        let ledger = ledger {
            $0.answer(messageID: "re:z")
            $0.answer(messageID: "a")
            $0.deadLetter(messageID: "y", reason: "")
        }
        #expect(ledger.unexpected == ["z", "?a", "y"])
    }
}
