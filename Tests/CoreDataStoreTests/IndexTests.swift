import Foundation
import PersistentStore
import StoreTestSupport
import Testing

import struct PersistentStore.Predicate

@testable import CoreDataStore

/// Look-ups by predicate.
struct IndexTests {
    private let byName = Predicate(
        entity: "Movie",
        comparisons: [.init(attribute: "name", ignoresCase: true, ignoresDiacritics: true)])

    private func find(_ store: CoreDataStore, _ predicate: Predicate, _ value: PredicateValue) throws
        -> FetchedObject?
    {
        let result = store.answer(.matching(predicate, values: [value]))
        if case .found(let object) = result { return object }
        guard case .notFound(.noMatch) = result else {
            Issue.record("\(result)")
            return nil
        }
        return nil
    }

    @Test func `an exact match goes before a folded one, then the smallest key, and all are counted`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "AMELIE")
        try movies.addMovie(2, "Am\u{e9}lie")
        try movies.addMovie(3, "Ame\u{301}lie")
        try movies.addMovie(4, "amelie", entity: 2)
        try movies.addMovie(5, nil)
        let store = try CoreDataFile(path: movies.path).makeStore()
        store.prepare(FetchPlan(), predicates: [byName])
        let exact = try #require(try find(store, byName, .string("Ame\u{301}lie")))
        #expect(exact.primaryKey == 2 && exact.isExact && exact.matches == 4)
        let folded = try #require(try find(store, byName, .string("\u{c0}melie")))
        #expect(folded.primaryKey == 1 && !folded.isExact && folded.matches == 4)
        let short = try #require(try find(store, byName, .string("amelie")))
        #expect(short.primaryKey == 4 && short.isExact && short.entity == "ShortFilm")
        #expect(try find(store, byName, .null)?.primaryKey == 5)
        #expect(try find(store, byName, .string("amelia")) == nil)
        #expect(try find(store, byName, .integer(1)) == nil)
        let shortFilms = Predicate(entity: "ShortFilm", comparisons: byName.comparisons)
        #expect(try find(store, shortFilms, .string("AMELIE"))?.primaryKey == 4)
        #expect(try find(store, shortFilms, .string("AMELIE"))?.matches == 1)
    }

    @Test func `a value that very many rows share is counted without reading them`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO ZMOVIE SELECT i, 1, 1, i % 2, NULL, NULL, 1.0, CASE WHEN i % 3 THEN 'Same' ELSE 'SAME' END FROM n
            """)
        let byRemote = Predicate(entity: "Movie", comparisons: [.init(attribute: "remoteId")])
        let store = try CoreDataFile(path: movies.path).makeStore()
        store.prepare(FetchPlan(), predicates: [byName, byRemote])
        #expect(try find(store, byRemote, .boolean(true))?.matches == 2500)
        #expect(try find(store, byRemote, .string("0"))?.primaryKey == 2)
        #expect(try find(store, byName, .string("SAME"))?.primaryKey == 3)
        #expect(try find(store, byName, .string("same"))?.matches == 5000)
    }

    @Test func `two comparisons must both hold`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien", remoteId: 7)
        try movies.addMovie(2, "Alien", remoteId: 8)
        let both = Predicate(
            entity: "Movie", comparisons: [.init(attribute: "name", ignoresCase: true), .init(attribute: "remoteId")])
        let store = try CoreDataFile(path: movies.path).makeStore()
        store.prepare(FetchPlan(), predicates: [both])
        guard case .found(let object) = store.answer(.matching(both, values: [.string("alien"), .integer(8)])) else {
            Issue.record("not found")
            return
        }
        #expect(object.primaryKey == 2 && object.matches == 1 && !object.isExact)
        guard case .notFound(.noMatch) = store.answer(.matching(both, values: [.string("alien"), .integer(9)])) else {
            Issue.record("found")
            return
        }
    }

    @Test func `an attribute that the entity does not have matches nothing`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien", entity: 2)
        let store = try CoreDataFile(path: movies.path).makeStore()
        let minutes = Predicate(entity: "Movie", comparisons: [.init(attribute: "minutes")])
        #expect(try find(store, minutes, .integer(12)) == nil)
        let own = Predicate(entity: "ShortFilm", comparisons: [.init(attribute: "minutes")])
        #expect(try find(store, own, .integer(12))?.primaryKey == 1)
    }

    @Test func `a large table gets its index in the background, and other look-ups pass meanwhile`() async throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
            INSERT INTO ZMOVIE SELECT i, 1, 1, i, NULL, NULL, 1.0, 'Movie ' || i FROM n
            """)
        let file = try CoreDataFile(path: movies.path)
        let store = file.makeStore()
        store.prepare(FetchPlan(), predicates: [byName])
        guard case .found = store.answer(.object(entity: "Movie", primaryKey: 60000)) else {
            Issue.record("a look-up by key had to wait")
            return
        }
        let found = try await eventually {
            let result = store.answer(.matching(byName, values: [.string("MOVIE 59999")]))
            if case .found(let object) = result { return object }
            guard case .deferred = result else { throw Unexpected(result: result) }
            return nil
        }
        #expect(found.primaryKey == 59999 && found.matches == 1)
        // A second reader finds the index built.
        let other = file.makeStore()
        other.prepare(FetchPlan(), predicates: [byName])
        guard case .found = other.answer(.matching(byName, values: [.string("movie 1")])) else {
            Issue.record("the index is not shared")
            return
        }
    }

    @Test func `an index of a million rows takes about nine bytes a row`() {
        var index = MatchIndex(rows: 1_000_000, largestKey: 1_000_000)
        for key in Int64(1)...1_000_000 {
            let hash = UInt64(bitPattern: key) &* 0x9e37_79b9_7f4a_7c15
            index.add(key, hash: hash, exact: hash)
        }
        #expect(index.byteCount < 9_000_000)
        let missed = (Int64(1)...1_000_000).filter { key in
            !index.candidates(UInt64(bitPattern: key) &* 0x9e37_79b9_7f4a_7c15).contains(key)
        }
        #expect(missed.isEmpty)
    }
}

struct Unexpected: Error {
    let result: LookupResult
}

extension CoreDataStore {
    /// The answer to a single look-up.
    func answer(_ lookup: Lookup) -> LookupResult {
        guard case .finished(let results) = begin([lookup]), let result = results.first else { return .deferred }
        return result
    }
}

/// Asks again until there is a value, at most ten seconds long; longer where programs are slow.
func eventually<Value>(_ value: () throws -> Value?) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(10) * slowness
    while ContinuousClock.now < deadline {
        if let value = try value() { return value }
        await Task.yield()
    }
    return try #require(try value())
}
