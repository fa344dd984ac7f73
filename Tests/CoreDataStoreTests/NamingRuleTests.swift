import CoreDataStore
import PersistentStore
import Testing

/// Core Data's rules for tables and columns, on a store in which many of them meet.
///
/// The tables are written out as the rules name them, so that nothing of the worker helps to make them.
struct NamingRuleTests {
    // Entities are numbered by a walk without regard to case: Animal 1, cat 2, Dog 3, Puppy 4, Zebra 5, Item 6,
    // Person 7, Tag 8.
    private static let model: [ArchiveBuilder.Entity] = [
        .init(
            name: "Animal", isAbstract: true, attributes: [.init(name: "name", type: 700)],
            relationships: [.init(name: "tags", destination: "Tag", inverse: "animals", isToMany: true)]),
        .init(
            name: "cat", parent: "Animal",
            attributes: [.init(name: "tag", type: 700), .init(name: "nick", type: 700)],
            relationships: [.init(name: "owner", destination: "Person", inverse: "cats")]),
        .init(
            name: "Dog", parent: "Animal", attributes: [.init(name: "tag", type: 700)],
            relationships: [
                .init(name: "owner", destination: "Person", inverse: "dogs"),
                .init(name: "mate", destination: "Animal"),
            ]),
        .init(name: "Puppy", parent: "Dog", relationships: [.init(name: "nick", destination: "Person")]),
        .init(
            name: "Zebra", parent: "Animal", attributes: [.init(name: "tag", type: 300)],
            relationships: [.init(name: "mate", destination: "Dog")]),
        .init(
            name: "Item", attributes: [.init(name: "name", type: 700)],
            relationships: [
                .init(name: "tags", destination: "Tag", inverse: "items", isToMany: true),
                .init(name: "tags2", destination: "Tag", inverse: "items2", isToMany: true),
            ]),
        .init(
            name: "Person", attributes: [.init(name: "name", type: 700)],
            relationships: [
                .init(name: "favourite", destination: "Animal"),
                .init(name: "friends", destination: "Person", inverse: "friends", isToMany: true),
                .init(name: "cats", destination: "cat", inverse: "owner", isToMany: true, isOrdered: true),
                .init(name: "dogs", destination: "Dog", inverse: "owner", isToMany: true),
                .init(name: "items", destination: "Item", isToMany: true),
                .init(name: "ranked", destination: "Item", isToMany: true, isOrdered: true),
                .init(name: "pets", destination: "Animal", isToMany: true),
                .init(name: "parents", destination: "Person", inverse: "children", isToMany: true),
                .init(
                    name: "children", destination: "Person", inverse: "parents", isToMany: true, isOrdered: true),
            ]),
        .init(
            name: "Tag", attributes: [.init(name: "name", type: 700)],
            relationships: [
                .init(name: "animals", destination: "Animal", inverse: "tags", isToMany: true),
                .init(name: "items", destination: "Item", inverse: "tags", isToMany: true, isOrdered: true),
                .init(name: "items2", destination: "Item", inverse: "tags2", isToMany: true),
            ]),
    ]

    /// How the join tables are named: after either side, and their columns with or without a number behind.
    enum JoinNames: CaseIterable {
        case byOneSide, byOtherSide, numberedColumns

        var statements: String {
            switch self {
            case .byOneSide:
                """
                CREATE TABLE Z_1TAGS (Z_1ANIMALS INTEGER, Z_8TAGS INTEGER);
                INSERT INTO Z_1TAGS VALUES (3, 1), (1, 1), (4, 2);
                CREATE TABLE Z_6TAGS (Z_6ITEMS INTEGER, Z_8TAGS INTEGER, Z_FOK_6ITEMS INTEGER);
                INSERT INTO Z_6TAGS VALUES (5, 1, 1), (1, 1, 2);
                CREATE TABLE Z_6TAGS2 (Z_6ITEMS2 INTEGER, Z_8TAGS2 INTEGER);
                INSERT INTO Z_6TAGS2 VALUES (2, 1), (2, 2);
                """
            case .byOtherSide:
                """
                CREATE TABLE Z_8ANIMALS (Z_1ANIMALS INTEGER, Z_8TAGS INTEGER);
                INSERT INTO Z_8ANIMALS VALUES (3, 1), (1, 1), (4, 2);
                CREATE TABLE Z_8ITEMS (Z_6ITEMS INTEGER, Z_8TAGS INTEGER, Z_FOK_6ITEMS INTEGER);
                INSERT INTO Z_8ITEMS VALUES (5, 1, 1), (1, 1, 2);
                CREATE TABLE Z_6TAGS2 (Z_6ITEMS2 INTEGER, Z_8TAGS2 INTEGER);
                INSERT INTO Z_6TAGS2 VALUES (2, 1), (2, 2);
                """
            case .numberedColumns:
                """
                CREATE TABLE Z_1TAGS (Z_1ANIMALS1 INTEGER, Z_8TAGS1 INTEGER);
                INSERT INTO Z_1TAGS VALUES (3, 1), (1, 1), (4, 2);
                CREATE TABLE Z_8ITEMS (Z_6ITEMS1 INTEGER, Z_8TAGS1 INTEGER, Z_FOK_6ITEMS1 INTEGER);
                INSERT INTO Z_8ITEMS VALUES (5, 1, 1), (1, 1, 2);
                CREATE TABLE Z_8ITEMS2 (Z_6ITEMS2 INTEGER, Z_8TAGS2 INTEGER);
                INSERT INTO Z_8ITEMS2 VALUES (2, 1), (2, 2);
                """
            }
        }
    }

