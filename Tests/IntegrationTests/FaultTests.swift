import AMQP
import Foundation
import Synchronization
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(.enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)))
    struct FaultTests {
        private static func request(_ number: Int) -> String { #"{"activityType":"a","title":"\#(number)"}"# }

        private func publish(_ numbers: Range<Int>, to queue: String, with peer: Peer) throws {
            for number in numbers {
                try peer.publish(Self.request(number), to: queue) { $0.messageID = $0.text("m\(number)") }
            }
            try peer.confirm()
        }

        private func ids(_ numbers: Range<Int>) -> Set<String> { Set(numbers.map { "re:m\($0)" }) }

        @Test func `connections that are cut lose nothing`() throws {
            let running = try RunningWorker()
            try running.ready()
            try publish(0..<500, to: running.queues.input, with: try Peer())
            for _ in 0..<3 {
                try Broker.control("close_all_connections", "test")
                try publish(0..<500, to: running.queues.input, with: try Peer())
            }
            try running.ready()
            let peer = try Peer()
            try peer.consume(running.queues.reply)
            try eventually("an answer to each request") {
                try peer.turn()
                let input = try peer.connection.inspectQuietly(running.queues.input)
                return Set(peer.received.map(\.messageID)) == ids(0..<500) && peer.received.count >= 2000 && input == 0
            }
            #expect(try running.stop() == .clean)
        }

        @Test func `a deleted input queue is declared and consumed again`() throws {
            let running = try RunningWorker()
            try running.ready()
            try Broker.control("delete_queue", running.queues.input)
            try eventually("the queue to be there again") {
                try Broker.control("list_queues", "name", "consumers").contains("\(running.queues.input)\t1")
            }
            let peer = try Peer()
            try publish(0..<10, to: running.queues.input, with: peer)
            try peer.consume(running.queues.reply)
            try peer.await(10)
            #expect(try running.stop() == .clean)
        }

        @Test func `a memory alarm stops the answers, not the acknowledgements, and loses nothing`() throws {
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            try publish(0..<1, to: running.queues.input, with: peer)
            try Broker.control("set_vm_memory_high_watermark", "0.0000001")
            defer { _ = try? Broker.control("set_vm_memory_high_watermark", "0.4") }
            // A publishing connection is blocked when it publishes during the alarm.
            for number in 1..<50 {
                try peer.publish(Self.request(number), to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                }
            }
            try peer.turn()
            try Broker.control("set_vm_memory_high_watermark", "0.4")
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(50)
            #expect(Set(peer.received.map(\.messageID)) == ids(0..<50))
            #expect(try running.stop() == .clean)
        }

        @Test func `a rolling restart under load repeats no answer`() throws {
            let queues = QueueNames()
            let first = try RunningWorker(queues)
            try first.ready()
            let peer = try Peer()
            try publish(0..<3000, to: queues.input, with: peer)
            #expect(try first.stop() == .clean)
            let second = try RunningWorker(queues)
            try second.ready()
            try publish(3000..<6000, to: queues.input, with: peer)
            #expect(try second.stop() == .clean)
            let third = try RunningWorker(queues)
            try third.ready()
            try peer.consume(queues.reply)
            try peer.await(6000)
            #expect(try third.stop() == .clean)
            try peer.turn()
            #expect(peer.received.count == 6000)
            #expect(Set(peer.received.map(\.messageID)) == ids(0..<6000))
            #expect(try peer.connection.inspect(queue: queues.input).messageCount == 0)
        }

        @Test func `requests are held while a store is away, and given back after the hold limit`() throws {
            let running = try RunningWorker { $0.holdLimit = .milliseconds(300) }
            try running.ready()
            let peer = try Peer()
            running.gate.isClosed.store(true, ordering: .relaxed)
            try publish(0..<20, to: running.queues.input, with: peer)
            try eventually("the outage to show") { running.worker.unreadyReasons.contains(.storeUnavailable) }
            try eventually("the requests to be given back") { running.worker.metrics.reconnects(.gaveBack) == 1 }
            try eventually("the queue to have them again") {
                try peer.connection.inspectQuietly(running.queues.input) == 20
            }
            running.gate.isClosed.store(false, ordering: .relaxed)
            try peer.consume(running.queues.reply)
            try peer.await(20)
            #expect(Set(peer.received.map(\.messageID)) == ids(0..<20))
            #expect(running.worker.metrics.reconnects(.gaveBack) == 1)
            #expect(try running.stop() == .clean)
        }

        @Test func `a request that must wait for an index is answered later, and others pass it`() throws {
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            try peer.publish(#"{"activityType":"a","title":"deferred 5"}"#, to: running.queues.input)
            try publish(0..<20, to: running.queues.input, with: peer)
            try peer.consume(running.queues.reply)
            try peer.await(21)
            #expect(peer.received.last?.text.contains("deferred 5") == true)
            #expect(try running.stop() == .clean)
        }

        @Test func `a queue with other arguments ends the start with what differs`() throws {
            let queues = QueueNames()
            let peer = try Peer()
            try peer.connection.declare(QueueDeclaration(name: queues.dead, arguments: []))
            let running = try RunningWorker(queues)
            #expect(try running.end() == .configuration)
        }

        @Test func `wrong credentials end the start`() throws {
            let url = try Broker.requiredURLText().replacingOccurrences(of: "guest:guest@", with: "guest:wrong@")
            let running = try RunningWorker(url: try AMQPURL(url))
            #expect(try running.end() == .noPermission)
        }

        @Test func `wrong credentials at one of several brokers do not end the search`() throws {
            let wrong = try AMQPURL(
                Broker.requiredURLText().replacingOccurrences(of: "guest:guest@", with: "guest:wrong@"))
            let away = try AMQPURL("amqp://127.0.0.1:1/")
            // The order is random, the outcome is not.
            for _ in 0..<10 {
                let error = #expect(throws: AMQPError.self) { try Connection.open([wrong, away], name: "client") }
                #expect(error?.code == .unreachable)
            }
            let error = #expect(throws: AMQPError.self) { try Connection.open([wrong, wrong], name: "client") }
            #expect(error?.code == .denied)
            let connection = try Connection.open([wrong, away, Broker.url()], name: "client")
            #expect(!connection.peer.isEmpty)
        }

        @Test func `a broker that is not there yet is waited for, and a stop then is clean`() throws {
            let running = try RunningWorker(url: try AMQPURL("amqp://127.0.0.1:1/"))
            try eventually("a failed attempt") { running.worker.metrics.reconnects(.failed) > 0 }
            #expect(try running.stop() == .clean)
        }
    }
}

extension Connection {
    /// The number of ready messages, asked on a connection of its own, so that an error closes nothing else.
    func inspectQuietly(_ queue: String) throws -> Int {
        try Peer().connection.inspect(queue: queue).messageCount
    }
}
