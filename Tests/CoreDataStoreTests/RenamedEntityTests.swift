import CoreDataStore
import PersistentStore
import Testing

/// Stores whose entities a migration renamed: Z_PRIMARYKEY keeps former names, which can be other entities' by now.
struct RenamedEntityTests {
    /// A store of entities with a name each, listed under other names, and with a row each under its number.
    private func store(_ path: String, listed: [String]) throws -> CoreDataStore {
        let names = ["Car", "Vehicle", "Zoo"]
        let archive = ArchiveBuilder.archive(
            names.map { .init(name: $0, attributes: [.init(name: "name", type: 700)]) })
        let store = try SyntheticStore(path, entities: listed.map { ($0, 0) }, archive: archive, hashed: names)
        for (index, name) in names.enumerated() {
            try store.app.run(
                """
                CREATE TABLE Z\(name.uppercased()) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                INSERT INTO Z\(name.uppercased()) VALUES (1, \(index + 1), 1, 'a \(name)');
                """)
        }
        return try CoreDataFile(path: path).makeStore()
    }

    private func name(_ entity: String, _ store: CoreDataStore) throws -> AttributeValue? {
        guard case .found(let object) = try store.object(entity: entity, primaryKey: 1) else { return nil }
        #expect(object.uri.entity == entity)
        return object.attributes["name"]
    }

    @Test(arguments: [
        ["Car", "Vehicle", "Zoo"],
        // One entity renamed; one renamed whose former name a new one has; a chain.
        ["Car", "Automobile", "Zoo"], ["Car", "Car", "Zoo"], ["Automobile", "Car", "Zoo"],
        ["Former 1", "Former 2", "Former 3"],
    ])
    func `an entity is found by the model's name, whatever the list still says`(listed: [String]) throws {
        let folder = try TemporaryFolder()
        let store = try store(folder.path + "/s.sqlite", listed: listed)
        for entity in ["Car", "Vehicle", "Zoo"] {
            #expect(try name(entity, store) == .string("a \(entity)"))
        }
        #expect(try store.describe().unverified == [])
        guard case .unknownEntity = try store.object(entity: "Automobile", primaryKey: 1) else {
            Issue.record("a former name is still known")
            return
        }
    }

    @Test func `renamed entities of a hierarchy keep their places`() throws {
        let folder = try TemporaryFolder()
        let archive = ArchiveBuilder.archive([
            .init(name: "Base"), .init(name: "Alpha", parent: "Base", attributes: [.init(name: "x", type: 700)]),
            .init(name: "Mid", parent: "Base", attributes: [.init(name: "x", type: 700)]),
            .init(name: "Leaf", parent: "Mid"),
        ])
        let synthetic = try SyntheticStore(
            folder.path + "/s.sqlite", entities: [("Base", 0), ("Zeta", 1), ("Alpha", 1), ("Leaf", 3)],
            archive: archive, hashed: ["Base", "Alpha", "Mid", "Leaf"])
        try synthetic.app.run(
            """
            CREATE TABLE ZBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZX VARCHAR, ZX1 VARCHAR);
            INSERT INTO ZBASE VALUES (1, 2, 1, 'of Alpha', NULL), (2, 3, 1, NULL, 'of Mid'), (3, 4, 1, NULL, 'of Leaf');
            """)
        let store = try CoreDataFile(path: synthetic.path).makeStore()
        let expected = [(Int64(1), "Alpha", "of Alpha"), (2, "Mid", "of Mid"), (3, "Leaf", "of Leaf")]
        for (key, entity, value) in expected {
            guard case .found(let object) = try store.object(entity: "Base", primaryKey: key) else {
                Issue.record("no row \(key)")
                continue
            }
            #expect(object.uri.entity == entity)
            #expect(object.attributes["x"] == .string(value))
        }
    }
}
