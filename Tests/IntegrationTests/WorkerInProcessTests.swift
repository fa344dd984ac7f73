import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    struct WorkerInProcessTests {
        @Test func `every request is answered once, with its correlation_id and a message_id made of its own`() throws {
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            for number in 0..<1000 {
                try peer.publish(#"{"activityType":"open","title":"t\#(number)"}"#, to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                    $0.correlationID = $0.text("c\(number)")
                }
            }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(1000)
            #expect(Set(peer.received.map(\.correlationID)) == Set((0..<1000).map { "c\($0)" }))
            #expect(Set(peer.received.map(\.messageID)) == Set((0..<1000).map { "re:m\($0)" }))
            #expect(peer.received.allSatisfy { $0.contentType == "application/json" })
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.input).messageCount == 0)
        }
    }
}
