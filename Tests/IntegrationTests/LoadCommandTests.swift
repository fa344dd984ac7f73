import AMQP
import Foundation
import Synchronization
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    @Suite(
        .enabled(if: Broker.isControllable, Comment(rawValue: Broker.controlAbsence)),
        .enabled(if: WorkerProcess.isPresent, Comment(rawValue: WorkerProcess.absence)))
    struct LoadCommandTests {
        private let queues = QueueNames()

        private func load(_ arguments: String..., url: String? = nil) throws -> (WorkerProgram.Result, [String: Any]) {
            let result = try WorkerProgram.run(["load", "--queue", queues.input, "--json"] + arguments, url: url)
            return (result, try result.objects().first ?? [:])
        }

        /// A responder that answers each request of a queue as it is told, until the load test ends.
        private func respond(
            _ arguments: [String], answer: (Peer, Peer.Message, Int) throws -> Void
        ) throws -> (status: Int32, report: [String: Any]) {
            let peer = try Peer()
            try peer.connection.declare(QueueDeclaration(name: queues.input, arguments: []))
            try peer.consume(queues.input)
            let started = try WorkerProgram.start(["load", "--queue", queues.input, "--json"] + arguments)
            var count = 0
            try eventually("the end of the load test", within: .seconds(60)) {
                try peer.turn()
                while count < peer.received.count {
                    try answer(peer, peer.received[count], count)
                    count += 1
                }
                return !started.process.isRunning
            }
            let output = started.output.fileHandleForReading.readDataToEndOfFile()
            started.process.waitUntilExit()
            _ = started.errors()
            let report = try JSONSerialization.jsonObject(with: output) as? [String: Any]
            return (started.process.terminationStatus, try #require(report))
        }

        private func reply(_ peer: Peer, to request: Peer.Message, messageID: String? = nil) throws {
            let queue = request.raw.text(request.raw.replyTo)
            try peer.publish(#"{"handled":true}"#, to: queue) {
                $0.correlationID = $0.text(request.correlationID)
                $0.messageID = $0.text(messageID ?? "re:" + request.messageID)
            }
        }

        @Test(arguments: ["durable", "exclusive"])
        func `every request of several producers is answered, at the rate that was asked for`(_ mode: String) throws {
            let running = try RunningWorker(queues)
            try running.ready()
            let picture = FileManager.default.temporaryDirectory.appendingPathComponent("\(queues.id).\(mode).svg")
            defer { try? FileManager.default.removeItem(at: picture) }
            let (result, report) = try load(
                "--rate", "400", "--duration", "2s", "--producers", "3", "--reply-mode", mode, "--plot", picture.path)
            #expect(result.status == 0, "\(result.errors)")
            #expect(report["sent"] as? Int == 800)
            #expect(report["answered"] as? Int == 800)
            for name in ["lost", "duplicate", "unexpected"] { #expect(report[name] as? Int == 0) }
            let seconds = try #require(report["seconds"] as? Double)
            #expect(seconds >= 1.9)
            let latency = try #require(report["latency"] as? [String: Double])
            let names = ["p50", "p90", "p99", "p999", "max"]
            let values = try names.map { try #require(latency[$0]) }
            #expect(values == values.sorted() && values[0] > 0)
            let text = try String(contentsOf: picture, encoding: .utf8)
            #expect(text.contains("800 of 800 answered"))
            #expect(try running.stop() == .clean)
        }

        @Test func `a count is kept exactly, without a rate, and activities come from a file`() throws {
            let running = try RunningWorker(queues)
            try running.ready()
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(queues.id).ndjson")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data("{\"activityType\":\"a\"}\n\n{\"activityType\":\"unknown\"}\n".utf8).write(to: file)
            let (result, report) = try load(
                "--count", "1001", "--producers", "2", "--activities", file.path, "--in-flight", "50")
            #expect(result.status == 0)
            #expect(report["sent"] as? Int == 1001)
            #expect(report["answered"] as? Int == 1001)
            let handled = try #require(report["handled"] as? Int)
            #expect((500...502).contains(handled))
            #expect(try running.stop() == .clean)
            // Nothing is left behind.
            #expect(try Peer().connection.inspect(queue: queues.dead).messageCount == 0)
        }

        @Test func `lost, repeated, foreign and overtaking answers are told apart`() throws {
            var held: Peer.Message?
            let (status, report) = try respond(["--count", "20", "--timeout", "1s"]) { peer, request, index in
                switch index {
                case 3: return
                case 5: held = request
                case 7:
                    try reply(peer, to: request)
                    if let held { try reply(peer, to: held) }
                case 9:
                    try reply(peer, to: request)
                    try reply(peer, to: request)
                case 11: try reply(peer, to: request, messageID: "re:another")
                default: try reply(peer, to: request)
                }
            }
            #expect(status == 69)
            #expect(report["sent"] as? Int == 20)
            #expect(report["answered"] as? Int == 18)
            #expect(report["lost"] as? Int == 2)
            #expect(report["duplicate"] as? Int == 1)
            #expect(report["unexpected"] as? Int == 1)
            #expect(report["outOfOrder"] as? Int == 1)
        }

        @Test func `an answer to no request ends with 65`() throws {
            let (status, report) = try respond(["--count", "5"]) { peer, request, index in
                if index == 2 {
                    try peer.publish("?", to: request.raw.text(request.raw.replyTo)) {
                        $0.correlationID = $0.text("other")
                    }
                }
                try reply(peer, to: request)
            }
            #expect(status == 65)
            #expect(report["unexpected"] as? Int == 1)
            #expect(report["lost"] as? Int == 0)
        }

        @Test func `a stall is seen by every request that it held up`() throws {
            // For a second nothing is answered. A client that waits for answers before it sends would see one slow request.
            var start: ContinuousClock.Instant?
            var waiting: [Peer.Message] = []
            let (status, report) = try respond(["--rate", "200", "--duration", "2s"]) { peer, request, _ in
                let begin = start ?? .now
                start = begin
                waiting.append(request)
                guard begin.duration(to: .now) > .seconds(1) else { return }
                for request in waiting { try reply(peer, to: request) }
                waiting = []
            }
            #expect(status == 0)
            let latency = try #require(report["latency"] as? [String: Double])
            #expect(try #require(latency["max"]) > 0.9)
            // Half of the requests were due within the stall, so a quarter of all waited for over half a second.
            #expect(try #require(latency["p90"]) > 0.5)
        }

        @Test func `connections that are cut are opened again, and nothing is lost`() throws {
            let running = try RunningWorker(queues)
            try running.ready()
            let started = try WorkerProgram.start(
                ["load", "--queue", queues.input, "--json", "--rate", "300", "--duration", "1h"])
            func answersCome() throws {
                let before = running.worker.metrics.deliveries.load(ordering: .relaxed)
                try eventually("answers") { running.worker.metrics.deliveries.load(ordering: .relaxed) > before + 100 }
            }
            for _ in 0..<2 {
                try answersCome()
                try Broker.control("close_all_connections", "test")
            }
            try answersCome()
            kill(started.process.processIdentifier, SIGINT)
            let output = started.output.fileHandleForReading.readDataToEndOfFile()
            started.process.waitUntilExit()
            #expect(started.process.terminationStatus == 0, "\(started.errors())")
            let report = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
            #expect(report["answered"] as? Int == report["sent"] as? Int)
            #expect(report["lost"] as? Int == 0)
            #expect(report["unexpected"] as? Int == 0)
            #expect(try #require(report["reconnects"] as? Int) >= 1)
            #expect(try running.stop() == .clean)
        }

        @Test func `an interrupt ends the sending, and the report comes when all is answered`() throws {
            let running = try RunningWorker(queues)
            try running.ready()
            let started = try WorkerProgram.start(
                ["load", "--queue", queues.input, "--json", "--rate", "200", "--duration", "1h"])
            try eventually("answers") { running.worker.metrics.deliveries.load(ordering: .relaxed) > 50 }
            kill(started.process.processIdentifier, SIGINT)
            let output = started.output.fileHandleForReading.readDataToEndOfFile()
            started.process.waitUntilExit()
            #expect(started.process.terminationStatus == 0, "\(started.errors())")
            let report = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
            #expect(report["lost"] as? Int == 0)
            #expect(try #require(report["sent"] as? Int) > 50)
            #expect(try running.stop() == .clean)
        }

        @Test func `no queue, no broker and wrong flags have their exit statuses`() throws {
            #expect(try load("--count", "1").0.status == 78)
            #expect(try load("--count", "1", url: "amqp://127.0.0.1:1").0.status == 69)
            for wrong in [
                ["--rate", "0"], ["--rate", "x"], ["--count", "0"], ["--producers", "0"], ["--reply-mode", "x"],
            ] {
                #expect(try WorkerProgram.run(["load"] + wrong).status == 64)
            }
            #expect(try WorkerProgram.run(["load", "--activities", "/nonexistent/file"]).status == 66)
        }
    }
}
