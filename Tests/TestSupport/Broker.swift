package import AMQP
import Foundation

/// The broker that the environment names, and queues for the tests that use it.
package enum Broker {
    package static let urlText = ProcessInfo.processInfo.environment["DEEPLINK_TEST_AMQP_URL"]
    package static let controlPath = ProcessInfo.processInfo.environment["DEEPLINK_TEST_RABBITMQCTL"]
    package static let absence = "DEEPLINK_TEST_AMQP_URL is not set; scripts/broker starts a private broker"
    package static let controlAbsence = "DEEPLINK_TEST_RABBITMQCTL is not set; scripts/broker starts a private broker"

    package static var isPresent: Bool { urlText != nil }
    package static var isControllable: Bool { isPresent && controlPath != nil }

    /// The broker's URL as text.
    package static func requiredURLText() throws -> String {
        guard let urlText else { throw MissingInTest(what: absence) }
        return urlText
    }

    package static func url() throws -> AMQPURL { try AMQPURL(requiredURLText()) }

    /// Runs rabbitmqctl and returns what it prints.
    @discardableResult
    package static func control(_ arguments: String...) throws -> String {
        guard let controlPath else { throw MissingInTest(what: controlAbsence) }
        return try run(controlPath, arguments)
    }
}

/// The queues of one test, with names that no other test uses.
package struct QueueNames: Sendable {
    package let id = String(UInt64.random(in: .min ... .max), radix: 36)

    package init() {}

    package var input: String { "test.\(id).in" }
    package var reply: String { "test.\(id).reply" }
    package var dead: String { "test.\(id).dead" }
    package var items: String { "test.\(id).items" }
}

/// Something that a test needs is not there.
package struct MissingInTest: Error {
    package let what: String

    package init(what: String) { self.what = what }
}
