import CatalogStore
import Foundation
import Items
import PersistentStore
import TestSupport

/// A PostgreSQL server of a test's own, for what would disturb others: to be killed, stopped, or made read-only.
final class PrivateDatabase {
    let folder: URL
    /// The database's URL, with the password.
    let url: String
    private let controlPath: String

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../scripts/postgres").standardizedFileURL.path

    /// Starts a server; `primary` is a server that it follows until it is promoted.
    init(following primary: PrivateDatabase? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "deeplink-database-\(UInt64.random(in: .min ... .max))")
        var environment = ["POSTGRES_TIMEOUT": "120"]
        if let primary { environment["POSTGRES_STANDBY_OF"] = primary.folder.path }
        try run(Self.script, ["start", folder.path], environment: environment)
        let values = try EnvironmentFile(folder.appendingPathComponent("env"))
        url = try values["DEEPLINK_TEST_POSTGRESQL_URL"]
        controlPath = try values["DEEPLINK_TEST_POSTGRESQL_CTL"]
    }

    deinit { _ = try? run(Self.script, ["stop", folder.path]) }

    /// Host and port, as a URL has them.
    var address: String {
        guard let at = url.lastIndex(of: "@"), let slash = url.lastIndex(of: "/") else { return url }
        return String(url[at..<slash].dropFirst())
    }

    /// Sends every process of the server a signal: KILL, STOP or CONT.
    func signal(_ name: String) throws { try run(Self.script, ["signal", folder.path, name]) }

    /// Ends the server in order; its data stay.
    func halt() throws { try run(Self.script, ["halt", folder.path]) }

    /// Starts the server again, with the data that it had.
    func resume() throws { try run(Self.script, ["resume", folder.path], environment: ["POSTGRES_TIMEOUT": "120"]) }

    /// Runs SQL as superuser.
    @discardableResult
    func control(_ sql: String) throws -> String { try run(controlPath, ["-c", sql]) }

    /// Ends every connection of the worker.
    func endConnections() throws {
        try control("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'deeplink'")
    }

    /// Makes a catalog of movies, or adds to it.
    func index(_ names: [String]) throws {
        let writer = try PostgreSQLCatalog(url: url, creating: true).makeWriter(for: .items)
        let operations = names.enumerated().map { index, name in
            ItemOperation.index(
                Item(
                    entity: "Movie",
                    object: ObjectURI(store: Self.storeIdentifier, entity: "Movie", primaryKey: Int64(index + 1)),
                    attributes: [Item.Attribute("name", .attribute(.string(name)))],
                    version: ItemVersion(time: Int64(Date().timeIntervalSince1970 * 1000))))
        }
        var progress = writer.begin(operations)
        try eventually("the movies in the catalog") {
            guard case .pending = progress else { return true }
            progress = writer.resume()
            return false
        }
        guard case .finished = progress else { throw MissingInTest(what: "the movies in the catalog: \(progress)") }
    }

    static let storeIdentifier = "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"
}

/// What a script has written for `source`.
struct EnvironmentFile {
    private let path: String
    private var values: [String: String] = [:]

    init(_ file: URL) throws {
        path = file.path
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
    }

    subscript(name: String) -> String {
        get throws {
            guard let value = values[name] else { throw MissingInTest(what: "\(name) in \(path)") }
            return value
        }
    }
}
