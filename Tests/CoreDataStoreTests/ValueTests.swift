import Foundation
import PersistentStore
import StoreTestSupport
import Testing

@testable import CoreDataStore

/// Values in rows, as they should be and as they should not.
struct ValueTests {
    private func store(_ folder: TemporaryFolder, _ attributes: [ArchiveBuilder.Attribute], columns: String) throws
        -> SyntheticStore
    {
        let archive = ArchiveBuilder.archive([.init(name: "Thing", attributes: attributes)])
        let store = try SyntheticStore(folder.path + "/Things.sqlite", entities: [("Thing", 0)], archive: archive)
        try store.app.run(
            "CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns))")
        return store
    }

    private func attributes(_ path: String, _ key: Int64 = 1) throws -> [String: AttributeValue] {
        let store = try CoreDataFile(path: path).makeStore()
        guard case .found(let object) = try store.object(entity: "Thing", primaryKey: key) else { return [:] }
        return object.attributes
    }

    @Test func `external data comes from the row or from its file, and nothing else is followed`() throws {
        let folder = try TemporaryFolder()
        let things = try store(
            folder, [.init(name: "data", type: 1000, isExternal: true), .init(name: "plain", type: 1000)],
            columns: "ZDATA BLOB, ZPLAIN BLOB")
        let name = "7E2E4EF6-BEB6-4DF6-A36E-C40353C1A06C"
        let missing = "00000000-BEB6-4DF6-A36E-C40353C1A06C"
        let evil = "../../../../../../../../../../etc/hosts"
        let linked = "11111111-BEB6-4DF6-A36E-C40353C1A06C"
        for (key, bytes) in [
            [1] + Array("inline".utf8), [2] + Array(name.utf8) + [0], [2] + Array(missing.utf8) + [0],
            [2] + Array(evil.prefix(36).utf8) + [0], [2] + Array(linked.utf8) + [0], [], [7, 8],
        ].enumerated() {
            try things.app.run("INSERT INTO ZTHING VALUES (\(key + 1), 1, 1, \(bytes.sql), x'01ff')")
        }
        let support = folder.path + "/.Things_SUPPORT/_EXTERNAL_DATA"
        try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
        try Data("a large value".utf8).write(to: URL(fileURLWithPath: support + "/" + name))
        try FileManager.default.createSymbolicLink(
            atPath: support + "/" + linked, withDestinationPath: "/etc/hosts")
        #expect(try attributes(things.path, 1)["data"] == .binary(Array("inline".utf8)))
        #expect(try attributes(things.path, 1)["plain"] == .binary([1, 255]))
        #expect(try attributes(things.path, 2)["data"] == .binary(Array("a large value".utf8)))
        #expect(try attributes(things.path, 3)["data"] == .externalDataMissing(missing))
        #expect(try attributes(things.path, 4)["data"] == .binary([2] + Array(evil.prefix(36).utf8) + [0]))
        #expect(try attributes(things.path, 5)["data"] == .externalDataMissing(linked))
        #expect(try attributes(things.path, 6)["data"] == .binary([]))
        #expect(try attributes(things.path, 7)["data"] == .binary([7, 8]))
    }

    @Test func `a composite attribute is read by its elements, a transient one not at all`() throws {
        let folder = try TemporaryFolder()
        let things = try store(
            folder,
            [
                .init(
                    name: "address", type: 2100,
                    elements: [.init(name: "city", type: 700), .init(name: "latitude", type: 500)]),
                .init(name: "passing", type: 700, isTransient: true),
            ], columns: "ZCITY VARCHAR, ZLATITUDE FLOAT")
        try things.app.run("INSERT INTO ZTHING VALUES (1, 1, 1, 'Turin', 45)")
        #expect(try attributes(things.path) == ["address.city": .string("Turin"), "address.latitude": .number(45)])
        let store = try CoreDataFile(path: things.path).makeStore()
        store.prepare(
            FetchPlan(entries: [.init(entity: "Thing", paths: [["address", "city"], ["passing"], ["none"]])]),
            predicates: [])
        guard case .found(let object) = store.answer(.object(entity: "Thing", primaryKey: 1)) else {
            Issue.record("not found")
            return
        }
        #expect(object.values == [.string("Turin"), .null, .null])
        #expect(try store.describe().unverified == [])
    }

