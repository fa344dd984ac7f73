import Testing

@testable import PersistentStore

/// A store whose answers are given by the test, at once or on the second call.
private final class ScriptedStore: PersistentStore {
    let identifier: String
    let model = ObjectModel(entities: [EntityDescription(name: "Movie")])
    var location: String { "scripted:\(identifier)" }
    let answers: [LookupResult]
    let isSlow: Bool
    private(set) var asked: [Lookup] = []

    init(_ identifier: String, _ answers: [LookupResult], isSlow: Bool = false) {
        self.identifier = identifier
        self.answers = answers
        self.isSlow = isSlow
    }

    func prepare(_ plan: FetchPlan, predicates: [Predicate]) {}

    func begin(_ lookups: [Lookup]) -> LookupProgress {
        asked = lookups
        return isSlow ? .pending(descriptor: 7, forWriting: false, deadline: .now) : .finished(answers)
    }

    func resume() -> LookupProgress { .finished(answers) }
}

struct StoreCoordinatorTests {
    static let byName = Predicate(entity: "Movie", comparisons: [.init(attribute: "name", ignoresCase: true)])
    static let query = StoreCoordinator.Query.matching(byName, values: [.string("Alien")])

    static func movie(_ store: String, _ key: Int64, matches: Int = 1, isExact: Bool = true) -> FetchedObject {
        FetchedObject(
            store: store, entity: "Movie", primaryKey: key, planEntry: nil, values: [], matches: matches,
            isExact: isExact)
    }

    static func uri(_ text: String) throws -> StoreCoordinator.Query { .object(try #require(ObjectURI(text))) }

    private func answers(_ coordinator: StoreCoordinator, _ queries: [StoreCoordinator.Query]) -> [StoreCoordinator
        .Answer]
    {
        var progress = coordinator.begin(queries)
        while case .pending = progress { progress = coordinator.resume() }
        guard case .finished(let answers) = progress else { return [] }
        return answers
    }

    @Test func `a URI is asked of its own store, and by an alias of the current one`() throws {
        let store = ScriptedStore("B", [.found(Self.movie("B", 1)), .found(Self.movie("B", 2))])
        let other = ScriptedStore("A", [])
        let coordinator = try StoreCoordinator(stores: [other, store], aliases: ["OLD": "B", "OLDER": "OLD"])
        let queries = [
            try Self.uri("x-coredata://B/Movie/p1"), try Self.uri("x-coredata://OLD/Movie/p2"),
            try Self.uri("x-coredata://OLDER/Movie/p3"), try Self.uri("x-coredata://C/Movie/p1"),
        ]
        let result = answers(coordinator, queries)
        guard case .found(let first) = result[0], case .found(let second) = result[1] else {
            Issue.record("\(result)")
            return
        }
        #expect((first.primaryKey, second.primaryKey) == (1, 2))
        guard case .unknownStore = result[2], case .unknownStore = result[3] else {
            Issue.record("aliases are followed once, and an unknown store is said so: \(result)")
            return
        }
        #expect(other.asked.isEmpty)
    }

    @Test func `a temporary URI is judged before any store is asked`() throws {
        let coordinator = try StoreCoordinator(stores: [ScriptedStore("A", [])])
        let queries = [
            try Self.uri("x-coredata:///Movie/t1"), try Self.uri("x-coredata://A/Movie/t1"),
            try Self.uri("x-coredata://B/Movie/t1"),
        ]
        let result = answers(coordinator, queries)
        guard case .temporary = result[0], case .temporary = result[1], case .unknownStore = result[2] else {
            Issue.record("\(result)")
            return
        }
    }

    @Test func `of several stores an exact match wins, then the earlier store, and matches add up`() throws {
        let folded = ScriptedStore("A", [.found(Self.movie("A", 1, matches: 2, isExact: false))])
        let exact = ScriptedStore("B", [.found(Self.movie("B", 9))], isSlow: true)
        let later = ScriptedStore("C", [.found(Self.movie("C", 1))])
        let empty = ScriptedStore("D", [.notFound(.noMatch)])
        let without = ScriptedStore("E", [.unknownEntity])
        let coordinator = try StoreCoordinator(stores: [empty, folded, without, exact, later])
        guard case .found(let object)? = answers(coordinator, [Self.query]).first else {
            Issue.record("nothing was found")
            return
        }
        #expect((object.store, object.primaryKey, object.matches) == ("B", 9, 4))
    }

    @Test func `an entity that no store has is unknown, and one without a match is not`() throws {
        let coordinator = try StoreCoordinator(stores: [ScriptedStore("A", [.unknownEntity])])
        guard case .unknownEntity? = answers(coordinator, [Self.query]).first else {
            Issue.record("it must be unknown")
            return
        }
        let both = [ScriptedStore("A", [.notFound(.noMatch)]), ScriptedStore("B", [.unknownEntity])]
        for stores in [both, both.reversed()] {
            let coordinator = try StoreCoordinator(stores: stores)
            guard case .notFound(.noMatch)? = answers(coordinator, [Self.query]).first else {
                Issue.record("it must be without a match")
                return
            }
        }
    }

    @Test func `an answer that a store cannot give yet is not guessed from the others`() throws {
        let found = ScriptedStore("A", [.found(Self.movie("A", 1))])
        let away = ScriptedStore("B", [.unavailable(StoreError(.unavailable, "away"))])
        let building = ScriptedStore("C", [.deferred])
        guard case .unavailable? = answers(try StoreCoordinator(stores: [found, away]), [Self.query]).first,
            case .deferred? = answers(try StoreCoordinator(stores: [building, found]), [Self.query]).first
        else {
            Issue.record("the batch must wait")
            return
        }
    }

    @Test func `two stores of one identifier are an error that names both`() {
        #expect {
            try StoreCoordinator(stores: [ScriptedStore("A", []), ScriptedStore("A", [])])
        } throws: { error in
            "\(error)".contains("scripted:A") && "\(error)".contains("identifier A")
        }
    }
}
