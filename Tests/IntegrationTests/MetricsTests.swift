import AMQP
import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.enabled(if: WorkerProcess.isPresent, Comment(rawValue: WorkerProcess.absence)))
    struct MetricsTests {
        private static let promtool = "/usr/bin/promtool"
        private let queues = QueueNames()

        private func worker(_ arguments: [String] = []) throws -> WorkerProcess {
            let worker = try WorkerProcess(
                queues, configuration: "activities: [{activityType: a, command: c}]\n", extraArguments: arguments)
            try worker.start()
            try eventually("the worker to be ready; its log: \(worker.log)") { worker.isReady }
            return worker
        }

        @Test func `the metrics tell what was done`() throws {
            let worker = try worker()
            let peer = try Peer()
            let seconds = UInt64(Date().timeIntervalSince1970) - 3
            for body in [#"{"activityType":"a"}"#, #"{"activityType":"b"}"#, "not JSON"] {
                try peer.publish(body, to: queues.input) { $0.timestamp = seconds }
            }
            try peer.confirm()
            try eventually("three settled requests") { try worker.metric("deeplink_settled_total") == 3 }
            let metrics = try worker.metrics()
            let wanted: [String: Double] = [
                #"deeplink_deliveries_total{redelivered="false"}"#: 3,
                #"deeplink_answers_total{handled="true",reason=""}"#: 1,
                #"deeplink_answers_total{handled="false",reason="activityNotRouted"}"#: 1,
                #"deeplink_dead_letters_total{reason="malformedMessage"}"#: 1,
                #"deeplink_settled_total{outcome="answered"}"#: 2,
                #"deeplink_settled_total{outcome="dead_lettered"}"#: 1, "deeplink_in_flight": 0,
                "deeplink_unconfirmed": 0, #"deeplink_connections{role="consuming"}"#: 1,
                #"deeplink_connections{role="publishing"}"#: 1, "deeplink_end_to_end_seconds_count": 3,
                "deeplink_heartbeat_misses_total": 0, "deeplink_ready_pipelines": 1, "deeplink_store_outages_total": 0,
                #"deeplink_unready_pipelines{reason="store_unavailable"}"#: 0,
                #"deeplink_build_info{version="0.1.0"}"#: 1,
            ]
            for (name, value) in wanted { #expect(metrics[name] == value, "\(name)") }
            #expect(try #require(metrics["deeplink_end_to_end_seconds_sum"]) >= 9)
            #expect(try #require(metrics["process_resident_memory_bytes"]) > 1_000_000)
            #expect(try #require(metrics["process_open_fds"]) > 3)
            let started = try #require(metrics["process_start_time_seconds"])
            #expect(abs(started - Date().timeIntervalSince1970) < 120)
            #expect(try worker.terminate() == 0)
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "promtool is not installed"))
        func `promtool has nothing to say against the metrics`() throws {
            let worker = try worker()
            let address = try #require(worker.healthAddress)
            // promtool prints what it finds, and ends with a status that is not 0.
            let said = try run(
                "/bin/sh", ["-c", "curl -sf http://\(address)/metrics | \(Self.promtool) check metrics"])
            #expect(said == "")
            #expect(try worker.terminate() == 0)
        }

        @Test func `a flood of bad messages is folded in the log, without a word of them or of the password`() throws {
            let worker = try worker(["--log-format", "json"])
            let peer = try Peer()
            for number in 0..<500 { try peer.publish("secret-body-\(number)", to: queues.input) }
            try peer.confirm()
            try eventually("500 dead letters") { try worker.metric("deeplink_dead_letters_total") == 500 }
            #expect(try worker.terminate() == 0)
            let lines = worker.log.split(separator: "\n").map(String.init)
            let objects = try lines.map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            }
            let rejections = objects.filter { $0["event"] as? String == "rejected a request" }
            let folded = rejections.compactMap { $0["folded"] as? Int }.reduce(0, +)
            let written = rejections.count { $0["folded"] == nil }
            #expect(written + folded == 500)
            #expect(written < 50)
            #expect(!worker.log.contains("secret-body"))
            #expect(!worker.log.contains("guest:guest"))
        }

        @Test func `a trace context is passed on in answers and dead letters, and no other`() throws {
            let worker = try worker()
            let peer = try Peer()
            let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            func publish(_ id: String, _ body: String, _ parent: String, _ state: String) throws {
                try peer.publish(body, to: queues.input) {
                    $0.messageID = $0.text(id)
                    $0.traceParent = $0.text(parent)
                    $0.traceState = $0.text(state)
                }
            }
            try publish("good", #"{"activityType":"a"}"#, parent, "rojo=1,congo=t61")
            try publish("bad-parent", #"{"activityType":"a"}"#, parent.uppercased(), "rojo=1")
            try publish("bad-state", #"{"activityType":"a"}"#, parent, "Rojo=1")
            try publish("dead", "not JSON", parent, "rojo=1")
            try peer.confirm()
            try peer.consume(queues.reply)
            try peer.consume(queues.dead)
            try peer.await(4)
            func headers(_ id: String) throws -> [String: String] {
                try #require(peer.received.first { $0.messageID == id }).raw.textHeaders()
            }
            #expect(try headers("re:good") == ["traceparent": parent, "tracestate": "rojo=1,congo=t61"])
            #expect(try headers("re:bad-parent").isEmpty)
            #expect(try headers("re:bad-state") == ["traceparent": parent])
            #expect(try headers("dead")["traceparent"] == parent)
            #expect(try headers("dead")["tracestate"] == "rojo=1")
            #expect(try worker.terminate() == 0)
        }
    }
}
