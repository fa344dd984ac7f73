import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// Messages that are made to harm.
    struct HostileMessageTests {
        /// What becomes of a message.
        enum Fate: Equatable {
            case answered
            case deadLettered(String)
        }

        struct Hostile: Sendable {
            let what: String
            var properties = WireProperties()
            var body: [UInt8] = HostileMessageTests.good
            var fate: Fate = .answered

            init(_ what: String, body: [UInt8], _ reason: String = "malformedMessage") {
                self.what = what
                self.body = body
                fate = .deadLettered(reason)
            }

            init(_ what: String, body: String, _ reason: String = "malformedMessage") {
                self.init(what, body: Array(body.utf8), reason)
            }

            init(_ what: String, _ fate: Fate = .answered, _ set: (inout WireProperties) -> Void) {
                self.what = what
                self.fate = fate
                set(&properties)
            }
        }

        static let good: [UInt8] = Array(#"{"activityType":"com.example.tab","title":"Movies"}"#.utf8)

        static let bodies: [Hostile] = [
            Hostile("not JSON", body: "open sesame"), Hostile("nothing", body: ""),
            Hostile("16 MiB", body: Array(repeating: 0x20, count: 16 << 20), "bodyTooLarge"),
            Hostile("invalid UTF-8", body: Array(#"{"activityType":"a"#.utf8) + [0xFF, 0x22, 0x7D]),
            Hostile("a lone surrogate", body: #"{"activityType":"\ud800"}"#),
            Hostile("a byte order mark", body: [0xEF, 0xBB, 0xBF] + Array(#"{"activityType":"a"}"#.utf8)),
            Hostile("NUL", body: [0]), Hostile("NaN", body: #"{"activityType":"a","userInfo":{"n":NaN}}"#),
            Hostile("infinity", body: #"{"activityType":"a","userInfo":{"n":1e999}}"#),
            Hostile("a number without end", body: #"{"activityType":"a","userInfo":{"n":\#(String(repeating: "9", count: 100_000))}}"#),
            Hostile(
                "100,000 arrays in each other",
                body: String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)),
            Hostile("objects without end", body: String(repeating: #"{"a":"#, count: 40_000)),
            Hostile(
                "an object 65 deep",
                body: #"{"activityType":"a","userInfo":"#
                    + String(repeating: #"{"a":"#, count: 64) + "1" + String(repeating: "}", count: 65)),
        ]

        static let propertied: [Hostile] = [
            Hostile("an unknown content type", .deadLettered("unsupportedContentType")) { $0.contentType = "text/plain" },
            Hostile("a content type of 255 bytes", .deadLettered("unsupportedContentType")) {
                $0.contentType = String(repeating: "x", count: 255)
            },
            Hostile("compressed", .deadLettered("unsupportedContentEncoding")) { $0.contentEncoding = "gzip" },
            Hostile("a correlation_id of 255 bytes") { $0.correlationID = String(repeating: "\u{1}", count: 255) },
            Hostile("the last timestamp") { $0.timestamp = .max },
            Hostile("a timestamp at 2^63") { $0.timestamp = 1 << 63 },
            Hostile("a reply to the input queue", .deadLettered("replyToNotAllowed")) { $0.replyTo = "INPUT" },
            Hostile("a reply to the dead letters", .deadLettered("replyToNotAllowed")) { $0.replyTo = "DEAD" },
            Hostile("a reply to somebody else", .deadLettered("replyToNotAllowed")) { $0.replyTo = "amq.rabbitmq.log" },
            Hostile("a reply to 255 bytes", .deadLettered("replyToNotAllowed")) {
                $0.replyTo = String(repeating: "é", count: 127)
            },
            Hostile("a header without a name") { $0.headers = Wire.table([("", .text([]))]) },
            Hostile("a header without a name, within") {
                $0.headers = Wire.table([("a", .table([("", .void)])), ("b", .array([.table([("", .int(1))])]))])
            },
            Hostile("16,000 tables in each other") { $0.headers = Wire.table([("n", .nest(depth: 16_000))]) },
            Hostile("100 KB in a header") {
                $0.headers = Wire.table([("big", .text(Array(repeating: 0x41, count: 100_000)))])
            },
            Hostile("10,000 headers") {
                $0.headers = Wire.table((0..<10_000).map { ("h\($0)", .boolean(true)) })
            },
            Hostile("every type of header") { $0.headers = Wire.table(everyType) },
            Hostile("forged counters") {
                $0.headers = Wire.table([
                    ("x-delivery-count", .long(-5)), ("x-death", .text(Array("forged".utf8))),
                    ("deeplink-reason", .text(Array("forged".utf8))), ("traceparent", .int(7)),
                    ("tracestate", .text([0, 0xFF, 10])),
                ])
            },
        ]

        private static let everyType: [(name: String, value: WireValue)] = [
            ("t", .boolean(true)), ("b", .byte(-1)), ("B", .unsignedByte(255)), ("s", .short(.min)),
            ("u", .unsignedShort(.max)), ("I", .int(.min)), ("i", .unsignedInt(.max)), ("l", .long(.min)),
            ("f", .float(.greatestFiniteMagnitude)), ("d", .double(.leastNonzeroMagnitude)), ("D", .decimal(scale: 255, .max)),
            ("S", .text([0xC3, 0x28])), ("x", .bytes([0, 1, 2])), ("A", .array([.void, .array([]), .table([])])),
            ("T", .timestamp(.max)), ("F", .table([("F", .table([("F", .table([]))]))])), ("V", .void),
        ]

        /// Every one alone, and those that differ in their properties once more with a body that is no JSON.
        private static var all: [Hostile] {
            bodies + propertied
                + propertied.filter { $0.fate == .answered }.map { hostile in
                    var bad = Hostile("\(hostile.what), and no JSON", body: "no JSON")
                    bad.properties = hostile.properties
                    return bad
                }
        }

        @Test func `12 hostile messages end where they belong, and their neighbours are answered`() throws {
            let scene = try Scene(throughProxy: false)
            try scene.worker.startReady()
            let publisher = try RawPublisher(port: scene.broker.port)
            let all = Self.all
            var published = Ledger()
            for (number, hostile) in all.enumerated() {
                var properties = hostile.properties
                properties.messageID = "h\(number)"
                if properties.replyTo == "INPUT" { properties.replyTo = scene.queues.input }
                if properties.replyTo == "DEAD" { properties.replyTo = scene.queues.dead }
                let isTaken = try publisher.publish(properties, body: hostile.body, to: scene.queues.input)
                try #require(isTaken, "the broker refused: \(hostile.what)")
                let neighbour = WireProperties(messageID: "n\(number)")
                #expect(try publisher.publish(neighbour, body: Self.good, to: scene.queues.input))
                for id in ["h\(number)", "n\(number)"] {
                    published.publish(id)
                    published.confirm(id)
                }
            }
            let expected = all.indices.filter { all[$0].fate != .answered }
            let ledger = try scene.check(
                published, scenario: "12", repeatsMax: 0, deadLetters: Set(expected.map { "h\($0)" }))
            for number in expected {
                guard case .deadLettered(let reason) = all[number].fate else { continue }
                #expect(ledger.deadLetterReasons["h\(number)"] == [reason], "\(all[number].what)")
            }
            #expect(try scene.worker.metric("deeplink_reconnects_total") == 0, "\(scene.worker.log)")
            #expect(try scene.worker.terminate() == 0)
        }

        @Test func `12 headers that route are not followed when a message is dead-lettered`() throws {
            let scene = try Scene(throughProxy: false)
            try scene.worker.startReady()
            let elsewhere = "test.\(scene.queues.id).elsewhere"
            let peer = try Peer()
            try peer.connection.declare(QueueDeclaration(name: elsewhere, arguments: []))
            let publisher = try RawPublisher(port: scene.broker.port)
            var properties = WireProperties(messageID: "cc")
            let target = WireValue.array([.text(Array(elsewhere.utf8))])
            properties.headers = Wire.table([("CC", target), ("BCC", target)])
            #expect(try publisher.publish(properties, body: Array("no JSON".utf8), to: scene.queues.input))
            #expect(try publisher.publish(WireProperties(messageID: "good"), body: Self.good, to: scene.queues.input))
            var published = Ledger()
            for id in ["cc", "good"] {
                published.publish(id)
                published.confirm(id)
            }
            try scene.check(published, scenario: "12 CC", repeatsMax: 0, deadLetters: ["cc"])
            // The sender's own copies, and none of the worker's.
            let copies = try peer.connection.inspect(queue: elsewhere).messageCount
            #expect((1...2).contains(copies))
            #expect(try scene.worker.terminate() == 0)
        }
    }
}
