import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(.enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)))
    struct UnacknowledgedTests {
        private func unacknowledged(_ queue: String) throws -> Int? {
            let lines = try Broker.control("-q", "list_queues", "name", "messages_unacknowledged").split(
                separator: "\n")
            return lines.first { $0.hasPrefix("\(queue)\t") }.flatMap { Int($0.dropFirst(queue.utf8.count + 1)) }
        }

        @Test func `no more than the prefetch is unacknowledged, also when the consumer is changed`() throws {
            let running = try RunningWorker { $0.prefetch = 4 }
            try running.ready()
            let peer = try Peer()
            // They wait for longer than the test takes, the first one while the prefetch is still one.
            for number in 0..<8 {
                try peer.publish(
                    #"{"activityType":"a","title":"deferred \#(10_000 + number)"}"#, to: running.queues.input)
            }
            try peer.confirm()
            var counts: [Int] = []
            try eventually("a full prefetch; there were \(counts)") {
                counts.append(try unacknowledged(running.queues.input) ?? 0)
                return counts.last ?? 0 >= 4
            }
            for _ in 0..<3 { counts.append(try unacknowledged(running.queues.input) ?? 0) }
            #expect(counts.max() == 4)
            #expect(counts.suffix(4) == [4, 4, 4, 4])
            try running.stop(now: true)
        }

        @Test func `one request that is held does not keep its neighbours isolated`() throws {
            let queues = QueueNames()
            let peer = try Peer()
            let full = "test.\(queues.id).full"
            try peer.connection.declare(
                QueueDeclaration(
                    name: full,
                    arguments: [.init("x-max-length", .number(1)), .init("x-overflow", .text("reject-publish"))]))
            for _ in 0..<2 { try peer.publish("blocks the way", to: full) }
            let topology = Topology(
                input: queues.input, reply: queues.reply, dead: queues.dead, items: queues.items, type: .quorum)
            for queue in topology.queues { try peer.connection.declare(queue) }
            for number in 0..<3 {
                try peer.publish(#"{"activityType":"a"}"#, to: queues.input) {
                    $0.messageID = $0.text("held\(number)")
                    $0.replyTo = $0.text(full)
                }
            }
            try peer.confirm()
            // As two workers that died with them.
            for _ in 0..<2 {
                let victim = try Peer()
                try victim.connection.consume(queue: queues.input, prefetch: 10, tag: "victim")
                try victim.await(3)
            }
            let running = try RunningWorker(queues, replyTo: ["test.*"]) { $0.prefetch = 40 }
            try running.ready()
            for number in 0..<5 {
                try peer.publish(#"{"activityType":"a"}"#, to: queues.input) { $0.messageID = $0.text("m\(number)") }
            }
            try peer.confirm()
            try peer.consume(queues.reply)
            try peer.await(Set((0..<5).map { "re:m\($0)" }), within: .seconds(20))
            let held = try Peer()
            try held.consume(full)
            try held.await(Set((0..<3).map { "re:held\($0)" }))
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: queues.dead).messageCount == 0)
            #expect(try peer.connection.inspect(queue: queues.input).messageCount == 0)
        }

        @Test func `while draining a hole delays the acknowledgements behind it, but not until the end`() throws {
            let running = try RunningWorker { $0.drainTimeout = .seconds(60) }
            try running.ready()
            let peer = try Peer()
            try peer.publish(#"{"activityType":"a","title":"deferred 10000"}"#, to: running.queues.input)
            for number in 0..<10 {
                try peer.publish(#"{"activityType":"a"}"#, to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                }
            }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(10)
            running.worker.stop()
            try eventually("only the hole to be left", within: .seconds(20)) {
                try unacknowledged(running.queues.input) == 1
            }
            try running.stop(now: true)
        }

        @Test func `a drain ends in its time though the broker reads nothing`() throws {
            let running = try RunningWorker(replyTo: ["test.*"]) { $0.drainTimeout = .seconds(3) }
            try running.ready()
            let peer = try Peer()
            let full = "test.\(running.queues.id).full"
            try peer.connection.declare(
                QueueDeclaration(
                    name: full,
                    arguments: [.init("x-max-length", .number(1)), .init("x-overflow", .text("reject-publish"))]))
            for _ in 0..<2 { try peer.publish("blocks the way", to: full) }
            try peer.publish(#"{"activityType":"a"}"#, to: running.queues.input) { $0.replyTo = $0.text(full) }
            try peer.confirm()
            try Broker.control("set_vm_memory_high_watermark", "0.0000001")
            defer { _ = try? Broker.control("set_vm_memory_high_watermark", "0.4") }
            // The answer is sent again, and from then on the broker reads nothing from that connection.
            try eventually("the alarm to show") { running.worker.unreadyReasons.contains(.blocked) }
            let began = ContinuousClock.now
            #expect(try running.stop() == .unavailable)
            #expect(began.duration(to: .now) < .seconds(4))
        }
    }
}
