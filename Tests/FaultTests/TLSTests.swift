import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// TLS with peers that are not who they should be, and with a broker that wants to know who the worker is.
    struct TLSTests {
        /// A server that must be refused.
        struct BadServer: Sendable, CustomTestStringConvertible {
            let testDescription: String
            var names = "DNS:localhost,IP:127.0.0.1"
            var host = "127.0.0.1"
            var authority = "ours"
            var authorityDays = 2
            var days = 2
            var arguments: [String] = []
            /// What the error must say.
            let words: String
        }

        static let badServers = [
            BadServer(testDescription: "another authority", authority: "theirs", words: "local issuer certificate"),
            BadServer(testDescription: "another host", names: "DNS:elsewhere.example", words: "IP address mismatch"),
            BadServer(testDescription: "another address", names: "IP:127.0.0.2", words: "IP address mismatch"),
            BadServer(
                testDescription: "another host than the name", names: "DNS:elsewhere.example,IP:127.0.0.1",
                host: "localhost", words: "ostname mismatch"),
            BadServer(testDescription: "expired", days: -1, words: "expired"),
            BadServer(testDescription: "an expired authority", authorityDays: -1, words: "expired"),
            BadServer(
                testDescription: "TLS 1.1", arguments: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], words: "protocol"),
        ]

        @Test(arguments: badServers)
        func `21 a server that is not who it should be is refused with a reason`(bad: BadServer) throws {
            let certificates = try Certificates()
            try certificates.makeAuthority("ours", days: bad.authorityDays)
            try certificates.makeAuthority("theirs")
            try certificates.make("server", commonName: "x", names: bad.names, by: bad.authority, days: bad.days)
            let server = try TLSServer(certificates, "server", bad.arguments)
            let authority = certificates.certificate("ours")
            let url = try AMQPURL(
                "amqps://\(bad.host):\(server.port)/?cacertfile=\(authority)&connection_timeout=3000")
            let error = #expect(throws: AMQPError.self) { try Connection.open([url], name: "client") }
            #expect(error?.code == .tls, "\(error?.description ?? "")")
            #expect(error?.description.contains(bad.words) == true, "\(error?.description ?? "")")
            FaultRun.report("21", "\(bad.testDescription): \(error?.description ?? "accepted")")
        }

        @Test(arguments: ["127.0.0.1", "localhost"])
        func `21 a server that is who it should be is accepted, by name and by address`(host: String) throws {
            let certificates = try Certificates()
            try certificates.makeAuthority("ours")
            try certificates.make(
                "server", commonName: "x", names: host == "localhost" ? "DNS:localhost" : "IP:127.0.0.1", by: "ours")
            let server = try TLSServer(certificates, "server")
            let url = try AMQPURL(
                "amqps://\(host):\(server.port)/?cacertfile=\(certificates.certificate("ours"))&connection_timeout=1000"
            )
            // It shakes hands, and speaks no AMQP.
            let error = #expect(throws: AMQPError.self) { try Connection.open([url], name: "client") }
            #expect(error != nil && error?.code != .tls, "\(error?.description ?? "")")
            #expect(error?.description.contains("TLS") == false, "\(error?.description ?? "")")
            FaultRun.report("21", "\(host), as in the certificate: shakes hands")
        }

        @Test(arguments: ["amqp", "amqps"])
        func `23 a server that accepts connections and says nothing is given up in time`(scheme: String) throws {
            let listener = try WireListener()
            let url = try AMQPURL("\(scheme)://127.0.0.1:\(listener.port)/?connection_timeout=500")
            let began = ContinuousClock.now
            let error = #expect(throws: AMQPError.self) { try Connection.open([url], name: "client") }
            #expect(error?.code == .timeout, "\(error?.description ?? "")")
            #expect(ContinuousClock.now - began < .seconds(5))
            FaultRun.report("23", "\(scheme), silent: \(error?.description ?? "accepted")")
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `21 a broker that asks for certificates gets them, also after they were exchanged`() throws {
            let broker = try SecureBroker(
                configuration: """
                    auth_mechanisms.1 = PLAIN
                    auth_mechanisms.2 = EXTERNAL
                    ssl_cert_login_from = common_name
                    """, plugins: ["rabbitmq_auth_mechanism_ssl"])
            let (certificates, node, port) = (broker.certificates, broker.node, broker.port)
            try certificates.makeAuthority("theirs")
            try certificates.make("stranger", commonName: "worker", names: "DNS:worker", by: "theirs")
            try node.access.control("add_user", "worker", "not-used")
            try node.access.control("set_permissions", "worker", ".*", ".*", ".*")
            let base = "connection_timeout=3000&\(broker.authority)"
            let own = "&\(broker.identity)"

            let without = try AMQPURL("amqps://guest:guest@127.0.0.1:\(port)/%2f?\(base)")
            let error = #expect(throws: AMQPError.self) { try Connection.open([without], name: "client") }
            #expect(error?.description.contains("certificate required") == true, "\(error?.description ?? "")")
            FaultRun.report("21", "no client certificate: \(error?.description ?? "accepted")")
            let plain = try AMQPURL("amqps://guest:guest@127.0.0.1:\(port)/%2f?\(base)\(own)")
            let expiry = try #require(try Connection.open([plain], name: "client").certificateExpiry)
            // The certificates are good for two days.
            #expect((1..<3).contains(Double(expiry - Int(Date().timeIntervalSince1970)) / 86_400))
            #expect(CertificateFile.expiry(of: certificates.certificate("worker")) != nil)
            #expect(CertificateFile.expiry(of: certificates.key("worker")) == nil)

            let proxy = try FaultProxy(to: port)
            defer { proxy.stop() }
            let scene = try Scene(
                node.access,
                urls: ["amqps://127.0.0.1:\(proxy.port)/%2f?heartbeat=5&auth_mechanism=EXTERNAL&\(base)\(own)"])
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 500)
            hold(.seconds(2))
            try exchange(certificates, "stranger")
            proxy.cut(reset: true)
            try eventually("the stranger to be refused; \(scene.worker.log)") {
                scene.worker.log.contains("cannot connect")
            }
            hold(.seconds(1))
            try exchange(certificates, "kept")
            try scene.worker.ready(within: .seconds(40))
            try scene.check(try traffic.stop(), scenario: "21 EXTERNAL", repeatsMax: scene.prefetch + 1)
            #expect(try scene.worker.terminate() == 0)
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `21 doctor warns of certificates that expire soon`() throws {
            let broker = try SecureBroker()
            let flags = ["doctor", "--json", "--http", "127.0.0.1:0"]
            func findings(_ url: String) throws -> [(severity: String?, message: String)] {
                let result = try WorkerProgram.run(flags, url: url)
                #expect(result.status == 0, "\(result.output)")
                let object = try #require(try result.objects().first, "\(result.errors)")
                return try #require(object["findings"] as? [[String: Any]]).filter { $0["area"] as? String == "tls" }
                    .map { ($0["severity"] as? String, $0["message"] as? String ?? "") }
            }
            // The certificates are good for two days, of which some seconds have gone.
            let soon = try findings(broker.url(heartbeat: 10))
            #expect(soon.map(\.severity) == ["warning", "warning"])
            #expect(soon.allSatisfy { $0.message.hasSuffix(" is good for 1 day") }, "\(soon)")
            #expect(soon.first?.message.contains("127.0.0.1:\(broker.port)") == true, "\(soon)")
            #expect(soon.last?.message.contains(broker.certificates.certificate("worker")) == true, "\(soon)")
            try broker.certificates.make("worker", commonName: "worker", names: "DNS:worker", by: "ours", days: 100)
            let later = try findings(broker.url(heartbeat: 10))
            #expect(later.map(\.severity) == ["warning", "ok"])
            // A day less as soon as a second has gone.
            let day = try #require(later.last).message.split(separator: " ").dropLast().last
            #expect(day == "99" || day == "100", "\(later)")
            let unverified = try findings(broker.url(heartbeat: 10) + "&verify=verify_none")
            #expect(unverified.first?.message.contains("is not verified") == true, "\(unverified)")
            FaultRun.report("21", "doctor: \(soon.map(\.message).joined(separator: "; "))")
        }

        /// Puts another certificate in the place of the worker's, which is kept.
        private func exchange(_ certificates: Certificates, _ name: String) throws {
            for path in [certificates.certificate, certificates.key] {
                let data = try Data(contentsOf: URL(fileURLWithPath: path("worker")))
                try Data(contentsOf: URL(fileURLWithPath: path(name == "kept" ? "kept" : name)))
                    .write(to: URL(fileURLWithPath: path("worker")), options: .atomic)
                if name != "kept" { try data.write(to: URL(fileURLWithPath: path("kept"))) }
            }
        }
    }
}
