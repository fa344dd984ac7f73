import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    struct RefusedAnswerTests {
        private static func good(_ number: Int) -> String { #"{"activityType":"good","title":"\#(number)"}"# }

        /// Publishes requests of which one in the middle names a reply queue, and returns its dead letter's headers.
        private func deadLetter(replyTo: String) throws -> [String: String] {
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            for number in 0..<41 {
                try peer.publish(Self.good(number), to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                    if number == 20 { $0.replyTo = $0.text(replyTo) }
                }
            }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            let dead = try Peer()
            try dead.consume(running.queues.dead)
            try dead.await(1)
            try peer.await(40)
            #expect(Set(peer.received.map(\.messageID)).count == 40)
            #expect(try running.stop() == .clean)
            let letter = try #require(dead.received.first)
            #expect(letter.messageID == "m20")
            #expect(letter.text == Self.good(20))
            #expect(try peer.connection.inspect(queue: running.queues.input).messageCount == 0)
            return letter.raw.textHeaders()
        }

        @Test func `an answer to a queue that is gone makes its request a dead letter`() throws {
            #expect(try deadLetter(replyTo: "amq.gen-gone")["deeplink-reason"] == "replyUnroutable")
        }

        @Test func `a forged direct reply-to that closes the connection is found and dead-lettered alone`() throws {
            let name = "amq.rabbitmq.reply-to.g2dkABByZXBseUA2NDU3NzI4OAAAC5cAAAAAZcyZcg==.garbage"
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            for number in 0..<41 {
                try peer.publish(Self.good(number), to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                    if number == 20 { $0.replyTo = $0.text(name) }
                }
            }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(Set((0..<41).filter { $0 != 20 }.map { "re:m\($0)" }))
            #expect(try running.stop() == .clean)
            // Some versions drop such a reply, others close the connection for it; both settle the request.
            let dead = try Peer()
            if try dead.connection.inspect(queue: running.queues.dead).messageCount == 1 {
                try dead.consume(running.queues.dead)
                try dead.await(1)
                let detail = dead.received.first?.raw.textHeaders()["deeplink-detail"]
                #expect(detail?.hasPrefix("The broker closed the connection over the answer: ") == true)
            }
            #expect(try peer.connection.inspect(queue: running.queues.input).messageCount == 0)
        }

        @Test func `a full reply queue is tried again until there is room, and holds at most a quarter`() throws {
            let running = try RunningWorker(replyTo: ["test.*"]) { $0.prefetch = 8 }
            try running.ready()
            let peer = try Peer()
            let full = "test.\(running.queues.id).full"
            try peer.connection.declare(
                QueueDeclaration(
                    name: full,
                    arguments: [
                        .init("x-max-length", .number(1)), .init("x-overflow", .text("reject-publish")),
                    ]))
            try peer.publish("blocks the way", to: full)
            try peer.publish("blocks the way", to: full)
            for number in 0..<6 {
                try peer.publish(Self.good(number), to: running.queues.input) {
                    $0.messageID = $0.text("m\(number)")
                    $0.replyTo = $0.text(full)
                }
            }
            try peer.publish(Self.good(9), to: running.queues.input) { $0.messageID = $0.text("m9") }
            try peer.confirm()
            // Two of them, a quarter of the prefetch, are held; the others are dead letters at once.
            try peer.consume(running.queues.reply)
            try peer.await(1)
            let dead = try Peer()
            try dead.consume(running.queues.dead)
            try dead.await(4)
            #expect(dead.received.allSatisfy { $0.raw.textHeaders()["deeplink-reason"] == "replyRefused" })
            peer.forget()
            try peer.consume(full)
            let held = Set((0..<6).map { "re:m\($0)" }).subtracting(dead.received.map { "re:" + $0.messageID })
            #expect(held.count == 2)
            try peer.await(held)
            #expect(try running.stop() == .clean)
        }

        @Test func `a prefetch of one has no quarter to hold, so a refused answer is a dead letter at once`() throws {
            let running = try RunningWorker(replyTo: ["test.*"]) { $0.prefetch = 1 }
            try running.ready()
            let peer = try Peer()
            let full = "test.\(running.queues.id).full"
            try peer.connection.declare(
                QueueDeclaration(
                    name: full,
                    arguments: [.init("x-max-length", .number(1)), .init("x-overflow", .text("reject-publish"))]))
            for _ in 0..<2 { try peer.publish("blocks the way", to: full) }
            try peer.publish(Self.good(0), to: running.queues.input) { $0.replyTo = $0.text(full) }
            try peer.publish(Self.good(1), to: running.queues.input) { $0.messageID = $0.text("m1") }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(["re:m1"])
            #expect(try running.stop() == .clean)
            #expect(try peer.connection.inspect(queue: running.queues.dead).messageCount == 1)
        }
    }
}