    private func store(_ folder: TemporaryFolder, _ joins: JoinNames = .byOneSide) throws -> CoreDataStore {
        let store = try SyntheticStore(
            folder.path + "/s.sqlite",
            entities: [
                ("Animal", 0), ("cat", 1), ("Dog", 1), ("Puppy", 3), ("Zebra", 1), ("Item", 0), ("Person", 0),
                ("Tag", 0),
            ], archive: ArchiveBuilder.archive(Self.model), hashed: Self.model.map(\.name))
        try store.app.run(
            """
            CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME, ZNICK, ZTAG, ZOWNER,
              Z_FOK_OWNER, ZTAG1, ZMATE, Z1_MATE, ZOWNER1, ZNICK1, ZTAG2, ZMATE1, Z3_MATE1, Z7PETS);
            INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZNAME, ZTAG, ZNICK, ZOWNER, Z_FOK_OWNER) VALUES
              (1, 2, 'Tom', 'c-tag', 'Tommy', 1, 20), (5, 2, 'Kit', NULL, NULL, 1, 10);
            INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZNAME, ZTAG1, ZOWNER1, ZMATE, Z1_MATE) VALUES
              (2, 3, 'Rex', 'd-tag', 1, 1, 2);
            INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZNAME, ZTAG1, ZOWNER1, ZNICK1, Z7PETS) VALUES (3, 4, 'Pup', 'p-tag', 1, 2, 1);
            INSERT INTO ZANIMAL (Z_PK, Z_ENT, ZNAME, ZTAG2, ZMATE1, Z3_MATE1, Z7PETS) VALUES (4, 5, 'Zoe', 77, 3, 4, 1);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME, Z7ITEMS, Z7RANKED,
              Z_FOK_7RANKED);
            INSERT INTO ZITEM VALUES (1, 6, 1, 'i1', 1, NULL, NULL), (2, 6, 1, 'i2', 1, 1, 2), (3, 6, 1, 'i3', 1, NULL, NULL),
              (4, 6, 1, 'i4', NULL, 1, 1), (5, 6, 1, 'i5', NULL, 1, 3);
            CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME, ZFAVOURITE, Z1_FAVOURITE);
            INSERT INTO ZPERSON VALUES (1, 7, 1, 'Ann', 3, 4), (2, 7, 1, 'Bob', NULL, NULL), (3, 7, 1, 'Cy', NULL, NULL);
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME);
            INSERT INTO ZTAG VALUES (1, 8, 1, 't1'), (2, 8, 1, 't2');
            CREATE TABLE Z_7FRIENDS (Z_7FRIENDS INTEGER, REFLEXIVE INTEGER);
            INSERT INTO Z_7FRIENDS VALUES (1, 2), (3, 1);
            CREATE TABLE Z_7CHILDREN (Z_7CHILDREN INTEGER, Z_7PARENTS INTEGER, Z_FOK_7CHILDREN INTEGER);
            INSERT INTO Z_7CHILDREN VALUES (3, 1, 1), (2, 1, 2);
            \(joins.statements)
            """)
        return try CoreDataFile(path: store.path).makeStore()
    }

