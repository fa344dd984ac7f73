import SeededRandom
import Testing

@testable import Worker

/// The table of held requests: slots are used again, and nothing of the last request is left in them.
struct RequestTableModelTests {
    enum Event {
        case allocate
        case change(pick: Int, bits: UInt8)
        case release(pick: Int)
    }

    private static func event(_ random: inout SeededGenerator) -> Event {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: .allocate
        case 2, 3:
            .change(pick: .random(in: 0..<1000, using: &random), bits: .random(in: .min ... .max, using: &random))
        default: .release(pick: .random(in: 0..<1000, using: &random))
        }
    }

    private struct Play {
        var table = RequestTable()
        var held: [(reference: SlotReference, tag: UInt64)] = []
        var stale: [SlotReference] = []
        var mostHeld = 0
        var next: UInt64 = 1
        let now = Moment.now

        mutating func play(_ event: Event) -> String? {
            switch event {
            case .allocate:
                let slot = table.allocate(tag: next, now: now)
                guard !held.contains(where: { $0.reference.slot == slot }) else { return "slot \(slot) is held twice" }
                if let left = Self.leftovers(table[slot], tag: next) { return "slot \(slot) still has \(left)" }
                held.append((table.reference(slot), next))
                mostHeld = max(mostHeld, held.count)
                next += 1
            case .change(let pick, let bits):
                guard !held.isEmpty else { return nil }
                Self.change(&table[held[pick % held.count].reference.slot], bits, now)
            case .release(let pick):
                guard !held.isEmpty else { return nil }
                let gone = held.remove(at: pick % held.count)
                table.release(gone.reference.slot)
                stale.append(gone.reference)
            }
            return problem
        }

        private var problem: String? {
            guard table.capacity == mostHeld else { return "\(table.capacity) slots for \(mostHeld) requests" }
            for (reference, tag) in held {
                guard table.isCurrent(reference.slot, reference.generation), table[reference.slot].tag == tag else {
                    return "the request \(tag) is lost"
                }
            }
            let isFresh = stale.suffix(50).contains { table.isCurrent($0.slot, $0.generation) }
            return isFresh ? "a stale reference counts as current" : nil
        }

        private static func change(_ request: inout HeldRequest, _ bits: UInt8, _ now: Moment) {
            request.stage = [.ready, .waiting, .parked, .resolving, .published][Int(bits) % 5]
            request.needsAnswer = bits & 1 != 0
            request.needsDeadLetter = bits & 2 != 0
            request.isAnswerReturned = bits & 4 != 0
            request.isDeadLetterReturned = bits & 8 != 0
            request.isGivenToBroker = bits & 16 != 0
            request.closesChannel = bits & 32 != 0
            request.isTroubled = bits & 64 != 0
            request.isHeldBack = bits & 128 != 0
            request.isOrphan = bits & 1 != 0
            request.attempts = Int(bits)
            request.reasonIndex = Int(bits)
            request.troubleSince = now
            request.rejection = Rejection(reason: .malformedMessage, detail: "")
        }

        private static func leftovers(_ request: HeldRequest, tag: UInt64) -> String? {
            let flags = [
                request.needsDeadLetter, request.isAnswerReturned, request.isDeadLetterReturned,
                request.isGivenToBroker, request.closesChannel, request.isTroubled, request.isHeldBack,
                request.isOrphan,
            ]
            guard !flags.contains(true), request.needsAnswer, request.stage == .ready, request.tag == tag else {
                return "a flag"
            }
            return request.attempts == 0 && request.reasonIndex == nil && request.troubleSince == nil
                && request.rejection == nil && request.event == nil ? nil : "a value"
        }
    }

    @Test func `no slot is held twice, no reference outlives its request, and nothing is left over`() {
        RandomRun.check(400, event: Self.event) { events in
            var play = Play()
            return events.lazy.compactMap { play.play($0) }.first
        }
    }
}
