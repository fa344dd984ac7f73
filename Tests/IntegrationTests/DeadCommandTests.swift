import AMQP
import Foundation
import Synchronization
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(.enabled(if: WorkerProcess.isPresent, Comment(rawValue: WorkerProcess.absence)))
    struct DeadCommandTests {
        private let queues = QueueNames()

        private func dead(_ arguments: String...) throws -> WorkerProgram.Result {
            let flags = ["--dead-queue", queues.dead]
            return try WorkerProgram.run(["dead", arguments[0]] + flags + arguments.dropFirst())
        }

        private func declare() throws {
            let topology = Topology(
                input: queues.input, reply: queues.reply, dead: queues.dead, items: nil, type: .quorum)
            for queue in topology.queues { try Peer().connection.declare(queue) }
        }

        /// Puts messages with the worker's headers into a queue; the reasons alternate.
        private func fill(_ queue: String, _ numbers: Range<Int>, padding: Int = 0) throws {
            let peer = try Peer()
            for number in numbers {
                try peer.publish(#"{"n":\#(number)}"#, to: queue) {
                    $0.messageID = $0.text("m\(number)")
                    $0.addHeader(
                        Array("deeplink-reason".utf8), number.isMultiple(of: 2) ? "malformedMessage" : "replyUnroutable"
                    )
                    $0.addHeader(
                        Array("deeplink-detail".utf8), "detail\u{1B}[31m " + String(repeating: "x", count: padding))
                    $0.addHeader(Array("kept".utf8), "yes")
                }
            }
            try peer.confirm()
        }

        private func ids(_ result: WorkerProgram.Result) throws -> [String] {
            try result.objects().map { $0["messageID"] as? String ?? "" }
        }

        private func names(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "m\($0)" } }

        /// Waits until the queue has so many messages that are ready.
        private func awaitCount(_ count: Int, in queue: String) throws {
            let peer = try Peer()
            try eventually("\(count) messages in \(queue)") {
                try peer.connection.inspect(queue: queue).messageCount == count
            }
        }

        /// All messages of a queue in order; they are taken.
        private func drain(_ queue: String, _ count: Int) throws -> [Peer.Message] {
            let peer = try Peer()
            try peer.consume(queue)
            try peer.await(count)
            return peer.received
        }

        @Test func `what the worker rejects is listed with reason, detail, source and time`() throws {
            let running = try RunningWorker(queues)
            try running.ready()
            let peer = try Peer()
            try peer.publish("not JSON", to: queues.input) { $0.messageID = $0.text("m0") }
            try peer.publish(#"{"activityType":"a"}"#, to: queues.input) {
                $0.replyTo = $0.text("amq.gen-nobody")
                $0.correlationID = $0.text("c1")
            }
            try peer.confirm()
            try awaitCount(2, in: queues.dead)
            #expect(try running.stop() == .clean)
            let objects = try dead("list", "--json").objects()
            try #require(objects.count == 2)
            #expect(Set(objects.map { $0["reason"] as? String }) == ["malformedMessage", "replyUnroutable"])
            #expect(objects.allSatisfy { $0["sourceQueue"] as? String == queues.input })
            #expect(objects.allSatisfy { ($0["time"] as? String)?.hasSuffix("Z") == true })
            #expect(
                objects.contains {
                    $0["correlationID"] as? String == "c1" && $0["replyTo"] as? String == "amq.gen-nobody"
                })
            let text = try dead("list")
            #expect(text.status == 0)
            #expect(text.output.contains("malformedMessage  8 bytes  from \(queues.input)  id m0"))
            #expect(text.errors.contains("2 of 2 messages"))
        }

        @Test func `looking thirty times, also in part, leaves all messages in their order`() throws {
            try declare()
            try fill(queues.dead, 0..<200)
            for round in 0..<10 {
                #expect(try ids(dead("list", "--json")) == names(0..<200), "round \(round)")
                #expect(try ids(dead("list", "--json", "--limit", "3")) == ["m0", "m1", "m2"])
                #expect(try dead("show", "150").output.contains("m149"))
            }
            #expect(try drain(queues.dead, 200).map(\.messageID) == names(0..<200))
        }

        @Test func `a look that is killed leaves all messages in their order`() throws {
            try declare()
            try fill(queues.dead, 0..<3000, padding: 300)
            // A queue keeps what it got back apart; after this, all of it.
            #expect(try dead("list").lines.count == 3000)
            let started = try WorkerProgram.start(["dead", "list", "--dead-queue", queues.dead])
            // Nobody reads what it prints, so it stands still when the pipe is full.
            try awaitCount(0, in: queues.dead)
            kill(started.process.processIdentifier, SIGKILL)
            started.process.waitUntilExit()
            _ = started.errors()
            try awaitCount(3000, in: queues.dead)
            #expect(try ids(dead("list", "--json")) == names(0..<3000))
        }

        @Test func `a look that is interrupted ends well`() throws {
            try declare()
            try fill(queues.dead, 0..<3000, padding: 300)
            let started = try WorkerProgram.start(["dead", "list", "--dead-queue", queues.dead])
            try awaitCount(0, in: queues.dead)
            kill(started.process.processIdentifier, SIGINT)
            _ = started.output.fileHandleForReading.readDataToEndOfFile()
            started.process.waitUntilExit()
            #expect(started.process.terminationStatus == 0)
            #expect(started.errors().contains("interrupted"))
            #expect(try ids(dead("list", "--json", "--limit", "5")) == names(0..<5))
        }

        @Test func `a queue that would drop what was looked at is not looked at`() throws {
            try Peer().connection.declare(
                QueueDeclaration(
                    name: queues.dead,
                    arguments: [.init("x-queue-type", .text("quorum")), .init("x-delivery-limit", .number(3))]))
            try fill(queues.dead, 0..<2)
            for _ in 0..<5 {
                for command in [["list"], ["show", "1"], ["purge", "--where", "reason=x"], ["replay", "--dry-run"]] {
                    let result = try WorkerProgram.run(["dead"] + command + ["--dead-queue", queues.dead])
                    #expect(result.status == 78)
                    #expect(result.errors.contains("drops a message after 3 deliveries"))
                }
            }
            #expect(try dead("list", "--allow-counting").lines.count == 2)
            #expect(try drain(queues.dead, 2).map(\.deliveryCount) == [1, 1])
        }

        @Test func `show tells everything, escaped for people and as it is for programs`() throws {
            try declare()
            try fill(queues.dead, 0..<3)
            let text = try dead("show", "m1")
            #expect(text.status == 0)
            #expect(text.lines.contains("reason            replyUnroutable"))
            #expect(text.lines.contains(#"header kept: "yes""#))
            #expect(text.output.hasSuffix("\n{\"n\":1}\n"))
            #expect(!text.output.contains("\u{1B}"))
            let object = try #require(try dead("show", "2", "--json").objects().first)
            #expect(object["body"] as? String == #"{"n":1}"#)
            #expect((object["properties"] as? [String: Any])?["message_id"] as? String == "m1")
            #expect((object["headers"] as? [String: Any])?["kept"] as? String == "yes")
            #expect(try dead("show", "--message-id", "m2", "--body").output == #"{"n":2}"#)
            #expect(try dead("show", "4").status == 65)
            #expect(try dead("show", "m9").status == 65)
            #expect(try dead("show", "0").status == 64)
            #expect(try dead("show").status == 64)
        }

        @Test func `replay moves what matches in its order, without the worker's headers, and leaves the rest`() throws
        {
            try declare()
            try fill(queues.dead, 0..<500)
            let target = "test.\(queues.id).target"
            try Peer().connection.declare(QueueDeclaration(name: target, arguments: []))
            let dry = try dead("replay", "--to", target, "--where", "reason=replyUnroutable", "--dry-run", "--json")
            #expect(try ids(dry) == names(stride(from: 1, to: 500, by: 2)))
            let result = try dead(
                "replay", "--to", target, "--where", "reason=replyUnroutable", "--limit", "100", "--json")
            #expect(result.status == 0)
            let report = try #require(try result.objects().first)
            #expect(report["replayed"] as? Int == 100)
            #expect(report["messages"] as? Int == 500)
            let moved = try drain(target, 100)
            #expect(moved.map(\.messageID) == names(stride(from: 1, to: 200, by: 2)))
            #expect(moved[0].text == #"{"n":1}"#)
            #expect(moved[0].raw.textHeaders() == ["kept": "yes"])
            let rest = (0..<500).filter { $0 >= 200 || $0.isMultiple(of: 2) }
            #expect(try ids(dead("list", "--json")) == names(rest))
        }

        @Test func `what fails again after a replay is not replayed twice`() throws {
            let running = try RunningWorker(queues)
            try running.ready()
            let peer = try Peer()
            for number in 0..<300 {
                try peer.publish("not JSON", to: queues.input) { $0.messageID = $0.text("m\(number)") }
            }
            try peer.confirm()
            try awaitCount(300, in: queues.dead)
            let result = try dead("replay", "--queue", queues.input)
            #expect(result.status == 0)
            #expect(result.output == "300 of 300 messages replayed to \(queues.input)\n")
            try awaitCount(300, in: queues.dead)
            #expect(running.worker.metrics.deliveries.load(ordering: .relaxed) == 600)
            #expect(try running.stop() == .clean)
            #expect(Set(try ids(dead("list", "--json"))) == Set(names(0..<300)))
        }

        @Test func `a replay into a full queue ends, and nothing is lost`() throws {
            try declare()
            try fill(queues.dead, 0..<50)
            let target = "test.\(queues.id).full"
            try Peer().connection.declare(
                QueueDeclaration(
                    name: target,
                    arguments: [.init("x-max-length", .number(1)), .init("x-overflow", .text("reject-publish"))]))
            let result = try dead("replay", "--to", target)
            #expect(result.status == 69)
            #expect(result.errors.contains("takes no more messages"))
            let moved = try Peer().connection.inspect(queue: target).messageCount
            let rest = try ids(dead("list", "--json"))
            #expect(moved >= 1)
            #expect(rest.count + moved >= 50)
            #expect(rest == rest.sorted { ($0.count, $0) < ($1.count, $1) })
            #expect(Set(rest).isSuperset(of: names(moved..<50)))
        }

        @Test func `replay refuses the dead-letter queue and a queue that is not there`() throws {
            try declare()
            try fill(queues.dead, 0..<2)
            #expect(try dead("replay", "--to", queues.dead).status == 64)
            #expect(try dead("replay", "--to", "test.\(queues.id).none").status == 78)
            try awaitCount(2, in: queues.dead)
        }

        @Test func `purge asks for --yes or a condition, and removes only what matches`() throws {
            try declare()
            try fill(queues.dead, 0..<100)
            #expect(try dead("purge").status == 64)
            #expect(try dead("purge", "--where", "reason=replyUnroutable").output == "50 of 100 messages removed\n")
            #expect(try ids(dead("list", "--json")) == names(stride(from: 0, to: 100, by: 2)))
            #expect(try dead("purge", "--yes", "--limit", "10").output == "10 of 50 messages removed\n")
            #expect(try ids(dead("list", "--json", "--limit", "1")) == ["m20"])
            #expect(try dead("purge", "--yes").output == "40 of 40 messages removed\n")
            try awaitCount(0, in: queues.dead)
            #expect(try dead("list").status == 0)
        }

        @Test func `wrong conditions, a missing queue and a missing broker have their exit statuses`() throws {
            #expect(try dead("list", "--where", "reasn=x").status == 64)
            #expect(try dead("list").status == 78)
            let result = try WorkerProgram.run(["dead", "list"], url: "amqp://127.0.0.1:1")
            #expect(result.status == 69)
        }
    }
}
