import AMQP
import Items
import Synchronization
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    struct ItemQueueTests {
        private static func item(_ identifier: String) -> String {
            #"{"index":{"uniqueIdentifier":"\#(identifier)","attributeSet":{"title":"A"}}}"#
        }

        @Test func `items are applied in order, acknowledged and not answered, beside requests that are`() throws {
            let record = RecordingApplier.Record()
            let running = try RunningWorker(items: record)
            try running.ready()
            let peer = try Peer()
            for number in 0..<300 {
                try peer.publish(Self.item("i\(number)"), to: running.queues.items) {
                    $0.appID = $0.text("an app")
                    $0.timestamp = 1_700_000_000
                }
            }
            try peer.publish(#"{"activityType":"open"}"#, to: running.queues.input)
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(1)
            try eventually("the items to be applied") { record.identifiers.withLock { $0.count } >= 300 }
            #expect(record.identifiers.withLock { $0 } == (0..<300).map { "i\($0)" })
            #expect(record.apps.withLock { $0 }.allSatisfy { $0 == "an app" })
            #expect(record.versions.withLock { $0 }.allSatisfy { $0 == ItemVersion(time: 1_700_000_000_000) })
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.items).messageCount == 0)
            try peer.turn()
            #expect(peer.received.count == 1)
            func count(_ prefix: String) -> Int {
                let lines = running.worker.exposition.split(separator: "\n").filter { $0.hasPrefix(prefix) }
                return lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
            }
            // Some may be delivered again when the consumer changes its prefetch; none is applied again.
            #expect(count("deeplink_item_deliveries_total{") >= 300)
            #expect(count("deeplink_item_operations_total{outcome=\"applied\"}") == 300)
            #expect(count("deeplink_deliveries_total{") == 1)
        }

        @Test func `what is no message of items, and what the catalog refuses, is dead-lettered`() throws {
            let record = RecordingApplier.Record()
            let running = try RunningWorker(items: record)
            try running.ready()
            let peer = try Peer()
            try peer.publish(Self.item("a"), to: running.queues.items)
            try peer.publish("{\"index\":17}", to: running.queues.items) {
                $0.replyTo = $0.text(running.queues.reply)
            }
            try peer.publish(Self.item("refuse"), to: running.queues.items)
            try peer.publish("[]x", to: running.queues.items) { $0.contentType = $0.text("text/plain") }
            try peer.publish(Self.item("b"), to: running.queues.items)
            try peer.confirm()
            try peer.consume(running.queues.dead)
            try peer.await(3)
            let dead = Dictionary(grouping: peer.received, by: \.text)
            #expect(Set(dead.keys) == ["{\"index\":17}", Self.item("refuse"), "[]x"])
            #expect(record.identifiers.withLock { $0 } == ["a", "b"])
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.items).messageCount == 0)
            #expect(try peer.connection.inspect(queue: running.queues.reply).messageCount == 0)
            #expect(running.worker.exposition.contains("deeplink_dead_letters_total{reason=\"malformedMessage\"} 2\n"))
        }

        @Test func `items wait while their catalog is away, and requests do not`() throws {
            let record = RecordingApplier.Record()
            let running = try RunningWorker(items: record)
            try running.ready()
            record.isAway.store(true, ordering: .relaxed)
            let peer = try Peer()
            for number in 0..<20 { try peer.publish(Self.item("i\(number)"), to: running.queues.items) }
            try peer.confirm()
            try eventually("attempts") { record.attempts.load(ordering: .relaxed) >= 3 }
            #expect(running.worker.unreadyReasons.contains(.storeUnavailable))
            let metrics = running.worker.exposition
            #expect(metrics.contains("deeplink_unready_pipelines{reason=\"store_unavailable\"} 1\n"))
            #expect(metrics.contains("deeplink_store_outages_total 1\n"))
            try peer.publish(#"{"activityType":"open"}"#, to: running.queues.input)
            try peer.consume(running.queues.reply)
            try peer.await(1)
            record.isAway.store(false, ordering: .relaxed)
            try eventually("the items to be applied") {
                Set(record.identifiers.withLock { $0 }) == Set((0..<20).map { "i\($0)" })
            }
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.items).messageCount == 0)
            #expect(try peer.connection.inspect(queue: running.queues.dead).messageCount == 0)
        }
    }
}
