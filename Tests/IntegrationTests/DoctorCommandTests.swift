import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(
        .enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)),
        .enabled(if: WorkerProcess.isPresent, Comment(rawValue: WorkerProcess.absence)))
    struct DoctorCommandTests {
        private let queues = QueueNames()

        private struct Finding {
            let severity: String, area: String, message: String, remedy: String?
        }

        private func doctor(
            _ arguments: String..., url: String? = nil
        ) throws -> (status: Int32, findings: [Finding], text: String) {
            let flags = ["doctor", "--json", "--http", "127.0.0.1:0"] + WorkerProgram.flags(queues)
            let result = try WorkerProgram.run(flags + arguments, url: url)
            let object = try #require(try result.objects().first, "\(result.errors)")
            let findings = try #require(object["findings"] as? [[String: Any]]).map { finding in
                Finding(
                    severity: finding["severity"] as? String ?? "", area: finding["area"] as? String ?? "",
                    message: finding["message"] as? String ?? "", remedy: finding["remedy"] as? String)
            }
            #expect(object["errors"] as? Int == findings.count { $0.severity == "error" })
            #expect(object["warnings"] as? Int == findings.count { $0.severity == "warning" })
            return (result.status, findings, result.output + result.errors)
        }

        @Test func `a broker without queues is well, and nothing is changed`() throws {
            let (status, findings, _) = try doctor()
            #expect(status == 0)
            #expect(!findings.contains { $0.severity == "error" })
            for area in ["versions", "broker", "limits", "queue", "permissions", "clock", "descriptors", "http"] {
                #expect(findings.contains { $0.area == area && $0.severity == "ok" }, "\(area) in \(findings)")
            }
            #expect(findings.contains { $0.message.hasPrefix("RabbitMQ ") })
            #expect(findings.contains { $0.message.contains("agree to 2 seconds") })
            #expect(!(try Broker.control("list_queues", "name").contains(queues.id)))
        }

        @Test func `the queues of a worker are well, dead letters are told, and no message is taken`() throws {
            let running = try RunningWorker(queues)
            try running.ready()
            let peer = try Peer()
            try peer.publish("not JSON", to: queues.input)
            try peer.confirm()
            try eventually("a dead letter") { try Peer().connection.inspect(queue: queues.dead).messageCount == 1 }
            #expect(try running.stop() == .clean)
            try peer.publish(#"{"activityType":"a"}"#, to: queues.input)
            try peer.confirm()
            let (status, findings, _) = try doctor()
            #expect(status == 0)
            let warnings = findings.filter { $0.severity == "warning" }
            #expect(
                warnings.contains {
                    $0.message == "\(queues.dead) has 1 messages" && $0.remedy?.contains("dead list") == true
                })
            #expect(warnings.contains { $0.message == "\(queues.input) has 1 messages and no consumer" })
            try peer.consume(queues.input)
            try peer.consume(queues.dead)
            try peer.await(2)
            #expect(peer.received.map(\.deliveryCount) == [0, 0])
        }

        @Test func `a queue with other arguments is an error with a remedy`() throws {
            try Peer().connection.declare(QueueDeclaration(name: queues.dead, arguments: []))
            let (status, findings, _) = try doctor()
            #expect(status == 78)
            let error = try #require(findings.first { $0.severity == "error" })
            #expect(error.message.contains("\(queues.dead): differs"))
            #expect(error.message.contains("x-queue-type"))
            #expect(error.remedy?.contains("delete_queue \(queues.dead)") == true)
        }

        @Test func `missing permissions are told one by one`() throws {
            let user = "user.\(queues.id)"
            try Broker.control("add_user", user, "secret")
            defer { _ = try? Broker.control("delete_user", user) }
            let url = try Broker.requiredURLText().replacingOccurrences(of: "guest:guest@", with: "\(user):secret@")
            #expect(try doctor(url: url).status == 77)
            try Broker.control("set_permissions", user, "^$", "^$", "^$")
            let flags = ["topology", "declare"] + WorkerProgram.flags(queues)
            #expect(try WorkerProgram.run(flags).status == 0)
            let (status, findings, text) = try doctor(url: url)
            #expect(status == 77)
            for part in [
                "may not configure the queue \(queues.input)", "may not read \(queues.input)", "may not publish",
            ] {
                #expect(findings.contains { $0.severity == "error" && $0.message.contains(part) }, "\(part)")
            }
            #expect(findings.contains { $0.area == "clock" && $0.message.hasPrefix("not compared") })
            #expect(!text.contains("secret"))
            try Broker.control("set_permissions", user, "^$", ".*", ".*")
            let able = try doctor("--no-declare", url: url)
            #expect(able.status == 0, "\(able.findings)")
        }

        @Test func `a broker that takes no messages is an error`() throws {
            try Broker.control("set_vm_memory_high_watermark", "0.0000001")
            defer { _ = try? Broker.control("set_vm_memory_high_watermark", "0.4") }
            let (status, findings, _) = try doctor()
            #expect(status == 69)
            #expect(findings.contains { $0.severity == "error" && $0.message.contains("takes no messages") })
        }

        @Test func `a broker that is not there, a port in use and too few descriptors are told`() throws {
            let (status, findings, _) = try doctor(url: "amqp://127.0.0.1:1")
            #expect(status == 69)
            #expect(findings.contains { $0.area == "broker" && $0.severity == "error" })
            #expect(findings.contains { $0.area == "descriptors" && $0.severity == "ok" })
            let running = try RunningWorker(queues)
            try running.ready()
            let path = try #require(WorkerProcess.path)
            let url = try Broker.requiredURLText()
            #expect(throws: ProgramFailure.self) {
                try run("/bin/sh", ["-c", "ulimit -n 30; exec '\(path)' doctor --amqp-url '\(url)' --http off"])
            }
            #expect(try running.stop() == .clean)
        }

        @Test func `the configuration and its stores are looked at`() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(queues.id)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("deeplinks.yaml")
            try Data("stores: [coredata:none.sqlite]\n".utf8).write(to: file)
            let missing = try doctor("--config", file.path)
            #expect(missing.status == 66)
            #expect(missing.findings.contains { $0.area == "configuration" && $0.message.contains("none.sqlite") })
            try Data("nonsense: 1\n".utf8).write(to: file)
            #expect(try doctor("--config", file.path).status == 78)
            let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Examples/FamilyMovies/deeplinks.yaml")
            let (status, findings, _) = try doctor("--config", example.path)
            #expect(status == 0)
            #expect(findings.contains { $0.area == "store" && $0.message.contains("4 entities, 16 objects") })
            #expect(!findings.contains { $0.message.contains(queues.items) })
            #expect(try WorkerProgram.run(["doctor", "--http", "nonsense"]).status == 64)
        }

        @Test func `with a catalog the queue of items is looked at, by 'topology' too`() throws {
            let folder = try Folder()
            defer { withExtendedLifetime(folder) {} }
            let catalog = ["store", "index", "--store", "sqlite:\(folder.path)/catalog.sqlite"]
            #expect(try WorkerProgram.run(catalog + [#"{"uniqueIdentifier":"a"}"#]).status == 0)
            try folder.write("deeplinks.yaml", "stores: ['sqlite:catalog.sqlite']\n")
            let file = folder.path + "/deeplinks.yaml"
            let before = try doctor("--config", file)
            #expect(before.status == 0, "\(before.findings)")
            #expect(before.findings.contains { $0.message == "\(queues.items): not there yet; 'run' declares it" })
            try Peer().connection.declare(QueueDeclaration(name: queues.items, arguments: []))
            let (status, findings, _) = try doctor("--config", file)
            #expect(status == 78)
            #expect(findings.contains { $0.severity == "error" && $0.message.contains("\(queues.items): differs") })
            #expect(findings.contains { $0.message == "the user may read \(queues.items)" })
            let verified = try WorkerProgram.run(
                ["topology", "verify", "--config", file] + WorkerProgram.flags(queues))
            #expect(verified.lines.contains("\(queues.items): differs"))
        }
    }
}