    @Test func `attributes and to-one relationships of a hierarchy have the columns of their entities`() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        #expect(try store.describe().unverified == [])
        func object(_ key: Int64, _ entity: String) throws -> ManagedObject? {
            guard case .found(let object) = try store.object(entity: "Animal", primaryKey: key) else { return nil }
            #expect(object.uri.entity == entity)
            return object
        }
        let tom = try object(1, "cat"), rex = try object(2, "Dog"), pup = try object(3, "Puppy")
        let zoe = try object(4, "Zebra")
        #expect(tom?.attributes == ["name": .string("Tom"), "tag": .string("c-tag"), "nick": .string("Tommy")])
        #expect(rex?.attributes == ["name": .string("Rex"), "tag": .string("d-tag")])
        #expect(pup?.attributes == ["name": .string("Pup"), "tag": .string("p-tag")])
        #expect(zoe?.attributes == ["name": .string("Zoe"), "tag": .integer(77)])
        func target(_ object: ManagedObject?, _ relationship: String) -> String? {
            guard let uri = object?.relationships[relationship] ?? nil, case .permanent(let key) = uri.key else {
                return nil
            }
            return "\(uri.entity) \(key)"
        }
        #expect(target(tom, "owner") == "Person 1" && target(rex, "owner") == "Person 1")
        #expect(target(rex, "mate") == "cat 1" && target(zoe, "mate") == "Puppy 3")
        #expect(target(pup, "nick") == "Person 2" && target(pup, "mate") == nil)
        guard case .notFound(.otherEntity("Puppy")) = try store.object(entity: "cat", primaryKey: 3) else {
            Issue.record("a puppy is no cat")
            return
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: JoinNames.allCases)
    func `every kind of to-many relationship leads to its targets, in its order`(joins: JoinNames) throws {
        let folder = try TemporaryFolder()
        let store = try store(folder, joins)
        let cases: [(entity: String, key: Int64, relationship: String, targets: [String])] = [
            ("Person", 1, "friends", ["Person 2", "Person 3"]), ("Person", 2, "friends", ["Person 1"]),
            ("Person", 1, "cats", ["cat 5", "cat 1"]), ("Person", 1, "dogs", ["Dog 2", "Puppy 3"]),
            ("Person", 1, "items", ["Item 1", "Item 2", "Item 3"]),
            ("Person", 1, "ranked", ["Item 4", "Item 2", "Item 5"]), ("Person", 1, "pets", ["Puppy 3", "Zebra 4"]),
            ("Person", 1, "children", ["Person 3", "Person 2"]), ("Person", 3, "parents", ["Person 1"]),
            ("Tag", 1, "animals", ["cat 1", "Puppy 3"]), ("Puppy", 3, "tags", ["Tag 1"]),
            ("Zebra", 4, "tags", ["Tag 2"]),
            ("Tag", 1, "items", ["Item 5", "Item 1"]), ("Tag", 1, "items2", ["Item 2"]),
            ("Item", 2, "tags2", ["Tag 1", "Tag 2"]), ("Item", 2, "tags", []), ("Item", 5, "tags", ["Tag 1"]),
        ]
        for (entity, key, relationship, targets) in cases {
            let found = try store.targets(of: relationship, entity: entity, primaryKey: key).map { uri in
                if case .permanent(let key) = uri.key { "\(uri.entity) \(key)" } else { "" }
            }
            #expect(found == targets, "\(entity) \(key) \(relationship)")
        }
        let page = try store.targets(of: "ranked", entity: "Person", primaryKey: 1, offset: 1, limit: 1)
        #expect(page.map(\.key) == [.permanent(2)])
        withExtendedLifetime(folder) {}
    }

    @Test func `of two join tables whose names differ by a number the exact one is taken`() throws {
        let folder = try TemporaryFolder()
        let model: [ArchiveBuilder.Entity] = [
            .init(
                name: "Item",
                relationships: [
                    .init(name: "tag", destination: "Tag", inverse: "items", isToMany: true),
                    .init(name: "tag2", destination: "Tag", inverse: "items2", isToMany: true),
                ]),
            .init(
                name: "Tag",
                relationships: [
                    .init(name: "items", destination: "Item", inverse: "tag", isToMany: true),
                    .init(name: "items2", destination: "Item", inverse: "tag2", isToMany: true),
                ]),
        ]
        let synthetic = try SyntheticStore(
            folder.path + "/s.sqlite", entities: [("Item", 0), ("Tag", 0)], archive: ArchiveBuilder.archive(model),
            hashed: ["Item", "Tag"])
        try synthetic.app.run(
            """
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
            INSERT INTO ZITEM VALUES (1, 1, 1); INSERT INTO ZTAG VALUES (1, 2, 1), (2, 2, 1);
            CREATE TABLE Z_1TAG2 (Z_1ITEMS2 INTEGER, Z_2TAG2 INTEGER); INSERT INTO Z_1TAG2 VALUES (1, 2);
            CREATE TABLE Z_2ITEMS (Z_1ITEMS INTEGER, Z_2TAG INTEGER); INSERT INTO Z_2ITEMS VALUES (1, 1);
            """)
        let store = try CoreDataFile(path: synthetic.path).makeStore()
        #expect(try store.targets(of: "tag", entity: "Item", primaryKey: 1).map(\.key) == [.permanent(1)])
        #expect(try store.targets(of: "tag2", entity: "Item", primaryKey: 1).map(\.key) == [.permanent(2)])
        #expect(try store.targets(of: "items", entity: "Tag", primaryKey: 2) == [])
    }
}
