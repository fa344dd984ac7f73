import Foundation

/// The PostgreSQL server that the environment names.
package enum Database {
    package static let urlText = ProcessInfo.processInfo.environment["DEEPLINK_TEST_POSTGRESQL_URL"]
    package static let controlPath = ProcessInfo.processInfo.environment["DEEPLINK_TEST_POSTGRESQL_CTL"]
    package static let poolerURLText = ProcessInfo.processInfo.environment["DEEPLINK_TEST_PGBOUNCER_URL"]
    package static let poolerAbsence = "DEEPLINK_TEST_PGBOUNCER_URL is not set; scripts/postgres starts a pooler too"
    package static let absence = "DEEPLINK_TEST_POSTGRESQL_URL is not set; scripts/postgres starts a private server"

    package static var isPresent: Bool { urlText != nil && controlPath != nil }

    /// Runs SQL as superuser, in a database or the one that the URL names, and returns what psql prints.
    @discardableResult
    package static func control(_ sql: String, in database: String = "deeplink") throws -> String {
        guard let controlPath else { throw MissingInTest(what: absence) }
        return try run(controlPath, ["-d", database, "-c", sql])
    }
}

/// A database of a test's own on the tests' server, which goes with it.
package final class TestDatabase {
    package let name: String
    /// The database's URL, with the password.
    package let url: String

    package init() throws {
        name = "test_\(UInt64.random(in: .min ... .max))"
        guard let base = Database.urlText, let slash = base.lastIndex(of: "/") else {
            throw MissingInTest(what: Database.absence)
        }
        url = base[...slash] + name
        try Database.control("CREATE DATABASE \(name) OWNER deeplink")
    }

    deinit { _ = try? Database.control("DROP DATABASE \(name) WITH (FORCE)") }

    /// Runs SQL in it as superuser.
    @discardableResult
    package func control(_ sql: String) throws -> String { try Database.control(sql, in: name) }
}
