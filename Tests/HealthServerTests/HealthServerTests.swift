import Foundation
import Testing

@testable import HealthServer

struct HealthServerTests {
    /// Runs curl, the client that operators use.
    static func curl(_ arguments: String...) throws -> (status: String, body: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["curl", "-s", "-m", "10", "-w", "\n%{http_code}"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }

    @Test(arguments: [ListenAddress(host: "127.0.0.1", port: 0), ListenAddress(host: "localhost", port: 0)])
    func `paths are answered, others are not found, other methods are refused`(address: ListenAddress) throws {
        let server = try HealthServer(address) { path in
            switch path {
            case "/livez": HealthResponse(body: "ok\n")
            case "/readyz": HealthResponse(status: 503, body: "not connected\n")
            default: nil
            }
        }
        let base = "http://\(address.host):\(server.port)"
        #expect(try Self.curl(base + "/livez") == ("200", "ok\n"))
        #expect(try Self.curl(base + "/readyz?verbose") == ("503", "not connected\n"))
        #expect(try Self.curl(base + "/other").status == "404")
        #expect(try Self.curl("-X", "POST", "-d", "body", base + "/livez").status == "405")
        #expect(try Self.curl("-I", base + "/livez").body.contains("text/plain"))
    }

    @Test func `an address that is taken is an error that names it`() throws {
        let first = try HealthServer(ListenAddress(host: "127.0.0.1", port: 0)) { _ in nil }
        let taken = ListenAddress(host: "127.0.0.1", port: first.port)
        do {
            _ = try HealthServer(taken) { _ in nil }
            Issue.record("the second server must not start")
        } catch {
            #expect(error.description.contains("\(taken)") && error.description.contains("--http"))
        }
    }

    @Test(arguments: [("127.0.0.1:9419", "127.0.0.1", 9419), ("[::1]:80", "::1", 80), ("host:0", "host", 0)])
    func `an address is a host and a port`(text: String, host: String, port: UInt16) throws {
        let address = try #require(ListenAddress(text))
        #expect(address == ListenAddress(host: host, port: port))
        #expect(address.description == text)
    }

    @Test(arguments: ["", "9419", ":9419", "host", "host:", "host:x", "host:70000", "::1:80", "[::1]"])
    func `anything else is no address`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
