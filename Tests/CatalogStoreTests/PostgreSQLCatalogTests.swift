import CatalogStore
import Foundation
import Items
import PersistentStore
import Synchronization
import TestSupport
import Testing

/// What is particular to catalogs in PostgreSQL.
@Suite(.enabled(if: Database.isPresent, Comment(rawValue: Database.absence)))
struct PostgreSQLCatalogTests {
    private static func movie(_ key: Int64, _ attributes: [String: AttributeValue], version: Int64 = 1) -> ItemOperation
    {
        .index(
            Item(
                entity: "Movie", object: ObjectURI(store: Fixture.store, entity: "Movie", primaryKey: key),
                attributes: attributes.map { Item.Attribute($0.key, .attribute($0.value)) },
                version: ItemVersion(given: version)))
    }

    /// Runs the work on threads of its own, and waits for all.
    private static func concurrently(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
        let state = Mutex<(ended: Int, failures: [String])>((0, []))
        for index in 0..<count {
            Thread {
                let failure: String?
                do {
                    try work(index)
                    failure = nil
                } catch { failure = "\(error)" }
                state.withLock {
                    $0.ended += 1
                    if let failure { $0.failures.append(failure) }
                }
            }.start()
        }
        try eventually("the end of the threads", within: .seconds(60)) { state.withLock { $0.ended == count } }
        #expect(state.withLock { $0.failures } == [])
    }

    @Test func `of several processes that make a catalog at once, one makes it`() throws {
        let database = try TestDatabase()
        let url = database.url
        let identifiers = Mutex<Set<String>>([])
        try Self.concurrently(4) { _ in
            let catalog = try PostgreSQLCatalog(url: url, creating: true)
            _ = try catalog.makeWriter(for: .items)
            let identifier = try catalog.makeReader().identifier
            _ = identifiers.withLock { $0.insert(identifier) }
        }
        #expect(identifiers.withLock { $0.count } == 1)
    }

