import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    /// One worker with several pipelines.
    @Suite(.enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)))
    struct SeveralPipelinesTests {
        private func state(_ queue: String, _ column: String) throws -> Int {
            let lines = try Broker.control("-q", "list_queues", "name", column).split(separator: "\n")
            return lines.first { $0.hasPrefix("\(queue)\t") }.flatMap { Int($0.dropFirst(queue.utf8.count + 1)) } ?? 0
        }

        @Test func `all of them consume, also when nothing has come yet, and share the work`() throws {
            let running = try RunningWorker { $0.pipelines = 3 }
            try running.ready()
            try eventually("three consumers") { try state(running.queues.input, "consumers") == 3 }
            let peer = try Peer()
            for number in 0..<3000 {
                try peer.publish(#"{"activityType":"a","title":"\#(number)"}"#, to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                }
            }
            try peer.consume(running.queues.reply)
            try peer.await(3000)
            #expect(try running.stop() == .clean)
            #expect(Set(peer.received.map(\.messageID)).count == 3000)
            #expect(try state(running.queues.input, "messages") == 0)
        }

        @Test func `suspected messages are taken by one of them, one at a time`() throws {
            let queues = QueueNames()
            let peer = try Peer()
            let topology = Topology(
                input: queues.input, reply: queues.reply, dead: queues.dead, items: queues.items, type: .quorum)
            for queue in topology.queues { try peer.connection.declare(queue) }
            for number in 0..<3 {
                try peer.publish(#"{"activityType":"a","title":"deferred 8"}"#, to: queues.input) {
                    $0.messageID = $0.text("m\(number)")
                }
            }
            try peer.confirm()
            // As two workers that died with them.
            for _ in 0..<2 {
                let victim = try Peer()
                try victim.connection.consume(queue: queues.input, prefetch: 10, tag: "victim")
                try victim.await(3)
            }
            try eventually("the messages to be back") { try state(queues.input, "messages_ready") == 3 }
            let running = try RunningWorker(queues) { $0.pipelines = 3 }
            try running.ready()
            try peer.consume(queues.reply)
            var counts: [Int] = []
            try eventually("the answers") {
                try peer.turn()
                counts.append(try state(queues.input, "messages_unacknowledged"))
                return peer.received.count == 3
            }
            #expect(counts.allSatisfy { $0 <= 1 }, "\(counts)")
            #expect(try running.stop() == .clean)
        }
    }
}