    @Test func `a value of another storage class than its attribute's gets the best reading`() throws {
        let folder = try TemporaryFolder()
        let types: [(String, Int64)] = [
            ("int", 300), ("flag", 800), ("double", 500), ("decimal", 400), ("string", 700), ("date", 900),
            ("uuid", 1100), ("binary", 1000),
        ]
        let things = try store(
            folder, types.map { .init(name: $0.0, type: $0.1) },
            columns: types.map { "Z" + $0.0.uppercased() }.joined(separator: ","))
        let uuid = "3AF36E86-52CC-45E2-A6CB-9CB6C9C45306"
        try things.app.run(
            """
            INSERT INTO ZTHING VALUES (1, 1, 1, '42', 2.0, 3, 3.3333333332999993, 5, '7.5', \(uuid.sql), 'text');
            INSERT INTO ZTHING VALUES (2, 1, 1, 'forty', 'yes', 'x', 'y', x'c3a9', 'z', x'00', 7);
            INSERT INTO ZTHING VALUES (3, 1, 1, 2.5, 0, 9e999, 12, x'ff', 5, x'0102', NULL);
            """)
        #expect(
            try attributes(things.path, 1) == [
                "int": .integer(42), "flag": .boolean(true), "double": .number(3), "decimal": .number(3.3333333333),
                "string": .string("5"), "date": .date(7.5), "uuid": UUID(uuidString: uuid).map { .uuid($0) } ?? .null,
                "binary": .binary(Array("text".utf8)),
            ])
        #expect(
            try attributes(things.path, 2) == [
                "int": .string("forty"), "flag": .string("yes"), "double": .string("x"), "decimal": .string("y"),
                "string": .string("\u{e9}"), "date": .string("z"), "uuid": .binary([0]), "binary": .integer(7),
            ])
        #expect(
            try attributes(things.path, 3) == [
                "int": .number(2.5), "flag": .boolean(false), "double": .number(.infinity), "decimal": .integer(12),
                "string": .binary([255]), "date": .date(5), "uuid": .binary([1, 2]), "binary": .null,
            ])
    }

    @Test func `values behind to-one relationships are read, and the target has its own entity`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien", director: 1)
        try movies.addMovie(2, "Bout", entity: 2, director: 9)
        try movies.app.run(
            "INSERT INTO ZPERSON VALUES (1, 3, 1, 2, 2, 'Ridley'), (2, 3, 1, 2, NULL, 'A'), (3, 3, 1, NULL, NULL, 'B')")
        let store = try CoreDataFile(path: movies.path).makeStore()
        store.prepare(
            FetchPlan(entries: [
                .init(
                    entity: "Movie",
                    paths: [["director"], ["director", "name"], ["director", "best", "name"], ["director", "best"]]),
                .init(entity: "Person", paths: [["best"], ["best", "minutes"], ["best", "director", "name"]]),
            ]), predicates: [])
        func values(_ entity: String, _ key: Int64) -> [AttributeValue] {
            guard case .found(let object) = store.answer(.object(entity: entity, primaryKey: key)) else { return [] }
            return Array(object.values)
        }
        func uri(_ entity: String, _ key: Int64) -> AttributeValue {
            .object(ObjectURI(store: SyntheticStore.identifier, entity: entity, primaryKey: key))
        }
        #expect(values("Movie", 1) == [uri("Person", 1), .string("Ridley"), .string("Bout"), uri("ShortFilm", 2)])
        #expect(values("Movie", 2) == [uri("Person", 9), .null, .null, .null])
        #expect(values("Person", 1) == [uri("ShortFilm", 2), .integer(12), .null])
        #expect(values("Person", 2) == [uri("ShortFilm", 2), .integer(12), .null])
        #expect(values("Person", 3) == [.null, .null, .null])
    }

    @Test func `a row that the history deleted says so, and when`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run(
            """
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
              ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
            INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 700000000);
            INSERT INTO ACHANGE VALUES (1, 16001, 1, 0, 2, 5, 1), (2, 16001, 1, 2, 2, 5, 1), (3, 16001, 1, 2, 1, 6, 77);
            """)
        let store = try CoreDataFile(path: movies.path).makeStore()
        func absence(_ entity: String, _ key: Int64) -> Absence? {
            guard case .notFound(let absence) = store.answer(.object(entity: entity, primaryKey: key)) else {
                return nil
            }
            return absence
        }
        let time = Date(timeIntervalSinceReferenceDate: 700_000_000)
        #expect(absence("Movie", 5) == .deleted(time))
        #expect(absence("ShortFilm", 5) == .deleted(time))
        #expect(absence("Movie", 6) == .deleted(nil))
        #expect(absence("ShortFilm", 6) == .noRow)
        #expect(absence("Person", 5) == .noRow)
        #expect(absence("Movie", 7) == .noRow)
        try movies.addMovie(8, "Alien")
        #expect(absence("ShortFilm", 8) == .otherEntity("Movie"))
    }
}
