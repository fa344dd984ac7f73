import CatalogStore
import Foundation
import Items
import PersistentStore
import StoreTestSupport
import Testing

/// Which store a catalog stands for, and what it knows of entities, in every kind of catalog.
struct CatalogIdentityTests {
    private static let other = "11111111-2222-4333-8444-555555555555"

    private func item(_ store: String, _ entity: String, _ key: Int64, own: String? = nil) -> ItemOperation {
        .index(
            Item(
                entity: own ?? entity, object: ObjectURI(store: store, entity: entity, primaryKey: key),
                attributes: [.init("name", .attribute(.string("\(key)")))], version: ItemVersion(given: 1)))
    }

    @Test(arguments: StoreKinds.catalogs)
    func `an empty catalog takes the store of the first object, and then no other`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let store = try made.catalog.makeReader()
        #expect(UUID(uuidString: store.identifier) != nil && store.identifier != Fixture.store)
        let writer = try Writer(made.catalog)
        #expect(try writer.apply([item(Fixture.store, "Movie", 1)]) == [.applied(1)])
        #expect(try store.object("Movie", 1) == .found("Movie/1"))
        #expect(store.identifier == Fixture.store)
        guard case .refused(let sentence) = try writer.apply([item(Self.other, "Movie", 2)]).first else {
            Issue.record("it was not refused")
            return
        }
        #expect(sentence.contains(Self.other) && sentence.contains(Fixture.store))
        #expect(try writer.apply([.adopt(store: Fixture.store)]) == [.applied(0)])
        guard case .refused = try writer.apply([.adopt(store: Self.other)]).first else {
            Issue.record("it was not refused")
            return
        }
        let mixed = try writer.apply([item(Self.other, "Movie", 3), item(Fixture.store, "Movie", 4)])
        #expect(mixed.last == .applied(1), "its neighbours are applied")
        #expect(try store.object("Movie", 4) == .found("Movie/4") && store.object("Movie", 3) == .noRow)
    }

    @Test(arguments: StoreKinds.catalogs)
    func `declared entities descend from each other, also when parents come later`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        try writer.apply([
            .declare([EntityDeclaration(name: "ShortFilm", parent: "Movie", attributes: ["minutes": .integer16])])
        ])
        try writer.apply([.declare([EntityDeclaration(name: "Movie", parent: "Work", attributes: ["name": .string])])])
        #expect(try writer.apply([item(Fixture.store, "Work", 1, own: "ShortFilm")]) == [.applied(1)])
        let store = try made.catalog.makeReader()
        #expect(try store.object("Movie", 1) == .found("ShortFilm/1"))
        #expect(try store.match("Work: name == ?", .string("1")) == .noMatch, "the attribute is Movie's")
        #expect(try store.match("Movie: name == ?", .string("1")) == .found("ShortFilm/1"))
        #expect(
            store.model.attribute("minutes", of: try #require(store.model.index(of: "ShortFilm")))?.type == .integer16)
        guard case .refused = try writer.apply([.declare([EntityDeclaration(name: "Work", parent: "Thing")])]).first,
            case .refused = try writer.apply([.declare([EntityDeclaration(name: "Movie", parent: "ShortFilm")])]).first,
            case .refused = try writer.apply([item(Fixture.store, "Movie", 5, own: "Person")]).first
        else {
            Issue.record("a change that moves objects, a circle, and an entity that does not fit must be refused")
            return
        }
        #expect(try store.object("Movie", 1) == .found("ShortFilm/1"))
    }

    @Test(arguments: StoreKinds.catalogs)
    func `values are read as the declared type, and types that were seen are told`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        try writer.apply(Fixture.declarations)
        try writer.apply(
            json: """
                {"index":{"object":"x-coredata://\(Fixture.store)/Movie/p1","attributeSet":{
                  "released":"2001-01-01T00:00:00Z","code":"0d8a1c7e-9e2b-4f5d-8c3a-1b2c3d4e5f60","isFavorite":1,
                  "popularity":2,"keywords":["a","b"],"extra":{"$date":"2001-01-01T00:00:01.5Z"},"none":null}}}
                """)
        let store = try made.catalog.makeReader()
        guard case .found(let object) = try store.object(entity: "Movie", primaryKey: 1) else {
            Issue.record("the object is not found")
            return
        }
        #expect(object.attributes["released"] == .date(0) && object.attributes["extra"] == .date(1.5))
        #expect(object.attributes["code"] == UUID(uuidString: "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60").map { .uuid($0) })
        #expect(object.attributes["isFavorite"] == .boolean(true) && object.attributes["popularity"] == .number(2))
        #expect(object.attributes["name"] == .null && object.attributes["none"] == nil)
        #expect(object.relationships.keys.contains("director"))
        let movie = try #require(store.model.index(of: "Movie"))
        #expect(store.model.attribute("extra", of: movie)?.type == .date)
        #expect(
            try store.items(after: nil, limit: 1).items.first?.attributes.contains { $0.name == "keywords" } == true)
    }

    @Test(arguments: StoreKinds.catalogs)
    func `an identifier that is an object's URI names the object`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        let uri = "x-coredata://\(Fixture.store)/Movie/p7"
        try writer.apply(json: #"{"index":{"uniqueIdentifier":"\#(uri)","attributeSet":{"name":"Alien"}}}"#)
        let store = try made.catalog.makeReader()
        #expect(try store.object("Movie", 7) == .found("Movie/7"))
        // From the app's file: it leaves the identifier as it is.
        try writer.apply([item(Fixture.store, "Movie", 8)])
        #expect(
            try writer.apply(json: #"{"delete":{"identifiers":["\#(uri)","x-coredata://\#(Fixture.store)/Movie/p8"]}}"#)
                == [.applied(2)])
        #expect(try store.object("Movie", 7) == .deleted && store.object("Movie", 8) == .deleted)
    }

    @Test(arguments: StoreKinds.catalogs)
    func `an identifier moves from one object to another`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        func index(_ name: String, _ key: Int) -> String {
            #"{"index":{"uniqueIdentifier":"\#(name)","object":"x-coredata://\#(Fixture.store)/Movie/p\#(key)"}}"#
        }
        try writer.apply(json: "[" + index("a", 1) + "," + index("b", 2) + "]")
        try writer.apply(json: "[" + index("b", 1) + "," + index("a", 2) + "]")
        let store = try made.catalog.makeReader()
        #expect(try store.match("Movie: uniqueIdentifier == ?", .string("a")) == .found("Movie/2"))
        #expect(try store.object("Movie", 1) == .found("Movie/1") || store.object("Movie", 1) == .deleted)
        try writer.apply(json: index("a", 3))
        #expect(try store.match("Movie: uniqueIdentifier == ?", .string("a")) == .found("Movie/3"))
        #expect(try store.object("Movie", 2) == .deleted)
    }

    @Test(arguments: StoreKinds.catalogs)
    func `a commit is seen by the next batch of every reader`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        try writer.apply(Fixture.declarations)
        let readers = try (0..<3).map { _ in try made.catalog.makeReader() }
        for key in 1...50 as ClosedRange<Int64> {
            for reader in readers { #expect(try reader.object("Movie", key) == .noRow) }
            try writer.apply([item(Fixture.store, "Movie", key)])
            for reader in readers {
                #expect(try reader.object("Movie", key) == .found("Movie/\(key)"))
                #expect(try reader.match("Movie: name == ?", .string("\(key)")) == .found("Movie/\(key)"))
            }
        }
    }
}
