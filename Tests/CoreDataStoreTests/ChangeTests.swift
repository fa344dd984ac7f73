import Foundation
import PersistentStore
import StoreTestSupport
import Testing

import struct PersistentStore.Predicate

@testable import CoreDataStore

/// Changes that others make while a store is open.
@Suite(.serialized)
struct ChangeTests {
    private let byName = Predicate(entity: "Movie", comparisons: [.init(attribute: "name", ignoresCase: true)])

    private func name(_ result: LookupResult) -> AttributeValue? {
        guard case .found(let object) = result else { return nil }
        return object.values.first
    }

    private func open(_ path: String) throws -> CoreDataStore {
        let store = try CoreDataFile(path: path).makeStore()
        store.prepare(FetchPlan(entries: [.init(entity: "Movie", paths: [["name"]])]), predicates: [byName])
        return store
    }

    @Test(arguments: ["DELETE", "PERSIST", "TRUNCATE", "WAL"])
    func `a change is seen within a second, by key and by name`(mode: String) async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run("PRAGMA journal_mode=\(mode)")
        try movies.addMovie(1, "Alien")
        let store = try open(movies.path)
        #expect(name(store.answer(.object(entity: "Movie", primaryKey: 1))) == .string("Alien"))
        for round in 1...5 {
            let title = "Aliens \(round)"
            try movies.app.run("UPDATE ZMOVIE SET ZNAME = \(title.sql)")
            let start = ContinuousClock.now
            _ = try await eventually {
                let byKey = name(store.answer(.object(entity: "Movie", primaryKey: 1)))
                let found = name(store.answer(.matching(byName, values: [.string(title.uppercased())])))
                return byKey == .string(title) && found == .string(title) ? true : nil
            }
            #expect(ContinuousClock.now - start < .seconds(1) * slowness, "\(mode)")
        }
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `after a pause longer than a second the very first answer is right`(mode: String) async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run("PRAGMA journal_mode=\(mode)")
        // So many rows that the index is built in the background.
        try movies.app.run(
            """
            WITH RECURSIVE n(k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 30000)
            INSERT INTO ZMOVIE SELECT k, 1, 1, NULL, NULL, NULL, 1.5, 'movie ' || k FROM n
            """)
        let store = try open(movies.path)
        let sought = Lookup.matching(byName, values: [.string("movie 5")])
        _ = try await eventually { name(store.answer(sought)) }
        for round in 1...2 {
            let title = "late \(round)"
            try movies.app.run("UPDATE ZMOVIE SET ZNAME = \(title.sql) WHERE Z_PK = 7")
            let changed = ContinuousClock.now
            _ = try await eventually { ContinuousClock.now - changed > .milliseconds(1500) ? true : nil }
            // The first answers that are not put off must know of the change.
            let byKey = try await eventually { known(store.answer(.object(entity: "Movie", primaryKey: 7))) }
            #expect(name(byKey) == .string(title), "\(mode)")
            let late = Lookup.matching(byName, values: [.string(title)])
            #expect(name(try await eventually { known(store.answer(late)) }) == .string(title), "\(mode)")
        }
    }

    /// The answer, unless it is put off.
    private func known(_ result: LookupResult) -> LookupResult? {
        if case .deferred = result { return nil }
        return result
    }

    @Test func `that nothing matches is not kept from the index of a former state`() async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run(
            """
            WITH RECURSIVE n(k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 30000)
            INSERT INTO ZMOVIE SELECT k, 1, 1, NULL, NULL, NULL, 1.5, 'movie ' || k FROM n
            """)
        let store = try open(movies.path)
        _ = try await eventually { name(store.answer(.matching(byName, values: [.string("movie 5")]))) }
        try movies.addMovie(40_000, "Alien")
        let start = ContinuousClock.now
        // Asked at once, while the former index may still answer, and again and again.
        let found = try await eventually { name(store.answer(.matching(byName, values: [.string("alien")]))) }
        #expect(found == .string("Alien"))
        #expect(ContinuousClock.now - start < .seconds(2) * slowness)
    }

    @Test func `a batch in the middle of another's transaction sees none of it`() async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        for key in Int64(1)...200 { try movies.addMovie(key, "before") }
        let store = try open(movies.path)
        try movies.app.run("BEGIN IMMEDIATE; UPDATE ZMOVIE SET ZNAME = 'after'")
        #expect(name(store.answer(.object(entity: "Movie", primaryKey: 200))) == .string("before"))
        try movies.app.run("COMMIT")
        let after = try await eventually { name(store.answer(.object(entity: "Movie", primaryKey: 200))) }
        #expect(after == .string("after"))
    }

    @Test func `a file locked for long is unavailable until it is free`() async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien")
        let store = try open(movies.path)
        try movies.app.run("BEGIN EXCLUSIVE")
        guard case .deferred = store.answer(.object(entity: "Movie", primaryKey: 1)) else {
            Issue.record("a locked file was read")
            return
        }
        let error = try await eventually { () -> StoreError? in
            guard case .unavailable(let error) = store.answer(.object(entity: "Movie", primaryKey: 1)) else {
                return nil
            }
            return error
        }
        #expect(error.code == .unavailable && error.description.contains("locked"))
        try movies.app.run("COMMIT")
        #expect(
            try await eventually { name(store.answer(.object(entity: "Movie", primaryKey: 1))) } == .string("Alien"))
    }

    @Test func `a file that is replaced is read anew`() async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien")
        let store = try open(movies.path)
        let next = try SyntheticStore.movies(folder.path + "/next.sqlite")
        try next.addMovie(1, "Aliens")
        try FileManager.default.removeItem(atPath: movies.path)
        try FileManager.default.moveItem(atPath: next.path, toPath: movies.path)
        let found = try await eventually {
            let value = name(store.answer(.object(entity: "Movie", primaryKey: 1)))
            return value == .string("Aliens") ? value : nil
        }
        #expect(found == .string("Aliens"))
    }

    @Test func `a file that vanishes, or stops being a store, is unavailable until it is back`() async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien")
        let store = try open(movies.path)
        let aside = folder.path + "/aside"
        func refusal() async throws -> StoreError {
            try await eventually {
                guard case .unavailable(let error) = store.answer(.object(entity: "Movie", primaryKey: 1)) else {
                    return nil
                }
                return error
            }
        }
        func recovers() async throws {
            let value = try await eventually { name(store.answer(.object(entity: "Movie", primaryKey: 1))) }
            #expect(value == .string("Alien"))
        }
        try FileManager.default.moveItem(atPath: movies.path, toPath: aside)
        #expect(try await refusal().description.contains("vanished"))
        try Data("no store".utf8).write(to: URL(fileURLWithPath: movies.path))
        let invalid = try await refusal()
        #expect(invalid.code == .unavailable && invalid.description.contains("not an SQLite file"))
        try FileManager.default.removeItem(atPath: movies.path)
        let other = try SyntheticStore.movies(movies.path, identifier: "11111111-9E2B-4F5D-8C3A-1B2C3D4E5F60")
        try other.addMovie(1, "Another")
        let different = try await eventually { () -> StoreError? in
            guard case .unavailable(let error) = store.answer(.object(entity: "Movie", primaryKey: 1)),
                error.description.contains("another store")
            else { return nil }
            return error
        }
        #expect(different.description.contains(SyntheticStore.identifier))
        try FileManager.default.removeItem(atPath: movies.path)
        try FileManager.default.moveItem(atPath: aside, toPath: movies.path)
        try await recovers()
    }

    @Test func `an app that begins to use a log is followed into a copy, and out of it when it closes`() async throws {
        let folder = try TemporaryFolder()
        do {
            let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
            try movies.app.run("PRAGMA journal_mode=WAL")
            try movies.addMovie(1, "Alien")
        }
        let path = folder.path + "/m.sqlite"
        let store = try open(path)
        #expect(try store.describe(countingRows: false).readsCopy == false)
        let app = try SQLiteFile(path)
        try app.run("UPDATE ZMOVIE SET ZNAME = 'Aliens'")
        let changed = try await eventually {
            let value = name(store.answer(.object(entity: "Movie", primaryKey: 1)))
            return value == .string("Aliens") ? value : nil
        }
        #expect(changed == .string("Aliens"))
        #expect(try store.describe(countingRows: false).readsCopy)
        try app.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let inPlace = try await eventually { try store.describe(countingRows: false).readsCopy ? nil : true }
        #expect(inPlace)
        #expect(name(store.answer(.object(entity: "Movie", primaryKey: 1))) == .string("Aliens"))
    }

    @Test(arguments: ["DELETE", "WAL"])
    func `a writer that moves value between rows is never caught in between`(mode: String) async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run("PRAGMA journal_mode=\(mode); PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=20")
        for key in Int64(1)...2000 { try movies.addMovie(key, "0") }
        let store = try open(movies.path)
        var seen: Set<String> = []
        for round in 1...60 {
            try movies.app.run("UPDATE ZMOVIE SET ZNAME = '\(round)'")
            let lookups = stride(from: Int64(1), through: 2000, by: 97).map {
                Lookup.object(entity: "Movie", primaryKey: $0)
            }
            guard case .finished(let results) = store.begin(lookups) else { continue }
            let names = Set(results.compactMap { name($0) })
            #expect(names.count <= 1, "\(mode), round \(round)")
            for case .string(let text) in names { seen.insert(text) }
        }
        let last = try await eventually {
            name(store.answer(.object(entity: "Movie", primaryKey: 1))) == .string("60") ? true : nil
        }
        #expect(last && !seen.isEmpty)
    }
}
