import Foundation
import PersistentStore
import StoreTestSupport
import Testing

/// What every store answers, whatever its kind: look-ups by predicate.
struct PredicateContractTests {
    @Test(arguments: StoreKinds.all)
    func `an exact match goes before a folded one, then the smallest key, and all are counted`(kind: any StoreKind)
        throws
    {
        let made = try kind.makeStore([
            FixtureObject("Movie", 1, ["name": .string("AMELIE")]),
            FixtureObject("Movie", 2, ["name": .string("Am\u{e9}lie")]),
            FixtureObject("Movie", 3, ["name": .string("Ame\u{301}lie")]),
            FixtureObject("ShortFilm", 4, ["name": .string("amelie")]),
            FixtureObject("Movie", 5, ["name": .string("Amelie!")]),
            FixtureObject("Movie", 6, ["name": .string("AMELIE")], isDeleted: true),
            FixtureObject("Movie", 7),
        ])
        let store = made.store
        #expect(try store.match("Movie: name ==[cd] ?", .string("Ame\u{301}lie")) == .found("Movie/2", matches: 4))
        #expect(
            try store.match("Movie: name ==[cd] ?", .string("\u{c0}melie"))
                == .found("Movie/1", matches: 4, isExact: false))
        #expect(try store.match("Movie: name ==[cd] ?", .string("amelie")) == .found("ShortFilm/4", matches: 4))
        #expect(try store.match("Movie: name == ?", .string("Ame\u{301}lie")) == .found("Movie/2", matches: 2))
        #expect(
            try store.match("Movie: name ==[c] ?", .string("Amelie")) == .found("Movie/1", matches: 2, isExact: false))
        #expect(
            try store.match("Movie: name ==[d] ?", .string("Amelie")) == .found("Movie/2", matches: 2, isExact: false))
        #expect(
            try store.match("Movie: name ==[c] ?", .string("AM\u{c9}LIE"))
                == .found("Movie/2", matches: 2, isExact: false))
        #expect(try store.match("ShortFilm: name ==[cd] ?", .string("AMELIE")) == .found("ShortFilm/4", isExact: false))
        #expect(try store.match("ShortFilm: name == ?", .string("AMELIE")) == .noMatch)
        #expect(try store.match("Movie: name ==[cd] ?", .string("amelia")) == .noMatch)
        #expect(try store.match("Movie: name ==[cd] ?", .integer(1)) == .noMatch)
        #expect(try store.match("Movie: name == ?", .null) == .found("Movie/7"))
        #expect(try store.match("Person: name == ?", .string("AMELIE")) == .noMatch)
    }

    @Test(arguments: StoreKinds.all)
    func `values of other types meet text that is written as one, and no other`(kind: any StoreKind) throws {
        let code = try #require(UUID(uuidString: "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"))
        let made = try kind.makeStore([
            FixtureObject(
                "Movie", 1,
                [
                    "name": .string("7"), "remoteId": .integer(7), "popularity": .number(0.1), "rating": .number(0.1),
                    "budget": .number(12.5), "released": .date(0), "code": .uuid(code), "isFavorite": .boolean(true),
                    "homepage": .string("https://example.com/"), "poster": .binary([1]),
                ])
        ])
        let all: [String: [PredicateValue]] = [
            "name": [.string("7")],
            "remoteId": [.integer(7), .number(7), .string("7"), .string("7.0"), .string("07")],
            "popularity": [.number(0.1), .string("0.1"), .string("0.10")],
            "rating": [.number(0.1), .string("0.1"), .string("0.10"), .number(Double(Float(0.1)))],
            "budget": [.number(12.5), .string("12.50")],
            "released": [.string("2001-01-01T00:00:00Z"), .string("2001-01-01T01:00:00+01:00")],
            "code": [.string(code.uuidString), .string(code.uuidString.lowercased())],
            "isFavorite": [.boolean(true), .integer(1), .number(1)],
            "homepage": [.string("https://example.com/")],
            "poster": [],
        ]
        let values: [PredicateValue] =
            all.values.flatMap { $0 } + [
                .string("1"), .string("true"), .string("7 "), .string("+7"), .string("2001-01-01"), .number(.nan),
                .integer(0), .boolean(false), .string(""), .number(7.5), .string("https://example.com"),
            ]
        for (name, matching) in all {
            for value in values {
                let isWhole = value == .boolean(true) || value == .integer(1) || value == .number(1)
                let expected = matching.contains(value) || name == "isFavorite" && isWhole
                let answer = try made.store.match("Movie: \(name) == ?", value)
                #expect((answer == .found("Movie/1")) == expected, "\(name) == \(value): \(answer)")
            }
        }
    }

    @Test(arguments: StoreKinds.all)
    func `all comparisons must hold`(kind: any StoreKind) throws {
        let made = try kind.makeStore([
            FixtureObject("Movie", 1, ["name": .string("A"), "tag": .string("x"), "isFavorite": .boolean(false)]),
            FixtureObject("Movie", 2, ["name": .string("a"), "tag": .string("x"), "isFavorite": .boolean(true)]),
            FixtureObject("Movie", 3, ["name": .string("A"), "isFavorite": .boolean(true)]),
        ])
        let store = made.store
        #expect(
            try store.match("Movie: name ==[c] ? AND isFavorite == ?", .string("A"), .boolean(true))
                == .found("Movie/3", matches: 2))
        #expect(try store.match("Movie: name == ? AND tag == ?", .string("A"), .null) == .found("Movie/3"))
        #expect(try store.match("Movie: tag == ? AND name == ?", .null, .string("a")) == .noMatch)
        #expect(
            try store.match("Movie: tag == ? AND name ==[c] ?", .string("x"), .string("a"))
                == .found("Movie/2", matches: 2))
        #expect(try store.match("Movie: tag == ? AND remoteId == ?", .null, .null) == .found("Movie/3"))
        #expect(try store.match("Movie: nothing == ?", .null) == .noMatch)
        #expect(try store.match("Movie: director == ?", .null) == .noMatch)
        #expect(try store.match("Movie: minutes == ?", .null) == .noMatch)
    }

    @Test(arguments: StoreKinds.all)
    func `a value that very many objects share is counted`(kind: any StoreKind) throws {
        let made = try kind.makeStore(
            (1...900).map { key in
                FixtureObject(
                    key % 10 == 0 ? "ShortFilm" : "Movie", key,
                    [
                        "name": .string(key % 3 == 0 ? "SAME" : "Same"), "tag": .string(key % 2 == 0 ? "even" : "odd"),
                        "remoteId": .integer(key % 4),
                    ])
            })
        let store = made.store
        #expect(try store.match("Movie: name ==[cd] ?", .string("SAME")) == .found("Movie/3", matches: 900))
        #expect(
            try store.match("Movie: name ==[cd] ?", .string("same")) == .found("Movie/1", matches: 900, isExact: false))
        #expect(try store.match("Movie: name ==[c] ?", .string("SAME")) == .found("Movie/3", matches: 900))
        #expect(try store.match("Movie: name ==[d] ?", .string("SAME")) == .found("Movie/3", matches: 300))
        #expect(try store.match("Movie: name == ?", .string("SAME")) == .found("Movie/3", matches: 300))
        #expect(try store.match("Movie: name == ?", .string("same")) == .noMatch)
        #expect(try store.match("ShortFilm: name ==[cd] ?", .string("SAME")) == .found("ShortFilm/30", matches: 90))
        #expect(
            try store.match("Movie: tag == ? AND remoteId == ?", .string("even"), .integer(2))
                == .found("Movie/2", matches: 225))
        #expect(try store.match("Movie: tag == ? AND remoteId == ?", .string("even"), .integer(1)) == .noMatch)
        #expect(
            try store.match("Movie: name ==[cd] ? AND tag == ?", .string("SAME"), .string("even"))
                == .found("Movie/6", matches: 450))
        #expect(try store.match("ShortFilm: minutes == ?", .null) == .found("ShortFilm/10", matches: 90))
    }
}
