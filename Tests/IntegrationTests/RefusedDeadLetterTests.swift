import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(.enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)))
    struct RefusedDeadLetterTests {
        @Test func `a request is kept while the broker takes neither its answer nor its dead letter`() throws {
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
            // Together, then each answer alone, then each dead letter alone, and then again.
            try eventually("the broker to have closed the channel again and again", within: .seconds(60)) {
                running.worker.metrics.reconnects(.channelClosed) >= 6
            }
            try Broker.control("set_permissions", user, ".*", ".*", ".*")
            try peer.consume(queues.dead)
            try peer.consume(queues.reply)
            try eventually("an answer or a dead letter for each request", within: .seconds(60)) {
                try peer.turn()
                let ids = peer.received.map {
                    $0.messageID.hasPrefix("re:") ? $0.messageID.dropFirst(3) : $0.messageID[...]
                }
                return Set(ids) == ["m0", "m1"]
            }
            #expect(
                peer.received.first { $0.messageID == "m0" }?.raw.textHeaders()["deeplink-reason"] == "malformedMessage"
            )
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: queues.input).messageCount == 0)
        }
    }
}
