import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(
        .enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)),
        .enabled(if: WorkerProcess.isPresent, Comment(rawValue: WorkerProcess.absence)))
    struct TopologyCommandTests {
        private let queues = QueueNames()

        private func topology(_ command: String, _ more: String...) throws -> WorkerProgram.Result {
            try WorkerProgram.run(["topology", command] + WorkerProgram.flags(queues) + more)
        }

        private func declare(_ name: String, _ arguments: [QueueDeclaration.Argument]) throws {
            try Peer().connection.declare(QueueDeclaration(name: name, arguments: arguments))
        }

        @Test func `what declare makes, verify finds equal, and the worker takes as its own`() throws {
            let before = try topology("verify", "--items")
            #expect(before.status == 78)
            #expect(before.lines.count { $0.hasSuffix(": missing") } == 4)
            #expect(try topology("declare", "--items").status == 0)
            let after = try topology("verify", "--items")
            #expect(after.status == 0)
            #expect(after.lines.count { $0.hasSuffix(": as declared") } == 4)
            let running = try RunningWorker(queues)
            try running.ready()
            #expect(try running.stop() == .clean)
        }

        @Test(arguments: ["quorum", "classic"])
        func `verify finds equal what the broker makes of printed definitions`(_ type: String) throws {
            let printed = try topology("print", "--json", "--items", "--queue-type", type)
            #expect(printed.status == 0)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(queues.id).json")
            try Data(printed.output.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try Broker.control("import_definitions", file.path)
            #expect(try topology("verify", "--items", "--queue-type", type).status == 0)
        }

        @Test func `verify tells every argument that differs, and what to do`() throws {
            try declare(
                queues.dead,
                [
                    .init("x-queue-type", .text("quorum")), .init("x-delivery-limit", .number(5)),
                    .init("x-max-length", .number(10)), .init("x-max-length-bytes", .number(5_000_000_000)),
                    .init("x-single-active-consumer", .flag(true)),
                ])
            try declare(queues.reply, [])
            try declare(queues.input, [.init("x-queue-type", .text("quorum"))])
            let text = try topology("verify")
            #expect(text.status == 78)
            let wanted = [
                "\(queues.dead): differs", "x-delivery-limit is 5, wanted is 1000000",
                "x-max-length is 10, wanted is not set",
                "x-max-length-bytes is 5000000000", "x-single-active-consumer is true", "\(queues.reply): differs",
                "wanted is \"quorum\"", "its other arguments cannot be compared", "\(queues.input): differs",
                "x-dead-letter-exchange is not set, wanted is \"\"",
                "x-dead-letter-routing-key is not set, wanted is \"\(queues.dead)\"",
                "x-dead-letter-strategy is not set", "x-overflow is not set",
                "x-delivery-limit is not set, wanted is 20",
                "rabbitmqctl delete_queue \(queues.dead) --if-empty",
            ]
            for part in wanted { #expect(text.output.contains(part), "\(part) in \(text.output)") }

            let object = try #require(try topology("verify", "--json").objects().first)
            #expect(object["equal"] as? Bool == false)
            let found = try #require(object["queues"] as? [[String: Any]])
            #expect(found.map { $0["state"] as? String } == ["different", "different", "different"])
            let differences = try #require(found[0]["differences"] as? [[String: Any]])
            #expect(differences.count == 4)
            #expect(
                differences.contains { $0["argument"] as? String == "x-delivery-limit" && $0["current"] as? Int == 5 })
            // Looking has made and changed nothing.
            #expect(try topology("verify").output == text.output)
        }

        @Test func `a queue that another connection owns differs`() throws {
            let peer = try Peer()
            let owned = try peer.connection.declareReplyQueue()
            let result = try WorkerProgram.run([
                "topology", "verify", "--reply-queue", owned, "--dead-queue", queues.dead,
            ])
            #expect(result.status == 78)
            #expect(result.output.contains("exclusive is true, wanted is false"))
        }

        @Test func `declare ends with 78 over a queue with other arguments, and says which`() throws {
            try declare(queues.dead, [.init("x-queue-type", .text("quorum")), .init("x-delivery-limit", .number(5))])
            let result = try topology("declare")
            #expect(result.status == 78)
            #expect(result.errors.contains("x-delivery-limit"))
        }

        @Test func `without a broker the status is 69, without the permission 77, with two equal names 64`() throws {
            #expect(try WorkerProgram.run(["topology", "verify"], url: "amqp://127.0.0.1:1").status == 69)
            #expect(try WorkerProgram.run(["topology", "declare"], url: "amqp://127.0.0.1:1").status == 69)
            let user = "user.\(queues.id)"
            try Broker.control("add_user", user, "secret")
            defer { _ = try? Broker.control("delete_user", user) }
            try Broker.control("set_permissions", user, "^$", ".*", ".*")
            _ = try topology("declare")
            let url = try Broker.requiredURLText().replacingOccurrences(of: "guest:guest@", with: "\(user):secret@")
            let result = try WorkerProgram.run(["topology", "verify"] + WorkerProgram.flags(queues), url: url)
            #expect(result.status == 77)
            #expect(!result.errors.contains("secret"))
            #expect(try WorkerProgram.run(["topology", "print", "--queue", "a", "--dead-queue", "a"]).status == 64)
        }
    }
}
