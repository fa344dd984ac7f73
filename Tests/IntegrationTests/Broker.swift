import AMQP
import Foundation
import Testing

/// The broker that the tests use, and queues of their own.
enum Broker {
    static let urlText = ProcessInfo.processInfo.environment["DEEPLINK_TEST_AMQP_URL"]
    static let controlPath = ProcessInfo.processInfo.environment["DEEPLINK_TEST_RABBITMQCTL"]
    static let absence: Comment = "DEEPLINK_TEST_AMQP_URL is not set; scripts/broker starts a private broker"
    static let controlAbsence: Comment = "DEEPLINK_TEST_RABBITMQCTL is not set; scripts/broker starts a private broker"

    static var isPresent: Bool { urlText != nil }
    static var isControllable: Bool { isPresent && controlPath != nil }

    static func url() throws -> AMQPURL { try AMQPURL(#require(urlText)) }

    /// Runs rabbitmqctl and returns what it prints.
    @discardableResult
    static func control(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(controlPath))
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        try #require(process.terminationStatus == 0, "rabbitmqctl \(arguments): \(text)")
        return text
    }
}

/// The queues of one test, with names that no other test uses.
struct QueueNames {
    let id = String(UInt64.random(in: .min ... .max), radix: 36)

    var input: String { "test.\(id).in" }
    var reply: String { "test.\(id).reply" }
    var dead: String { "test.\(id).dead" }
    var items: String { "test.\(id).items" }
}

/// Something did not happen in time.
struct NotInTime: Error {
    let what: String
}

/// Asks until the condition holds, as processes outside give no events to await.
func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(30), _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime(what: what()) }
        // The condition asks a broker or a process, which takes its time; a short poll keeps the processor free.
        poll(nil, 0, 5)
    }
}
