import Testing

@testable import AMQP

struct QueueDifferenceTests {
    private let queue = QueueDeclaration(
        name: "q", arguments: [.init("x-delivery-limit", .number(20)), .init("x-queue-type", .text("quorum"))])

    private func read(_ words: String) -> QueueDifference? {
        QueueDifference(
            refusal: "Could not declare the queue q at the broker h:1: 406 PRECONDITION_FAILED - \(words).", of: queue)
    }

    @Test func `values that the broker writes without a type have the type of what was wanted`() {
        #expect(
            read("inequivalent arg 'x-delivery-limit' for queue 'q' in vhost '/': received '20' but current is '5'")
                == QueueDifference("x-delivery-limit", wanted: .number(20), current: .number(5)))
        #expect(
            read(
                "inequivalent arg 'x-queue-type' for queue 'q' in vhost '/': received 'quorum' but current is 'classic'"
            )
                == QueueDifference("x-queue-type", wanted: .text("quorum"), current: .text("classic")))
        #expect(
            read("inequivalent arg 'durable' for queue 'q' in vhost '/': received 'true' but current is 'false'")
                == QueueDifference("durable", wanted: .flag(true), current: .flag(false)))
    }

    @Test func `values with a type, and none, are read`() {
        let begin = "inequivalent arg 'x-max-length' for queue 'q' in vhost '/': received none but current is "
        #expect(
            read(begin + "the value '5000000000' of type 'long'")
                == QueueDifference("x-max-length", wanted: nil, current: .number(5_000_000_000)))
        #expect(
            read(begin + "the value 'it's of type 'x'' of type 'longstr'")
                == QueueDifference("x-max-length", wanted: nil, current: .text("it's of type 'x'")))
        #expect(
            read(begin + "the value 'true' of type 'bool'")
                == QueueDifference("x-max-length", wanted: nil, current: .flag(true)))
        #expect(
            read(
                "inequivalent arg 'x-delivery-limit' for queue 'q' in vhost '/': received the value '20' of type 'signedint' but current is none"
            ) == QueueDifference("x-delivery-limit", wanted: .number(20), current: nil))
    }

    @Test func `a queue whose name imitates the broker's words misleads nobody`() {
        let name = "q' in vhost '/': received '1' but current is '2"
        #expect(
            read(
                "inequivalent arg 'x-delivery-limit' for queue '\(name)' in vhost '/': received '20' but current is '7'"
            )
                == QueueDifference("x-delivery-limit", wanted: .number(20), current: .number(7)))
    }

    @Test(arguments: [
        "invalid arg 'x-delivery-limit' for queue 'q' in vhost '/' of queue type rabbit_classic_queue", "",
        "inequivalent arg 'x-delivery-limit' for queue 'q'",
        "inequivalent arg 'x-delivery-limit' for queue 'q' in vhost '/': received '20' but current is '20x'",
    ])
    func `other words are no difference`(_ words: String) {
        #expect(read(words) == nil)
    }
}
