import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(.enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)))
    struct RefusedDeadLetterTests {
        @Test func `while the user may not publish, requests are kept, and none is to blame`() throws {
            let queues = QueueNames()
            let peer = try Peer()
            // Queues of others, which dead-letter nowhere: what is rejected there is lost.
            for name in [queues.input, queues.reply, queues.dead, queues.items] {
                try peer.connection.declare(QueueDeclaration(name: name, arguments: []))
            }
            let user = "user.\(queues.id)"
            try Broker.control("add_user", user, "secret")
            defer { _ = try? Broker.control("delete_user", user) }
            try Broker.control("set_permissions", user, ".*", "^$", ".*")
            let url = try AMQPURL(
                try Broker.requiredURLText().replacingOccurrences(of: "guest:guest@", with: "\(user):secret@"))
            let running = try RunningWorker(queues, url: url) { $0.declaresQueues = false }
            try running.ready()
            let bodies = ["not JSON"] + [#"{"activityType":"a"}"#]
            for (number, body) in bodies.enumerated() {
                try peer.publish(body, to: queues.input) { $0.messageID = $0.text("m\(number)") }
            }
            try peer.confirm()
            try eventually("the broker to have closed the channel again and again", within: .seconds(60)) {
                running.worker.metrics.reconnects(.channelClosed) >= 4
            }
            try Broker.control("set_permissions", user, ".*", ".*", ".*")
            try peer.consume(queues.dead)
            try peer.consume(queues.reply)
            try peer.await(["m0", "re:m1"], within: .seconds(60))
            #expect(
                peer.received.first { $0.messageID == "m0" }?.raw.textHeaders()["deeplink-reason"] == "malformedMessage"
            )
            #expect(try running.stop() == .clean)
            #expect(peer.received.count == 2)
            #expect(try peer.connection.inspect(queue: queues.input).messageCount == 0)
        }

        @Test func `a request is kept while the broker takes neither its answer nor its dead letter`() throws {
            let queues = QueueNames()
            let peer = try Peer()
            for name in [queues.input, queues.reply, queues.dead, queues.items] {
                try peer.connection.declare(QueueDeclaration(name: name, arguments: []))
            }
            let long = String(repeating: "x", count: 5000)
            let bodies = ["not JSON \(long)", #"{"activityType":"a","title":"\#(long)"}"#, #"{"activityType":"a"}"#]
            for (number, body) in bodies.enumerated() {
                try peer.publish(body, to: queues.input) { $0.messageID = $0.text("m\(number)") }
            }
            try peer.confirm()
            // What is in the queue already is larger than what the broker takes from now on.
            try limitMessageSize(to: 4096)
            defer { try? limitMessageSize(to: 134_217_728) }
            let running = try RunningWorker(queues) { $0.declaresQueues = false }
            try running.ready()
            // Together, then the answer alone, then each dead letter alone, and then again.
            try eventually("the broker to have closed the channel again and again", within: .seconds(60)) {
                running.worker.metrics.reconnects(.channelClosed) >= 6
            }
            try peer.consume(queues.reply)
            try peer.await(["re:m2"])
            try limitMessageSize(to: 134_217_728)
            let dead = try Peer()
            try dead.consume(queues.dead)
            try dead.await(["m0", "m1"], within: .seconds(60))
            let reasons = dead.received.map { $0.raw.textHeaders()["deeplink-reason"] }
            #expect(Set(reasons) == ["malformedMessage", "replyRefused"])
            #expect(try running.stop() == .clean)
            #expect(dead.received.count == 2)
            #expect(try peer.connection.inspect(queue: queues.input).messageCount == 0)
        }

        /// Sets what the broker takes at most, on channels that are opened from then on.
        private func limitMessageSize(to byteCount: Int) throws {
            try Broker.control("eval", "application:set_env(rabbit, max_message_size, \(byteCount)).")
        }
    }
}
