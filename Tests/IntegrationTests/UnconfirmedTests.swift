import AMQP
import Foundation
import Synchronization
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    /// Answers that the broker does not confirm, or keeps refusing.
    @Suite(.enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)))
    struct UnconfirmedTests {
        private static func request(_ number: Int, title: String = "") -> String {
            #"{"activityType":"a","title":"\#(number)\#(title)"}"#
        }

        /// A queue of the test's own, which requests may name.
        private func replyQueue(_ running: RunningWorker, _ peer: Peer, isFull: Bool) throws -> String {
            let name = "test.\(running.queues.id).own"
            let limits: [QueueDeclaration.Argument] =
                isFull ? [.init("x-max-length", .number(1)), .init("x-overflow", .text("reject-publish"))] : []
            try peer.connection.declare(QueueDeclaration(name: name, arguments: limits))
            guard isFull else { return name }
            for _ in 0..<2 { try peer.publish("blocks the way", to: name) }
            try peer.confirm()
            return name
        }

        /// Publishes a request that names the queue, and ten neighbours; returns its dead letter and when that came.
        private func deadLetter(
            _ running: RunningWorker, _ peer: Peer, replyTo: String
        ) throws -> (letter: Peer.Message, after: Duration) {
            let began = ContinuousClock.now
            try peer.publish(Self.request(0), to: running.queues.input) {
                $0.messageID = $0.text("held")
                $0.replyTo = $0.text(replyTo)
            }
            for number in 1...10 {
                try peer.publish(Self.request(number), to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                }
            }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(Set((1...10).map { "re:m\($0)" }))
            let dead = try Peer()
            try dead.consume(running.queues.dead)
            try dead.await(["held"])
            return (try #require(dead.received.first), began.duration(to: .now))
        }

        @Test func `an answer that stays unconfirmed is sent again, and is a dead letter after the limit`() throws {
            let running = try RunningWorker(replyTo: ["test.*"]) {
                $0.confirmTimeout = .milliseconds(300)
                $0.refusalLimit = .seconds(2)
            }
            try running.ready()
            let peer = try Peer()
            let name = try replyQueue(running, peer, isFull: false)
            let frozen = try FrozenQueue(name)
            let (letter, time) = try deadLetter(running, peer, replyTo: name)
            #expect(time >= .seconds(2))
            #expect(letter.raw.textHeaders()["deeplink-reason"] == "replyRefused")
            #expect(letter.raw.textHeaders()["deeplink-detail"]?.contains("did not confirm") == true)
            #expect(running.worker.metrics.unconfirmed.load(ordering: .relaxed) >= 2)
            try frozen.thaw()
            peer.forget()
            try peer.consume(name)
            try peer.await(2)
            #expect(Set(peer.received.map(\.messageID)) == ["re:held"])
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.input).messageCount == 0)
        }

        @Test func `an answer that is confirmed late after all is not a dead letter`() throws {
            let running = try RunningWorker(replyTo: ["test.*"]) { $0.confirmTimeout = .milliseconds(200) }
            try running.ready()
            let peer = try Peer()
            let name = try replyQueue(running, peer, isFull: false)
            let frozen = try FrozenQueue(name)
            try peer.publish(Self.request(0), to: running.queues.input) { $0.replyTo = $0.text(name) }
            try peer.confirm()
            try eventually("a second attempt") { running.worker.metrics.unconfirmed.load(ordering: .relaxed) >= 1 }
            try frozen.thaw()
            try eventually("an empty input queue") {
                try peer.connection.inspectQuietly(running.queues.input) == 0
                    && running.worker.metrics.inFlight.load(ordering: .relaxed) == 0
            }
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.dead).messageCount == 0)
            #expect(try peer.connection.inspect(queue: name).messageCount >= 1)
        }

        @Test func `an answer that is refused for as long as the limit is a dead letter`() throws {
            let running = try RunningWorker(replyTo: ["test.*"]) { $0.refusalLimit = .milliseconds(1500) }
            try running.ready()
            let peer = try Peer()
            let name = try replyQueue(running, peer, isFull: true)
            let (letter, time) = try deadLetter(running, peer, replyTo: name)
            #expect(time >= .milliseconds(1500))
            #expect(letter.raw.textHeaders()["deeplink-reason"] == "replyRefused")
            #expect(running.worker.metrics.refused.load(ordering: .relaxed) >= 3)
            #expect(try running.stop() == .clean)
        }

        @Test func `while the broker blocks publishing nothing is sent again, however long that is`() throws {
            let running = try RunningWorker { $0.confirmTimeout = .milliseconds(400) }
            try publishDuringAlarm(running, count: 50, title: "") {
                hold(.seconds(2))
                #expect(running.worker.unreadyReasons.contains(.blocked))
            }
            #expect(running.worker.metrics.unconfirmed.load(ordering: .relaxed) == 0)
        }

        @Test func `a blocked connection is not given up, though the broker reads nothing of it`() throws {
            let url = try AMQPURL(Broker.requiredURLText() + "?heartbeat=1")
            let running = try RunningWorker(url: url)
            // More than the kernel takes on both sides, so that nothing moves any more.
            let title = String(repeating: "x", count: 80_000)
            try publishDuringAlarm(running, count: 300, title: title) { hold(.seconds(6)) }
            #expect(running.worker.metrics.reconnects(.lost) == 0)
        }

        /// Lets the worker publish many answers at once while the broker has an alarm; each must come once.
        private func publishDuringAlarm(
            _ running: RunningWorker, count: Int, title: String, during: () throws -> Void
        ) throws {
            try running.ready()
            let peer = try Peer()
            running.gate.isClosed.store(true, ordering: .relaxed)
            try peer.publish(Self.request(0, title: title), to: running.queues.input) { $0.messageID = $0.text("m0") }
            try peer.confirm()
            try eventually("the request to be held") { running.worker.unreadyReasons.contains(.storeUnavailable) }
            for number in 1..<count {
                try peer.publish(Self.request(number, title: title), to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                }
            }
            try peer.confirm()
            try Broker.control("set_vm_memory_high_watermark", "0.0000001")
            defer { _ = try? Broker.control("set_vm_memory_high_watermark", "0.4") }
            running.gate.isClosed.store(false, ordering: .relaxed)
            try eventually("the block") { running.worker.unreadyReasons.contains(.blocked) }
            try during()
            try Broker.control("set_vm_memory_high_watermark", "0.4")
            try peer.consume(running.queues.reply)
            try peer.await(count, within: .seconds(60))
            #expect(try running.stop() == .clean)
            try peer.turn()
            #expect(peer.received.count == count)
            #expect(Set(peer.received.map(\.messageID)).count == count)
        }

        @Test func `a drain does not wait for a queue that does not answer`() throws {
            let running = try RunningWorker { $0.consumerTimeout = .seconds(1) }
            try running.ready()
            let frozen = try FrozenQueue(running.queues.input)
            let began = ContinuousClock.now
            running.worker.stop()
            #expect(try running.end() == .clean)
            #expect(began.duration(to: .now) < .seconds(10))
            try frozen.thaw()
        }
    }
}
