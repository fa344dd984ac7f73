import AMQP
import Testing

@testable import DeadLetters

struct LookingPermissionTests {
    private func judge(_ differences: QueueDifference..., version: Int = 4) throws -> LookingPermission {
        try LookingPermission.judge(differences, queue: "q", majorVersion: version)
    }

    private func limit(_ value: QueueDeclaration.Value?) -> QueueDifference {
        QueueDifference("x-delivery-limit", wanted: .number(1_000_000), current: value)
    }

    @Test func `a low limit forbids looking, none does so where the broker has one by default`() throws {
        #expect(try judge(limit(.number(20))) == .limited(20))
        #expect(try judge(limit(.number(0))) == .limited(0))
        #expect(try judge(limit(nil)) == .limited(20))
        #expect(try judge(limit(nil), version: 3) == .harmless)
        #expect(try judge(limit(.number(-1))) == .harmless)
        #expect(try judge(limit(.number(500_000))) == .harmless)
    }

    @Test func `a classic queue counts nothing, a stream is no queue of dead letters`() throws {
        func type(_ name: String?) -> QueueDifference {
            QueueDifference("x-queue-type", wanted: .text("quorum"), current: name.map { .text($0) })
        }
        #expect(try judge(type("classic")) == .harmless)
        #expect(try judge(type(nil)) == .harmless)
        #expect(throws: AMQPError.self) { try judge(type("stream")) }
    }

    @Test func `other differences do not matter, before a limit that does`() throws {
        let length = QueueDifference("x-max-length", wanted: nil, current: .number(10))
        #expect(try judge(length) == .harmless)
        #expect(try judge(length, limit(.number(3))) == .limited(3))
    }
}
