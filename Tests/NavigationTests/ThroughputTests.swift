import Activities
import Glibc
import Navigation
import PersistentStore
import Testing

import class FoundationEssentials.ProcessInfo

/// How many activities a second one core decodes, resolves and encodes, over a store that costs next to nothing.
///
/// Run it in a release build: `DEEPLINK_THROUGHPUT=1 swift test -c release -Xswiftc -enable-testing --filter Throughput`.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["DEEPLINK_THROUGHPUT"] != nil, "set DEEPLINK_THROUGHPUT to measure"))
struct ThroughputTests {
    private static let base = "x-coredata://\(FamilyMovies.store)"

    @Test(arguments: [
        ("item by URI", [searchResult("\(base)/Movie/p12")]),
        ("item by identifier rule", [searchResult("movie-348")]),
        ("tab", [#"{"activityType":"com.familymovies.openTab","title":"Movies"}"#]),
        ("title by predicate", [#"{"activityType":"com.familymovies.movieDetailView","title":"Alien"}"#]),
        (
            "title by pattern",
            [#"{"activityType":"com.donnywals.hairdressers.appointment","title":"Book an appointment with A for B"}"#]
        ),
        (
            "query",
            [
                #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchQueryString":"movie "}}"#
            ]
        ),
        ("not handled", [#"{"activityType":"com.example.other","title":"Movies"}"#]),
        (
            "mixed",
            [
                searchResult("\(base)/Movie/p12"), searchResult("\(base)/FamilyMember/p1"), searchResult("movie-348"),
                #"{"activityType":"com.familymovies.openTab","title":"Movies"}"#,
                #"{"activityType":"com.familymovies.movieDetailView","title":"Alien"}"#,
                searchResult("\(base)/Movie/p99"),
            ]
        ),
    ])
    func `activities a second`(name: String, bodies: [String]) throws {
        let configuration = try Configuration(Array(FamilyMovies.configuration.utf8), file: "deeplinks.yaml")
        let stores = try StoreCoordinator(stores: [FixedStore()])
        let resolver = Resolver(configuration: configuration, stores: stores)
        let decoder = ActivityDecoder()
        let batch = (0..<128).map { Array(bodies[$0 % bodies.count].utf8) }
        for _ in 0..<100 { _ = try run(batch, decoder, resolver) }
        let rounds = 2_000
        var bytes = 0
        let start = Self.now()
        for _ in 0..<rounds { bytes += try run(batch, decoder, resolver) }
        let seconds = Self.now() - start
        let count = Double(rounds * batch.count)
        print("\(name): \(Int(count / seconds)) activities/s, \(Int(seconds / count * 1e9)) ns each, \(bytes) bytes")
        #expect(bytes > 0)
    }

    private func run(_ batch: [[UInt8]], _ decoder: borrowing ActivityDecoder, _ resolver: Resolver) throws -> Int {
        var activities: [Activity] = []
        activities.reserveCapacity(batch.count)
        for body in batch { activities.append(try decoder.decode(body.span)) }
        guard case .finished(let outcomes) = resolver.begin(activities) else { return 0 }
        var writer = JSONWriter()
        for outcome in outcomes {
            if case .command(let command) = outcome { command.write(to: &writer) }
        }
        return writer.bytes.count
    }

    private static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A store that has one movie for every even key, and answers predicates with it.
private final class FixedStore: PersistentStore {
    let identifier = FamilyMovies.store
    let model = FamilyMovies.model
    let location = "fixed"
    private let movie = FetchedObject(
        store: FamilyMovies.store, entity: "Movie", primaryKey: 12, planEntry: 0, values: [.string("Alien")])

    func prepare(_ plan: FetchPlan, predicates: [Predicate]) {}

    func begin(_ lookups: [Lookup]) -> LookupProgress {
        .finished(
            lookups.map { lookup in
                if case .object(_, let key) = lookup, key % 2 != 0 { return .notFound(.noRow) }
                return .found(movie)
            })
    }

    func resume() -> LookupProgress { .finished([]) }
}
