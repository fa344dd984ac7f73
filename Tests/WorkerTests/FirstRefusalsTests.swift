import Testing

@testable import Worker

struct FirstRefusalsTests {
    private var refusals = FirstRefusals()

    @Test mutating func `a connection whose first answers are refused is replaced, some times`() {
        var replacements = 0
        while refusals.refused() {
            replacements += 1
            refusals.opened()
        }
        #expect(replacements == FirstRefusals.replacementsMax)
    }

    @Test mutating func `an answer that was taken makes later refusals the queue's`() {
        refusals.opened()
        refusals.accepted()
        let isReplaced = refusals.refused()
        #expect(!isReplaced)
    }

    @Test mutating func `an answer that was taken begins the count anew`() {
        while refusals.refused() {}
        refusals.accepted()
        refusals.opened()
        let isReplaced = refusals.refused()
        #expect(isReplaced)
    }
}
