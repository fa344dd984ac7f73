import CatalogStore
import Foundation
import Items
import PersistentStore
import StoreTestSupport
import Testing

/// Catalogs in SQLite files: opening, versions, and what becomes of the file.
struct SQLiteCatalogTests {
    private func failure(_ path: String, creating: Bool = false) -> StoreError? {
        do throws(StoreError) {
            _ = try SQLiteCatalog(path: path, creating: creating)
            return nil
        } catch { return error }
    }

    @Test func `what is no catalog is told from one that is missing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        #expect(failure(path)?.code == .missing)
        #expect(failure(folder.path + "/no/folder.sqlite", creating: true)?.code == .missing)
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(failure(path)?.code == .invalid)
        #expect(failure(path, creating: true) == nil)
        #expect(failure(path) == nil)
        try Data("no database, but long enough to be taken for one".utf8).write(to: URL(fileURLWithPath: path + "2"))
        #expect(failure(path + "2", creating: true)?.code == .invalid)
        try SQLiteFile(path + "3").run("CREATE TABLE users (id INTEGER)")
        #expect(failure(path + "3", creating: true)?.description.contains("not a catalog") == true)
        _ = try SyntheticStore.movies(path + "4")
        #expect(failure(path + "4")?.description.contains("coredata:") == true)
    }

    @Test func `a catalog of a newer version is refused, and left alone`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        let catalog = try SQLiteCatalog(path: path, creating: true)
        try SQLiteFile(path).run("PRAGMA user_version=\(CatalogSchema.version + 1)")
        let refusal = try #require(failure(path, creating: true))
        #expect(refusal.code == .unsupported && refusal.description.contains("newer version"))
        #expect(throws: StoreError.self) { try catalog.makeReader() }
        #expect(throws: StoreError.self) { try catalog.makeWriter(for: .items) }
    }

    @Test func `threads that make one catalog at once get one`() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<50 {
            let path = folder.path + "/catalog\(round).sqlite"
            let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let catalog = try SQLiteCatalog(path: path, creating: true)
                        _ = try catalog.makeWriter(for: .items)
                        return try catalog.makeReader().identifier
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(identifiers.count == 1)
        }
    }

    @Test func `a file that vanishes is unavailable until it is back`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        let catalog = try SQLiteCatalog(path: path, creating: true)
        let writer = try Writer(catalog)
        try writer.apply([.index(FixtureObject("Movie", 1).item)])
        let reader = try catalog.makeReader()
        #expect(try reader.object("Movie", 1) == .found("Movie/1"))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        guard case .unavailable = try reader.answer(.object(entity: "Movie", primaryKey: 1)) else {
            Issue.record("it answers from a file that is gone")
            return
        }
        #expect(throws: StoreError.self) { try writer.apply([.index(FixtureObject("Movie", 2).item)]) }
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(try reader.object("Movie", 1) == .found("Movie/1"))
        try writer.apply([.index(FixtureObject("Movie", 2).item)])
        #expect(try reader.object("Movie", 2) == .found("Movie/2"))
    }

    @Test func `another catalog in place of one is unavailable`() throws {
        let folder = try TemporaryFolder()
        let (path, other) = (folder.path + "/catalog.sqlite", folder.path + "/other.sqlite")
        let catalog = try SQLiteCatalog(path: path, creating: true)
        try Writer(catalog).apply([.index(FixtureObject("Movie", 1).item)])
        let reader = try catalog.makeReader()
        _ = try SQLiteCatalog(path: other, creating: true)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            try? FileManager.default.moveItem(atPath: other + suffix, toPath: path + suffix)
        }
        guard case .unavailable(let error) = try reader.answer(.object(entity: "Movie", primaryKey: 1)) else {
            Issue.record("it answers from another catalog")
            return
        }
        #expect(error.description.contains("another catalog"))
    }

    @Test func `a writer waits for another one without blocking`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        let catalog = try SQLiteCatalog(path: path, creating: true)
        let other = try SQLiteFile(path)
        try other.run("BEGIN IMMEDIATE")
        let writer = try catalog.makeWriter(for: .items)
        let began = ContinuousClock.now
        guard case .pending(-1, false, let deadline) = writer.begin([.index(FixtureObject("Movie", 1).item)]) else {
            Issue.record("it is not pending")
            return
        }
        #expect(.now - began < .seconds(1) && deadline - began < .seconds(1))
        guard case .pending = writer.resume() else {
            Issue.record("the lock is held")
            return
        }
        try other.run("COMMIT")
        guard case .finished([.applied(1)]) = writer.resume() else {
            Issue.record("it did not go on")
            return
        }
        #expect(try catalog.makeReader().object("Movie", 1) == .found("Movie/1"))
    }

    @Test func `a batch that fails leaves nothing, and the next one is applied`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        let catalog = try SQLiteCatalog(path: path, creating: true)
        let writer = try Writer(catalog)
        try writer.apply([.index(FixtureObject("Movie", 1).item)])
        let other = try SQLiteFile(path)
        try other.run(
            "CREATE TRIGGER fail BEFORE INSERT ON object WHEN (new.id & 255) = 7 BEGIN SELECT RAISE(ABORT, 'no'); END")
        #expect(throws: StoreError.self) {
            try writer.apply([2, 7].map { .index(FixtureObject("Person", $0, ["name": .string("x")]).item) })
        }
        let reader = try catalog.makeReader()
        #expect(try reader.object("Person", 2) == .unknownEntity)
        try other.run("DROP TRIGGER fail")
        try writer.apply([2, 7].map { .index(FixtureObject("Person", $0, ["name": .string("x")]).item) })
        #expect(try reader.match("Person: name == ?", .string("x")) == .found("Person/2", matches: 2))
    }

    @Test func `marks that are old and objects that expired are tidied up`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        let catalog = try SQLiteCatalog(path: path, creating: true)
        let writer = try Writer(catalog)
        try writer.apply([.index(FixtureObject("Movie", 1).item), .index(FixtureObject("Movie", 2).item)])
        try writer.apply(
            json: #"{"delete":{"identifiers":["x-coredata://\#(Fixture.store)/Movie/p1","none"],"version":5}}"#)
        #expect(try catalog.makeReader().describe().deletedCount == 2)
        try SQLiteFile(path).run(
            "UPDATE object SET deleted = 1 WHERE deleted > 1; UPDATE identifier_deletion SET deleted = 1")
        try writer.apply([.index(FixtureObject("Movie", 3).item)])
        let description = try catalog.makeReader().describe()
        #expect(description.deletedCount == 0 && description.objectCounts.values.reduce(0, +) == 2)
    }
}
