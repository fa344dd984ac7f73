import Testing

@testable import AMQP

struct AMQPURLTests {
    @Test func `what a URL leaves out has RabbitMQ's defaults`() throws {
        let url = try AMQPURL("amqp://")
        #expect(url.host == "localhost" && url.port == 5672 && url.virtualHost == "/")
        #expect(url.user == "guest" && url.password == "guest" && !url.isSecure)
        #expect(try AMQPURL("amqps://broker").port == 5671)
    }

    @Test(arguments: [
        ("amqp://h/", ""), ("amqp://h", "/"), ("amqp://h/%2f", "/"), ("amqp://h/%2F", "/"), ("amqp://h/a%20b", "a b"),
        ("amqp://h/caf%C3%A9", "café"), ("amqp://h/v?heartbeat=5", "v"),
    ])
    func `the path is the virtual host, and an empty one is the empty virtual host`(text: String, host: String) throws {
        #expect(try AMQPURL(text).virtualHost == host)
    }

    @Test func `user information and addresses are decoded`() throws {
        let url = try AMQPURL("AMQP://us%40er:p%3Aa:ss%2f@[::1]:1234/x")
        #expect(url.user == "us@er")
        #expect(url.password == "p:a:ss/")
        #expect(url.host == "::1" && url.port == 1234)
        #expect(try AMQPURL("amqp://:@h").user == "")
    }

    @Test(arguments: ["amqp://[fe80::1%25eth0]:1/", "amqp://[fe80::1%eth0]:1/"])
    func `an IPv6 address may have a zone, which is written as URLs are`(text: String) throws {
        let url = try AMQPURL(text)
        #expect(url.host == "fe80::1%eth0")
        #expect(url.description == "amqp://[fe80::1%25eth0]:1/")
        #expect(try AMQPURL(url.description).host == url.host)
    }

    @Test func `every query parameter of RabbitMQ is read`() throws {
        let url = try AMQPURL(
            "amqps://h?heartbeat=7&connection_timeout=1500&channel_max=9&cacertfile=%2Fca.pem&certfile=c.pem"
                + "&keyfile=k.pem&password=s&verify=verify_none&server_name_indication=name&auth_mechanism=external"
                + "&auth_mechanism=plain")
        #expect(url.heartbeatSeconds == 7)
        #expect(url.connectionTimeout == .milliseconds(1500))
        #expect(url.channelMax == 9)
        #expect(url.authorityFile == "/ca.pem" && url.certificateFile == "c.pem" && url.keyFile == "k.pem")
        #expect(url.keyPassword == "s" && !url.verifiesPeer && url.serverName == "name")
        #expect(url.mechanisms == [.external, .plain])
    }

    @Test(arguments: [
        "", "amqp", "http://h", "amqp:h", "amqp://h:0", "amqp://h:65536", "amqp://h:x", "amqp://h:-1", "amqp://[::1",
        "amqp://[]", "amqp://[a%]", "amqp://[a]", "amqp://[::1%]", "amqp://[::1%25]x", "amqp://[::1%a/b]",
        "amqp://[1.2.3.4]",
        "amqp://[::1::2]", "amqp://[::1]x", "amqp://[a/b]", "amqp://a%2fb", "amqp://a%3a1", "amqp://a b", "amqp://a%0a",
        "amqp://h/a/b", "amqp://h/%", "amqp://h/%2", "amqp://h/%zz", "amqp://h/%00",
        "amqp://h/%FF", "amqp://a@b@h", "amqp://h#x", "amqp://h?nonsense=1", "amqp://h?heartbeat=1&heartbeat=2",
        "amqp://h?heartbeat=-1", "amqp://h?heartbeat=", "amqp://h?heartbeat=70000", "amqp://h?connection_timeout=0",
        "amqp://h?verify=yes", "amqp://h?auth_mechanism=kerberos", "amqp://h?auth_mechanism=external",
        "amqps://h?certfile=c", "amqps://h?keyfile=k", "amqps://h?cacertfile=", "amqps://h?server_name_indication=",
    ])
    func `what is not a URL is refused with a sentence that repeats no secret`(text: String) {
        let error = #expect(throws: AMQPError.self) { try AMQPURL(text) }
        #expect(error?.code == .configuration)
        #expect(error?.description.hasPrefix("The AMQP URL is not valid: ") == true)
    }

    @Test(arguments: ["amqp://u:hunter2@h:x", "amqp://u:hunter2@h/%zz", "amqp://u:hunter2@h?nonsense=hunter2"])
    func `neither errors nor descriptions hold the password`(text: String) throws {
        let error = #expect(throws: AMQPError.self) { try AMQPURL(text) }
        #expect(error?.description.contains("hunter2") == false)
        #expect(try AMQPURL("amqp://u:hunter2@h/v%2f?password=hunter2").description == "amqp://h:5672/v%2f")
    }

    @Test func `no prefix and no changed byte of a URL crashes the reader`() {
        let text = Array("amqps://u%20ser:p@[::1]:5671/v%2f?heartbeat=5&verify=verify_peer&auth_mechanism=plain".utf8)
        for length in 0...text.count { _ = try? AMQPURL(String(decoding: text[..<length], as: UTF8.self)) }
        for index in text.indices {
            for byte in [0x00, 0x25, 0x2F, 0x3A, 0x40, 0x5B, 0x5D, 0x7F, 0xC3, 0xFF] as [UInt8] {
                var changed = text
                changed[index] = byte
                _ = try? AMQPURL(String(decoding: changed, as: UTF8.self))
            }
        }
    }
}

struct TopologyTests {
    @Test func `the queues are declared as the contract says, each after the one that it dead-letters to`() {
        let topology = Topology(input: "in", reply: "out", dead: "dead", items: "items", type: .quorum)
        #expect(topology.queues.map(\.name) == ["dead", "out", "items", "in"])
        #expect(
            topology.queues[3].arguments == [
                .init("x-queue-type", .text("quorum")), .init("x-dead-letter-exchange", .text("")),
                .init("x-dead-letter-routing-key", .text("dead")), .init("x-delivery-limit", .number(20)),
                .init("x-dead-letter-strategy", .text("at-least-once")), .init("x-overflow", .text("reject-publish")),
            ])
        for queue in topology.queues.prefix(3) {
            #expect(
                queue.arguments == [
                    .init("x-queue-type", .text("quorum")), .init("x-delivery-limit", .number(1_000_000)),
                ])
        }
    }

    @Test func `classic queues have no limits, and items are declared only for a catalog`() {
        let topology = Topology(input: "in", reply: "out", dead: "dead", items: nil, type: .classic)
        #expect(topology.queues.map(\.name) == ["dead", "out", "in"])
        #expect(!topology.queues.flatMap(\.arguments).contains { $0.name == "x-delivery-limit" })
    }
}
