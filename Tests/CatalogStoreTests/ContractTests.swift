import Foundation
import PersistentStore
import StoreTestSupport
import Testing

/// What every store answers, whatever its kind: look-ups by key.
struct ContractTests {
    private static let movies: [FixtureObject] = [
        FixtureObject(
            "Movie", 1,
            [
                "name": .string("Alien"), "remoteId": .integer(348), "popularity": .number(2.5),
                "isFavorite": .boolean(true), "released": .date(-683_000_000.25),
                "director": .object(Fixture.uri("Person", 1)),
                "poster": .binary([0, 255, 7]), "homepage": .string("https://example.com/a"),
            ]),
        FixtureObject("ShortFilm", 2, ["name": .string("Le Ballon"), "minutes": .integer(34)]),
        FixtureObject(
            "Movie", 4, ["name": .string("Gone"), "director": .object(Fixture.uri("Person", 9))], isDeleted: true),
        FixtureObject("Movie", 5, ["name": .string("Lost"), "director": .object(Fixture.uri("Person", 9))]),
        FixtureObject("Person", 1, ["name": .string("Ridley"), "best": .object(Fixture.uri("ShortFilm", 2))]),
    ]

    @Test(arguments: StoreKinds.all)
    func `an object is found by the name of its entity and of its ancestors`(kind: any StoreKind) throws {
        let made = try kind.makeStore(Self.movies)
        #expect(try made.store.object("Movie", 1) == .found("Movie/1"))
        #expect(try made.store.object("Movie", 2) == .found("ShortFilm/2"))
        #expect(try made.store.object("ShortFilm", 2) == .found("ShortFilm/2"))
        #expect(try made.store.object("Person", 1) == .found("Person/1"))
    }

    @Test(arguments: StoreKinds.all)
    func `what is not there is told from what was deleted or is something else`(kind: any StoreKind) throws {
        let made = try kind.makeStore(Self.movies)
        #expect(try made.store.object("ShortFilm", 1) == .otherEntity("Movie"))
        #expect(try made.store.object("Movie", 3) == .noRow)
        #expect(try made.store.object("Movie", 4) == .deleted)
        #expect(try made.store.object("Person", 2) == .noRow)
        #expect(try made.store.object("Movie", .max) == .noRow)
        #expect(try made.store.object("Movie", 1 << 48) == .noRow)
        #expect(try made.store.object("movie", 1) == .unknownEntity)
        #expect(try made.store.object("Actor", 1) == .unknownEntity)
        #expect(try made.store.match("Actor: name == ?", .string("x")) == .unknownEntity)
    }

    @Test(arguments: StoreKinds.all)
    func `values come as they were stored, of the entry for the nearest ancestor`(kind: any StoreKind) throws {
        let made = try kind.makeStore(Self.movies)
        let names = [
            "name", "remoteId", "popularity", "isFavorite", "released", "poster", "homepage", "rating", "nothing",
        ]
        made.store.prepare(
            FetchPlan(entries: [
                .init(entity: "Movie", paths: names.map { [$0] }),
                .init(entity: "ShortFilm", paths: [["minutes"], ["name"]]),
            ]), predicates: [])
        #expect(
            try made.store.object("Movie", 1)
                == .found(
                    "Movie/1",
                    values: [
                        .string("Alien"), .integer(348), .number(2.5), .boolean(true), .date(-683_000_000.25),
                        .binary([0, 255, 7]), .string("https://example.com/a"), .null, .null,
                    ]))
        #expect(
            try made.store.object("Movie", 2) == .found("ShortFilm/2", values: [.integer(34), .string("Le Ballon")]))
        #expect(try made.store.object("Person", 1) == .found("Person/1"))
    }

    @Test(arguments: StoreKinds.all)
    func `paths lead over to-one relationships`(kind: any StoreKind) throws {
        let made = try kind.makeStore(Self.movies)
        made.store.prepare(
            FetchPlan(entries: [
                .init(
                    entity: "Movie",
                    paths: [
                        ["director"], ["director", "name"], ["director", "best"], ["director", "best", "minutes"],
                        ["director", "best", "director", "name"], ["name", "name"],
                    ]),
                .init(entity: "Person", paths: [["best"], ["best", "name"]]),
            ]), predicates: [])
        let person = AttributeValue.object(Fixture.uri("Person", 1))
        let best = AttributeValue.object(Fixture.uri("ShortFilm", 2))
        #expect(
            try made.store.object("Movie", 1)
                == .found("Movie/1", values: [person, .string("Ridley"), best, .integer(34), .null, .null]))
        #expect(try made.store.object("Person", 1) == .found("Person/1", values: [best, .string("Le Ballon")]))
        let lost = AttributeValue.object(Fixture.uri("Person", 9))
        #expect(
            try made.store.object("Movie", 5) == .found("Movie/5", values: [lost, .null, .null, .null, .null, .null]))
    }

    @Test(arguments: StoreKinds.all)
    func `a batch is answered in its order`(kind: any StoreKind) throws {
        let made = try kind.makeStore((1...300).map { FixtureObject("Movie", $0, ["name": .string("Movie \($0)")]) })
        var lookups: [Lookup] = []
        var expected: [Answer] = []
        for key in (1...400 as ClosedRange<Int64>).shuffled() {
            lookups.append(.object(entity: "Movie", primaryKey: key))
            expected.append(key <= 300 ? .found("Movie/\(key)") : .noRow)
            lookups.append(.matching(.init(shape: "Movie: name == ?"), values: [.string("Movie \(key)")]))
            expected.append(key <= 300 ? .found("Movie/\(key)") : .noMatch)
        }
        #expect(try made.store.answers(lookups).map { Answer($0) } == expected)
    }
}
