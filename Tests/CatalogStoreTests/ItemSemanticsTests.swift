import CatalogStore
import Foundation
import Items
import PersistentStore
import SeededRandom
import StoreTestSupport
import Testing

/// What becomes of items in every kind of catalog.
struct ItemSemanticsTests {
    private func names(_ catalog: any Catalog) throws -> [String] {
        try catalog.makeReader().items(after: nil, limit: 1000).items.compactMap(\.uniqueIdentifier).sorted()
    }

    @Test(arguments: StoreKinds.catalogs)
    func `items are found by their identifiers, domains and attributes`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let outcomes = try Writer(made.catalog).apply(
            json: """
                {"index":[
                  {"uniqueIdentifier":"movie-1","domainIdentifier":"movies.scifi","entity":"Movie",
                   "attributeSet":{"title":"Alien","year":1979}},
                  {"uniqueIdentifier":"note","attributeSet":{"title":"Buy milk"}}]}
                """)
        #expect(outcomes == [.applied(1), .applied(1)])
        let store = try made.catalog.makeReader()
        store.prepare(
            FetchPlan(entries: [
                .init(entity: "Movie", paths: [["title"], ["year"], ["uniqueIdentifier"], ["domainIdentifier"]])
            ]),
            predicates: [])
        let key = ObjectKey.firstAllottedKey
        let expected = Answer.found(
            "Movie/\(key)", values: [.string("Alien"), .integer(1979), .string("movie-1"), .string("movies.scifi")])
        #expect(try store.match("Movie: uniqueIdentifier == ?", .string("movie-1")) == expected)
        #expect(try store.match("Movie: domainIdentifier == ?", .string("movies.scifi")) == expected)
        #expect(try store.match("Movie: year == ? AND title == ?", .integer(1979), .string("Alien")) == expected)
        #expect(try store.object("Movie", key) == expected)
        #expect(try store.match("CSSearchableItem: title ==[c] ?", .string("buy MILK")) != .noMatch)
        #expect(try store.match("CSSearchableItem: domainIdentifier == ?", .null) != .noMatch)
        #expect(try store.match("Movie: uniqueIdentifier == ?", .string("note")) == .noMatch)
        let known = Set(store.model["Movie"]?.attributes.map(\.name) ?? [])
        #expect(known.isSuperset(of: ["title", "year", "uniqueIdentifier"]))
    }

    @Test(arguments: StoreKinds.catalogs)
    func `an item replaces the one of its identifier, and keeps its object`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        try writer.apply(json: #"{"index":{"uniqueIdentifier":"a","attributeSet":{"title":"One","old":1}}}"#)
        let store = try made.catalog.makeReader()
        let key = ObjectKey.firstAllottedKey
        #expect(try store.match("CSSearchableItem: title == ?", .string("One")) == .found("CSSearchableItem/\(key)"))
        try writer.apply(json: #"{"index":{"uniqueIdentifier":"a","attributeSet":{"title":"Two"}}}"#)
        #expect(try store.match("CSSearchableItem: title == ?", .string("One")) == .noMatch)
        #expect(try store.match("CSSearchableItem: old == ?", .integer(1)) == .noMatch)
        #expect(try store.match("CSSearchableItem: title == ?", .string("Two")) == .found("CSSearchableItem/\(key)"))
        try writer.apply(json: #"{"delete":{"identifiers":["a"]}}"#)
        #expect(try store.match("CSSearchableItem: title == ?", .string("Two")) == .noMatch)
        #expect(try store.object("CSSearchableItem", key) == .deleted)
        try writer.apply(json: #"{"index":{"uniqueIdentifier":"a","attributeSet":{"title":"Three"}}}"#)
        #expect(try store.match("CSSearchableItem: title == ?", .string("Three")) == .found("CSSearchableItem/\(key)"))
    }

    @Test(arguments: StoreKinds.catalogs)
    func `late and repeated messages bring nothing back`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        func index(_ title: String, _ version: Int) throws -> ItemOutcome? {
            try writer.apply(
                json: #"{"index":{"uniqueIdentifier":"a","version":\#(version),"attributeSet":{"title":"\#(title)"}}}"#
            ).first
        }
        let store = try made.catalog.makeReader()
        #expect(try index("New", 5) == .applied(1))
        #expect(try index("Old", 4) == .superseded)
        #expect(try index("Repeated", 5) == .superseded)
        #expect(try store.match("CSSearchableItem: title == ?", .string("New")) != .noMatch)
        #expect(try writer.apply(json: #"{"delete":{"identifiers":["a"],"version":4}}"#) == [.superseded])
        #expect(try writer.apply(json: #"{"delete":{"identifiers":["a","b"],"version":7}}"#) == [.applied(1)])
        #expect(try index("Late", 6) == .superseded)
        #expect(
            try writer.apply(json: #"{"index":{"uniqueIdentifier":"b","version":6}}"#) == [.superseded],
            "an identifier that was never there is marked, too")
        #expect(try names(made.catalog) == [])
        #expect(try index("Newest", 8) == .applied(1))
        #expect(try names(made.catalog) == ["a"])
    }

    @Test(arguments: StoreKinds.catalogs)
    func `without versions the time counts, and among equal times the arrival`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        func index(_ title: String, at time: Int64) throws -> ItemOutcome? {
            try writer.apply(
                json: #"{"index":{"uniqueIdentifier":"a","attributeSet":{"title":"\#(title)"}}}"#, at: time
            ).first
        }
        #expect(try index("One", at: 1000) == .applied(1))
        #expect(try index("Two", at: 1000) == .applied(1))
        #expect(try index("Old", at: 999) == .superseded)
        let store = try made.catalog.makeReader()
        #expect(try store.match("CSSearchableItem: title == ?", .string("Two")) != .noMatch)
    }

    @Test(arguments: StoreKinds.catalogs)
    func `a domain is deleted with its sub-domains, and stays deleted for late items`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        for (name, domain) in [("1", "a.b"), ("2", "a.b.c"), ("3", "a.bc"), ("4", "a"), ("5", "A.b"), ("6", "a.b-c")] {
            try writer.apply(
                json: #"{"index":{"uniqueIdentifier":"\#(name)","domainIdentifier":"\#(domain)","version":1}}"#)
        }
        try writer.apply(json: #"{"index":{"uniqueIdentifier":"7","domainIdentifier":"a.b.d","version":9}}"#)
        #expect(
            try writer.apply(json: #"{"delete":{"domainIdentifiers":["a.b"],"version":5}}"#) == [.applied(2)])
        #expect(try names(made.catalog) == ["3", "4", "5", "6", "7"])
        let late = #"{"index":{"uniqueIdentifier":"8","domainIdentifier":"a.b.c.d","version":4}}"#
        #expect(try writer.apply(json: late) == [.superseded])
        let later = #"{"index":{"uniqueIdentifier":"8","domainIdentifier":"a.b.c.d","version":6}}"#
        #expect(try writer.apply(json: later) == [.applied(1)])
        #expect(try writer.apply(json: #"{"delete":{"domainIdentifiers":["a.b"],"version":4}}"#) == [.superseded])
        #expect(try writer.apply(json: late) == [.superseded], "an older deletion does not weaken a newer one")
    }

    @Test(arguments: StoreKinds.catalogs)
    func `everything is deleted but what is newer`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        try writer.apply(
            json: #"{"index":[{"uniqueIdentifier":"a","version":1},{"uniqueIdentifier":"b","version":3}]}"#)
        #expect(try writer.apply(json: #"{"delete":"all","version":2}"#) == [.applied(1)])
        #expect(try names(made.catalog) == ["b"])
        #expect(try writer.apply(json: #"{"index":{"uniqueIdentifier":"c","version":1}}"#) == [.superseded])
        #expect(try writer.apply(json: #"{"delete":{"all":true,"version":9}}"#) == [.applied(1)])
        #expect(try names(made.catalog) == [])
        #expect(try writer.apply(json: #"{"index":{"uniqueIdentifier":"b","version":5}}"#) == [.superseded])
        let replacement = #"{"delete":"all","index":{"uniqueIdentifier":"d"},"version":10}"#
        #expect(try writer.apply(json: replacement) == [.applied(0), .applied(1)])
        let key = try #require(try made.catalog.makeReader().items(after: nil, limit: 9).items.first?.object?.key)
        #expect(key == .permanent(ObjectKey.firstAllottedKey + 2), "keys are not allotted twice")
    }

    @Test(arguments: StoreKinds.catalogs)
    func `an expired item is found no more`(kind: any CatalogKind) throws {
        let made = try kind.makeCatalog()
        let writer = try Writer(made.catalog)
        try writer.apply(json: Self.movie(1, expires: "2020-01-01T00:00:00Z"))
        let store = try made.catalog.makeReader()
        #expect(try store.match("Movie: title == ?", .string("Same")) == .noMatch)
        #expect([.expired, .deleted].contains(try store.object("Movie", 1)))
        let soon = Date().timeIntervalSinceReferenceDate + 0.3
        try writer.apply(json: Self.movie(2, expires: ISO8601.text(seconds: soon)))
        try writer.apply(json: Self.movie(3, expires: "2999-01-01T00:00:00Z"))
        #expect(try store.match("Movie: title == ?", .string("Same")) == .found("Movie/2", matches: 2))
        let deadline = ContinuousClock.now + .seconds(10)
        while try store.object("Movie", 2) == .found("Movie/2"), ContinuousClock.now < deadline {}
        #expect(try store.object("Movie", 2) == .expired)
        #expect(try store.match("Movie: title == ?", .string("Same")) == .found("Movie/3"))
        try writer.apply(json: Self.movie(2, expires: nil))
        #expect(try store.match("Movie: title == ?", .string("Same")) == .found("Movie/2", matches: 2))
    }

    private static func movie(_ key: Int, expires: String?) -> String {
        let date = expires.map { #","expirationDate":"\#($0)""# } ?? ""
        return
            #"{"index":{"object":"x-coredata://\#(Fixture.store)/Movie/p\#(key)","attributeSet":{"title":"Same"}\#(date)}}"#
    }

    @Test(arguments: StoreKinds.catalogs)
    func `a batch is applied as its operations one by one`(kind: any CatalogKind) throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<6 {
            let operations = (0..<120).map { Self.randomOperation($0, &generator) }
            let single = try kind.makeCatalog()
            let singleWriter = try Writer(single.catalog)
            var outcomes: [ItemOutcome] = []
            for operation in operations { outcomes += try singleWriter.apply([operation]) }
            let batched = try kind.makeCatalog()
            let batchWriter = try Writer(batched.catalog, .bulk)
            // Refusals name the identifier that each catalog made for itself.
            let kinds = { (outcome: ItemOutcome) in
                if case .refused = outcome { ItemOutcome.refused("") } else { outcome }
            }
            #expect(try batchWriter.apply(operations).map(kinds) == outcomes.map(kinds))
            try batchWriter.finish()
            let expected = try single.catalog.makeReader().items(after: nil, limit: 1000).items
            let actual = try batched.catalog.makeReader().items(after: nil, limit: 1000).items
            let ownStore = { (item: Item) in (item.uniqueIdentifier, item.attributes, item.version, item.object?.key) }
            #expect(expected.count == actual.count && zip(expected, actual).allSatisfy { ownStore($0) == ownStore($1) })
            let store = try batched.catalog.makeReader()
            for item in expected {
                guard case .attribute(.integer(let title)) = item.attributes.first?.value else { continue }
                #expect(try store.match("\(item.entity): title == ?", .integer(title)) != .noMatch)
            }
        }
    }

    private static func randomOperation(_ title: Int, _ generator: inout SeededGenerator) -> ItemOperation {
        let version = ItemVersion(given: .random(in: 1...60, using: &generator))
        let name = String(Int.random(in: 0..<12, using: &generator))
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: return .deleteAll(ItemVersion(given: version.number / 3))
        case 1, 2: return .deleteDomains(["d." + name], ItemVersion(given: version.number / 2))
        case 3...6: return .deleteIdentifiers([name, name + "x"], version)
        default:
            let isGiven = Bool.random(using: &generator)
            let entity = Bool.random(using: &generator) ? "A" : "B"
            let key = Int64.random(in: 0..<6, using: &generator)
            return .index(
                Item(
                    uniqueIdentifier: name, domainIdentifier: "d.\(name).e", entity: entity,
                    object: isGiven ? ObjectURI(store: Fixture.store, entity: entity, primaryKey: key) : nil,
                    attributes: [.init("title", .attribute(.integer(Int64(title))))], version: version))
        }
    }
}
