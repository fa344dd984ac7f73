import Foundation
import TestSupport

/// A RabbitMQ node of a test's own, for what would disturb others: to be killed, stopped, or configured otherwise.
final class PrivateBroker {
    let folder: URL
    let access: BrokerAccess

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../scripts/broker").standardizedFileURL.path

    /// Starts a node; `configuration` is added to its rabbitmq.conf, `joining` is a node whose cluster it joins.
    init(configuration: String = "", plugins: [String] = [], joining other: PrivateBroker? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "deeplink-broker-\(UInt64.random(in: .min ... .max))")
        let extra = FileManager.default.temporaryDirectory.appendingPathComponent(folder.lastPathComponent + ".conf")
        try Data(configuration.utf8).write(to: extra)
        defer { try? FileManager.default.removeItem(at: extra) }
        var environment = ["BROKER_CONF": extra.path, "BROKER_PLUGINS": plugins.joined(separator: ",")]
        environment["BROKER_TIMEOUT"] = "120"
        if let other { environment["BROKER_JOIN"] = other.folder.path }
        try run(Self.script, ["start", folder.path], environment: environment)
        let file = folder.appendingPathComponent("env")
        var values: [String: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        guard let url = values["DEEPLINK_TEST_AMQP_URL"], let path = values["DEEPLINK_TEST_RABBITMQCTL"] else {
            throw MissingInTest(what: "the broker's URL in \(file.path)")
        }
        access = BrokerAccess(url: url, controlPath: path)
    }

    deinit { _ = try? run(Self.script, ["stop", folder.path]) }

    /// Sends the node a signal: KILL, STOP or CONT.
    func signal(_ name: String) throws { try run(Self.script, ["signal", folder.path, name]) }

    /// Starts the node again after it was killed, with the data that it had.
    func resume() throws { try run(Self.script, ["resume", folder.path], environment: ["BROKER_TIMEOUT": "120"]) }
}
