import AMQP
import Foundation
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    /// CloudEvents by a broker: answers come in the request's mode.
    struct CloudEventTests {
        private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

        /// Sends one request and gives back its answer.
        private func answer(
            _ body: String, set: (inout OutgoingMessage) -> Void
        ) throws -> (message: Peer.Message, queue: String) {
            let running = try RunningWorker()
            try running.ready()
            let peer = try Peer()
            try peer.publish(body, to: running.queues.input) {
                $0.messageID = $0.text("m1")
                set(&$0)
            }
            try peer.confirm()
            try peer.consume(running.queues.reply)
            try peer.await(1)
            #expect(try running.stop() == .clean)
            return (try #require(peer.received.first), running.queues.input)
        }

        @Test func `a structured event is answered by a structured event`() throws {
            let (answer, queue) = try answer(
                #"{"specversion":"1.0","id":"7","source":"/app","type":"t","subject":"movies","#
                    + #""traceparent":"\#(Self.trace)","data":{"activityType":"open","title":"Alien"}}"#
            ) {
                $0.contentType = $0.text("application/cloudevents+json; charset=utf-8")
            }
            #expect(answer.contentType == "application/cloudevents+json")
            let event = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
            #expect(event["id"] as? String == "re:m1")
            #expect(event["id"] as? String == answer.messageID)
            #expect(event["source"] as? String == "/deeplink-worker/" + queue)
            #expect(event["type"] as? String == "com.deeplink.navigation-command")
            #expect(event["specversion"] as? String == "1.0")
            #expect(event["subject"] as? String == "movies")
            #expect(event["traceparent"] as? String == Self.trace)
            #expect(event["datacontenttype"] as? String == "application/json")
            #expect((event["time"] as? String)?.hasSuffix("Z") == true)
            let data = try #require(event["data"] as? [String: Any])
            #expect(data["title"] as? String == "Alien")
            #expect(data["handled"] as? Bool == true)
            #expect(answer.raw.textHeaders().isEmpty)
        }

        @Test(arguments: ["cloudEvents_", "cloudEvents:"])
        func `a binary event is answered by a binary event with headers of the same form`(prefix: String) throws {
            let attributes = [
                "specversion": "1.0", "id": "7", "source": "/app", "type": "t", "subject": "movies",
                "traceparent": Self.trace,
            ]
            let (answer, queue) = try answer(#"{"activityType":"open","title":"Alien"}"#) {
                for (name, text) in attributes { $0.addHeader(Array((prefix + name).utf8), text) }
                $0.contentType = $0.text("application/json")
            }
            #expect(answer.contentType == "application/json")
            #expect(answer.text == #"{"activityType":"open","handled":true,"title":"Alien"}"#)
            var headers = answer.raw.textHeaders()
            #expect(headers.removeValue(forKey: prefix + "time")?.hasSuffix("Z") == true)
            #expect(
                headers == [
                    prefix + "id": "re:m1", prefix + "source": "/deeplink-worker/" + queue,
                    prefix + "specversion": "1.0", prefix + "type": "com.deeplink.navigation-command",
                    prefix + "subject": "movies", prefix + "traceparent": Self.trace,
                ])
        }

        @Test func `a plain request is answered without an event`() throws {
            let (answer, _) = try answer(#"{"activityType":"open"}"#) { _ in }
            #expect(answer.contentType == "application/json")
            #expect(answer.raw.textHeaders().isEmpty)
            #expect(answer.text == #"{"activityType":"open","handled":true}"#)
        }

        @Test func `malformed events are dead-lettered with a sentence, and told in their mode`() throws {
            let running = try RunningWorker(replyTo: ["test.*.mine"])
            try running.ready()
            let peer = try Peer()
            let mine = "test.\(running.queues.id).mine"
            try peer.connection.declare(QueueDeclaration(name: mine, arguments: []))
            try peer.publish(#"{"specversion":"1.0","data":{"activityType":"open"}}"#, to: running.queues.input) {
                $0.messageID = $0.text("structured")
                $0.replyTo = $0.text(mine)
                $0.contentType = $0.text("application/cloudevents+json")
            }
            try peer.publish(#"{"activityType":"open"}"#, to: running.queues.input) {
                $0.messageID = $0.text("binary")
                $0.replyTo = $0.text(mine)
                $0.addHeader(Array("cloudEvents_specversion".utf8), "0.1")
            }
            try peer.publish("[]", to: running.queues.input) {
                $0.messageID = $0.text("batch")
                $0.replyTo = $0.text(mine)
                $0.contentType = $0.text("application/cloudevents-batch+json")
            }
            try peer.confirm()
            try peer.consume(mine)
            try peer.await(3)
            let answers = Dictionary(uniqueKeysWithValues: peer.received.map { ($0.messageID, $0) })
            let structured = try #require(answers["re:structured"])
            #expect(structured.contentType == "application/cloudevents+json")
            #expect(
                structured.text.hasPrefix(#"{"data":{"handled":false,"message":"The event's attribute id is missing"#))
            let binary = try #require(answers["re:binary"])
            #expect(binary.text.contains("specversion must be 1.0"))
            #expect(binary.raw.textHeaders()["cloudEvents_id"] == "re:binary")
            #expect(answers["re:batch"]?.text.contains("application/cloudevents+json or absent") == true)
            let dead = try Peer()
            try dead.consume(running.queues.dead)
            try dead.await(3)
            let reasons = dead.received.map { ($0.messageID, $0.raw.textHeaders()["deeplink-reason"]) }
            #expect(
                Dictionary(uniqueKeysWithValues: reasons) == [
                    "structured": "malformedMessage", "binary": "malformedMessage", "batch": "unsupportedContentType",
                ])
            #expect(try running.stop() == .clean)
        }

        @Test func `a rejected event keeps its trace context, as a dead letter and in the answer`() throws {
            let running = try RunningWorker(replyTo: ["test.*.mine"])
            try running.ready()
            let peer = try Peer()
            let mine = "test.\(running.queues.id).mine"
            try peer.connection.declare(QueueDeclaration(name: mine, arguments: []))
            let attributes = [
                "specversion": "1.0", "id": "7", "source": "/app", "type": "t", "traceparent": Self.trace,
            ]
            let structured =
                #"{"specversion":"1.0","id":"7","source":"/app","type":"t","traceparent":"\#(Self.trace)","#
                + #""tracestate":"rojo=1","data":{"activityType":17}}"#
            try peer.publish(structured, to: running.queues.input) {
                $0.messageID = $0.text("structured")
                $0.replyTo = $0.text(mine)
                $0.contentType = $0.text("application/cloudevents+json")
                $0.traceParent = $0.text(Self.trace)
            }
            try peer.publish(#"{"activityType":17}"#, to: running.queues.input) {
                $0.messageID = $0.text("binary")
                $0.replyTo = $0.text(mine)
                for (name, text) in attributes { $0.addHeader(Array(("cloudEvents:" + name).utf8), text) }
            }
            try peer.confirm()
            try peer.consume(running.queues.dead)
            try peer.await(2)
            let dead = Dictionary(uniqueKeysWithValues: peer.received.map { ($0.messageID, $0) })
            #expect(dead["structured"]?.text == structured)
            #expect(dead["structured"]?.contentType == "application/cloudevents+json")
            #expect(dead["structured"]?.raw.textHeaders()["traceparent"] == Self.trace)
            let headers = try #require(dead["binary"]).raw.textHeaders()
            for (name, text) in attributes { #expect(headers["cloudEvents:" + name] == text) }
            let answered = try Peer()
            try answered.consume(mine)
            try answered.await(2)
            let answers = Dictionary(uniqueKeysWithValues: answered.received.map { ($0.messageID, $0) })
            let body = try #require(answers["re:structured"]).body
            let event = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            #expect(event["traceparent"] as? String == Self.trace)
            #expect(event["tracestate"] as? String == "rojo=1")
            #expect(answers["re:structured"]?.raw.textHeaders()["traceparent"] == Self.trace)
            #expect(answers["re:binary"]?.raw.textHeaders()["cloudEvents:traceparent"] == Self.trace)
            #expect(try running.stop() == .clean)
        }
    }
}
