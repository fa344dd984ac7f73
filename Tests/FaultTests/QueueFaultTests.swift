import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// Queues vanish, are full, or are other than the worker wants them.
    struct QueueFaultTests {
        @Test func `08 a deleted input queue is declared again, and consumed again when others declare it`() throws {
            for declares in FaultRun.isFull ? [true, false] : [true] {
                let queues = QueueNames()
                let declaring = try Scene(queues: queues, throughProxy: false)
                try declaring.worker.startReady()
                #expect(try declaring.worker.terminate() == 0)
                let scene = try Scene(
                    queues: queues, throughProxy: false, arguments: declares ? [] : ["--no-declare"])
                try scene.worker.startReady()
                try scene.broker.control("delete_queue", queues.input)
                if !declares {
                    try eventually("the loss to be noticed") { scene.worker.unreadyReasons.contains("not consuming") }
                    hold(.seconds(FaultRun.isFull ? 10 : 1))
                    #expect(scene.worker.isLive)
                    // Another worker declares it.
                    try declaring.worker.startReady()
                    #expect(try declaring.worker.terminate() == 0)
                }
                try eventually("the queue to be consumed; \(scene.worker.log)", within: .seconds(40)) {
                    try scene.broker.control("list_queues", "name", "consumers").contains("\(queues.input)\t1")
                }
                try scene.check(
                    try scene.publish(100), scenario: declares ? "8 declared" : "8 recreated", repeatsMax: 0)
                #expect(try scene.worker.terminate() == 0)
            }
        }

        @Test func `09 a reply queue that is gone makes its request a dead letter, and its neighbours are answered`()
            throws
        {
            let scene = try Scene(throughProxy: false)
            try scene.worker.startReady()
            let gone = "test.\(scene.queues.id).gone"
            let published = try scene.publish(500) { number in
                var request = Request.good(number)
                if number % 10 == 0 { request.replyTo = gone }
                return request
            }
            let expected = Set((0..<500).filter { $0 % 10 == 0 }.map { "m\($0)" })
            let ledger = try scene.check(published, scenario: "9 unknown", repeatsMax: 0, deadLetters: expected)
            #expect(ledger.deadLetterReasons.values.allSatisfy { $0 == ["replyUnroutable"] })
            #expect(try scene.worker.terminate() == 0)
        }

        @Test func `09 the worker's own reply queue is declared again when it is deleted`() throws {
            let scene = try Scene(throughProxy: false)
            try scene.worker.startReady()
            try scene.broker.control("delete_queue", scene.queues.reply)
            let published = try scene.publish(200)
            try eventually("the answers; \(scene.worker.log)") { (try? scene.answerCount()) == 196 }
            try scene.check(published, scenario: "9 reply queue deleted", repeatsMax: 0)
            #expect(try scene.worker.terminate() == 0)
        }

        @Test func `10 an answer that makes the broker close the connection is found among a hundred in flight`() throws {
            let scene = try Scene(throughProxy: false)
            try scene.worker.startReady()
            let forged = "amq.rabbitmq.reply-to.g2dkABByZXBseUA2NDU3NzI4OAAAC5cAAAAAZcyZcg==.garbage"
            let published = try scene.publish(200) { number in
                var request = Request.good(number)
                if number == 100 { request.replyTo = forged }
                return request
            }
            let ledger = try scene.check(
                published, scenario: "10", repeatsMax: 2 * (scene.prefetch + 1), deadLetters: ["m100"])
            #expect(ledger.deadLetterReasons["m100"] == ["replyRefused"])
            #expect(try scene.worker.terminate() == 0)
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `11 a channel that the broker closes over its consumer timeout is opened again`() throws {
            let scene = try Scene(throughProxy: false)
            try scene.broker.evaluate(
                "application:set_env(rabbit, consumer_timeout, 4000), application:set_env(rabbit, channel_tick_interval, 500).")
            defer {
                _ = try? scene.broker.evaluate(
                    "application:set_env(rabbit, consumer_timeout, 1800000), application:set_env(rabbit, channel_tick_interval, 60000)."
                )
            }
            try scene.worker.startReady()
            // A full queue holds one request back, while others keep the channel busy.
            let full = "test.\(scene.queues.id).full"
            let peer = try Peer()
            try peer.connection.declare(
                QueueDeclaration(
                    name: full,
                    arguments: [.init("x-max-length", .number(1)), .init("x-overflow", .text("reject-publish"))]))
            for _ in 0..<2 { try peer.publish("blocks the way", to: full) }
            try peer.publish(Request.good(0).body, to: scene.queues.input) {
                $0.messageID = $0.text("held")
                $0.replyTo = $0.text(full)
            }
            try peer.confirm()
            let traffic = scene.traffic(perSecond: 200)
            try eventually("the channel to be closed; \(scene.worker.log)", within: .seconds(40)) {
                scene.worker.log.contains("consumer_timeout")
            }
            try scene.worker.ready()
            try scene.broker.control("purge_queue", full)
            try eventually("the held answer") { try peer.connection.inspect(queue: full).messageCount == 1 }
            try scene.check(try traffic.stop(), scenario: "11", repeatsMax: 3 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        /// A queue that exists with other arguments than the worker's.
        struct Mismatch: Sendable, CustomTestStringConvertible {
            let scenario: String
            let testDescription: String
            let queue: @Sendable (QueueNames) -> String
            /// The argument that differs, and its value in the existing queue; nil: the queue lacks it.
            let argument: String
            let value: QueueDeclaration.Value?

            /// The worker's own declaration, but for the argument.
            func declaration(_ queues: QueueNames) throws -> QueueDeclaration {
                let topology = Topology(
                    input: queues.input, reply: queues.reply, dead: queues.dead, items: nil, type: .quorum)
                let own = try #require(topology.queues.first { $0.name == queue(queues) })
                return QueueDeclaration(
                    name: own.name,
                    arguments: own.arguments.filter { $0.name != argument } + (value.map { [.init(argument, $0)] } ?? []))
            }
        }

        static let mismatches = [
            Mismatch(
                scenario: "16", testDescription: "a smaller delivery limit", queue: { $0.input },
                argument: "x-delivery-limit", value: .number(2)),
            Mismatch(
                scenario: "17", testDescription: "dead letters to elsewhere", queue: { $0.input },
                argument: "x-dead-letter-routing-key", value: .text("elsewhere")),
            Mismatch(
                scenario: "17", testDescription: "dead letters that expire", queue: { $0.dead },
                argument: "x-message-ttl", value: .number(1000)),
        ]

        @Test(arguments: mismatches)
        func `16, 17 a queue with other arguments ends the start with what differs`(mismatch: Mismatch) throws {
            let scene = try Scene(throughProxy: false)
            let name = mismatch.queue(scene.queues)
            try Peer().connection.declare(mismatch.declaration(scene.queues))
            try scene.worker.start()
            #expect(try scene.worker.end(within: .seconds(10)) == 78)
            #expect(scene.worker.log.contains(name) && scene.worker.log.contains(mismatch.argument), "\(scene.worker.log)")
            #expect(scene.worker.log.contains("--no-declare"))
            FaultRun.report(mismatch.scenario, "\(mismatch.testDescription): ends with status 78 and says what differs")
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `29 an answer that is larger than the broker takes is a dead letter`() throws {
            let scene = try Scene(
                configuration: """
                    activities:
                      - {activityType: com.example.tab, command: openTab}
                      - activityType: com.example.echo
                        command: echo
                        arguments: {a: $title, b: $title, c: $title, d: $title, e: $title, f: $title, g: $title}
                    replyTo: ["test.*"]
                    """, throughProxy: false)
            try scene.broker.evaluate("application:set_env(rabbit, max_message_size, 4096).")
            defer { _ = try? scene.broker.evaluate("application:set_env(rabbit, max_message_size, 134217728).") }
            try scene.worker.startReady()
            let published = try scene.publish(200) { number in
                number == 100
                    ? Request(#"{"activityType":"com.example.echo","title":"\#(String(repeating: "x", count: 1000))"}"#)
                    : Request.good(number)
            }
            let ledger = try scene.check(
                published, scenario: "29", repeatsMax: 2 * (scene.prefetch + 1), deadLetters: ["m100"])
            #expect(ledger.deadLetterReasons["m100"] == ["replyRefused"])
            #expect(try scene.worker.terminate() == 0)
        }
    }
}