    @Test func `writers of several machines take turns, and nothing is lost between them`() throws {
        let database = try TestDatabase()
        let url = database.url
        try Writer(PostgreSQLCatalog(url: url, creating: true)).apply([.adopt(store: Fixture.store)])
        try Self.concurrently(4) { thread in
            let writer = try Writer(PostgreSQLCatalog(url: url))
            for round in 0..<10 {
                // Each has new attributes, keys of its own, and one object that all fight for.
                try writer.apply([
                    Self.movie(Int64(thread * 100 + round + 1), ["a\(thread)-\(round)": .integer(Int64(round))]),
                    Self.movie(9_999, ["name": .string("\(thread)")], version: Int64(round * 4 + thread)),
                    .index(
                        Item(
                            uniqueIdentifier: "\(thread)-\(round)", entity: "Show", attributes: [],
                            version: ItemVersion(given: 1))),
                ])
            }
        }
        let reader = try PostgreSQLCatalog(url: url).makeReader()
        for thread in 0..<4 {
            for round in 0..<10 {
                #expect(
                    try reader.match("Movie: a\(thread)-\(round) == ?", .integer(Int64(round)))
                        == .found("Movie/\(thread * 100 + round + 1)"))
            }
        }
        #expect(try reader.match("Movie: name == ?", .string("3")) == .found("Movie/9999"))
        // 40 objects of allotted keys, no two of one key.
        #expect(
            try database.control("SELECT count(*) FROM deeplink.object WHERE unique_identifier IS NOT NULL") == "40\n")
    }

    @Test func `a writer whose connections are ended all the time applies every batch once`() throws {
        let database = try TestDatabase()
        let writer = try Writer(PostgreSQLCatalog(url: database.url, creating: true))
        let isOver = Mutex(false)
        let name = database.name
        Thread {
            while !isOver.withLock({ $0 }) {
                _ = try? Database.control(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'", in: "postgres")
            }
        }.start()
        defer { isOver.withLock { $0 = true } }
        for key in 1...40 as ClosedRange<Int64> {
            try eventually("batch \(key)") {
                (try? writer.apply([Self.movie(key, ["name": .string("\(key)")])])) != nil
            }
        }
        isOver.withLock { $0 = true }
        #expect(try database.control("SELECT count(*) FROM deeplink.object") == "40\n")
        #expect(try database.control("SELECT count(*) FROM deeplink.match") == "40\n")
    }

    @Test func `what PostgreSQL cannot hold is refused, and its neighbours are applied`() throws {
        let database = try TestDatabase()
        let catalog = try PostgreSQLCatalog(url: database.url, creating: true)
        let outcomes = try Writer(catalog).apply([
            .index(Item(uniqueIdentifier: "a\0b", entity: "Item", attributes: [], version: ItemVersion(given: 1))),
            Self.movie(1, ["name": .string("with \0 inside")]),
            .deleteIdentifiers(["x\0"], ItemVersion(given: 1)),
            .deleteDomains(["y\0"], ItemVersion(given: 1)),
        ])
        for index in [0, 2, 3] {
            guard case .refused = outcomes[index] else {
                Issue.record("operation \(index) was not refused but \(outcomes[index])")
                continue
            }
        }
        #expect(outcomes[1] == .applied(1))
        let reader = try catalog.makeReader()
        #expect(try reader.match("Movie: name == ?", .string("with \0 inside")) == .found("Movie/1"))
    }

    @Test func `very many objects of one value are counted, compared and walked through`() throws {
        let database = try TestDatabase()
        let catalog = try PostgreSQLCatalog(url: database.url, creating: true)
        let writer = try Writer(catalog, .bulk)
        let count: Int64 = 12_000
        try writer.apply([.adopt(store: Fixture.store)])
        for start in stride(from: 1, through: count, by: 2_000) {
            try writer.apply(
                (start..<start + 2_000).map { key in
                    var values: [String: AttributeValue] = [
                        "kind": .string(key == 11_000 ? "movie" : "Movie"), "even": .boolean(key.isMultiple(of: 2)),
                        "third": .boolean(key.isMultiple(of: 3)),
                    ]
                    if key != 11_500 { values["name"] = .string("\(key)") }
                    return Self.movie(key, values)
                })
        }
        try writer.finish()
        let reader = try catalog.makeReader()
        #expect(try reader.match("Movie: kind == ?", .string("Movie")) == .found("Movie/1", matches: 11_999))
        #expect(
            try reader.match("Movie: kind ==[cd] ?", .string("movie")) == .found("Movie/11000", matches: 12_000))
        #expect(
            try reader.match("Movie: kind ==[c] ?", .string("MOVIE"))
                == .found("Movie/1", matches: 12_000, isExact: false))
        #expect(
            try reader.match("Movie: even == ? AND third == ?", .boolean(true), .boolean(true))
                == .found("Movie/6", matches: 2_000))
        #expect(
            try reader.match("Movie: even == ? AND name == ?", .boolean(true), .string("7000")) == .found("Movie/7000"))
        #expect(try reader.match("Movie: even == ? AND name == ?", .boolean(true), .string("7001")) == .noMatch)
        #expect(try reader.match("Movie: name == ?", .null) == .found("Movie/11500"))
        #expect(
            try reader.match("Movie: name == ? AND even == ?", .null, .boolean(true)) == .found("Movie/11500"))
    }

    @Test func `a reader needs no more than to select`() throws {
        let database = try TestDatabase()
        let catalog = try PostgreSQLCatalog(url: database.url, creating: true)
        try Writer(catalog).apply([Self.movie(1, ["name": .string("Alien")])])
        let role = "reader_\(database.name)"
        try database.control("CREATE ROLE \(role) LOGIN PASSWORD 'readers'")
        defer { _ = try? database.control("DROP OWNED BY \(role); DROP ROLE \(role)") }
        let url = database.url.replacing(/\/\/[^@]*@/, with: "//\(role):readers@")
        let denied = #expect(throws: StoreError.self) { try PostgreSQLCatalog(url: url).makeReader() }
        #expect(denied?.code == .denied)
        try database.control(
            "GRANT USAGE ON SCHEMA deeplink TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA deeplink TO \(role)")
        let reader = try PostgreSQLCatalog(url: url).makeReader()
        #expect(try reader.match("Movie: name == ?", .string("Alien")) == .found("Movie/1"))
    }

    @Test func `a database without a catalog, and a catalog of a newer program, are told`() throws {
        let database = try TestDatabase()
        let none = #expect(throws: StoreError.self) { try PostgreSQLCatalog(url: database.url).makeReader() }
        #expect(none?.code == .unavailable)
        #expect(none?.description.contains("has no catalog yet") == true)
        let catalog = try PostgreSQLCatalog(url: database.url, creating: true)
        try Writer(catalog).apply([Self.movie(1, ["name": .string("Alien")])])
        let reader = try catalog.makeReader()
        try database.control("UPDATE deeplink.catalog SET version = version + 1")
        let newer = #expect(throws: StoreError.self) { try PostgreSQLCatalog(url: database.url).makeReader() }
        #expect(newer?.code == .unsupported)
        guard case .unavailable = try reader.object("Movie", 1) else {
            Issue.record("a catalog of a newer schema must not be read")
            return
        }
        try database.control("UPDATE deeplink.catalog SET version = version - 1")
        #expect(try reader.object("Movie", 1) == .found("Movie/1"))
    }

    @Test func `no message holds the password`() throws {
        let url = "postgresql://u:verysecret@127.0.0.1:1/d"
        let catalog = try PostgreSQLCatalog(url: url)
        #expect(catalog.location == "postgresql://u@127.0.0.1:1/d")
        let error = #expect(throws: StoreError.self) { try catalog.makeReader() }
        #expect(error?.code == .unavailable)
        #expect(error?.description.contains("verysecret") == false)
    }
}
