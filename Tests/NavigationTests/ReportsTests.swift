import Activities
import Navigation
import PersistentStore
import Testing

/// Bug reports and questions of other projects, each as an input with the answer that it should have had.
///
/// Those about links are in `LinkReportsTests`.
struct ReportsTests {
    struct Report: Sendable, CustomStringConvertible {
        /// Where it was reported.
        let source: String
        let activity: String
        /// What the answer holds.
        let words: [String]
        var description: String { source }

        init(_ source: String, _ activity: String, _ words: String...) {
            self.source = source
            self.activity = activity
            self.words = words
        }
    }

    private static let store = "x-coredata://\(FamilyMovies.store)"

    private static let reports: [Report] = [
        // Spotlight's identifiers.
        .init(
            "openradar 22212032", #"{"activityType":"com.apple.corespotlightitem","userInfo":null}"#,
            #""kind":"userActivity""#, #""reason":"missingIdentifier""#),
        .init(
            "CoreStore #310", searchResult("x-coredata:///Movie/t1501A281-37E5-44EF-A6F5-91CBA27615004"),
            #""reason":"temporaryIdentifier""#),
        .init(
            "WordPress-iOS #2657", searchResult("x-coredata://99999999-0000-4000-8000-000000000001/Movie/p1"),
            #""reason":"unknownStore""#),
        .init("WordPress-iOS #2657, by a key of the app's own", searchResult("movie-348"), #""name":"Alien""#),
        .init("encrypted-core-data PR #207", searchResult("\(store)/Movie/p4711"), #""reason":"objectNotFound""#),
        .init(
            "DataThespian #49", searchResult("\(store)/Movie/p90"), #""reason":"objectNotFound""#, "was deleted"),
        .init("WaterMe #41, deleted", searchResult("\(store)/Movie/p90"), "was deleted"),
        .init(
            "WaterMe #41, incomplete", #"{"activityType":"com.familymovies.movieDetailView"}"#,
            #""reason":"missingValue""#),
        .init(
            "Titanium TIMOB-19474",
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"identifier":"movie-348"}}"#,
            #""reason":"missingIdentifier""#),
        .init(
            "Mastering iOS 12, member", searchResult("(familyMember.objectID)"), #""reason":"malformedIdentifier""#),
        .init(
            "Mastering iOS 12, movie", searchResult("(movie.objectID.uriRepresentation().absoluteString)"),
            #""reason":"malformedIdentifier""#),
        .init(
            "an identifier in base64", searchResult("eC1jb3JlZGF0YTovL1gvTW92aWUvcDE="),
            #""reason":"malformedIdentifier""#),
        .init("an identifier with #", searchResult("\(store)/Movie/p1#x"), #""reason":"malformedIdentifier""#),
        .init(
            "openradar 22352102, NetNewsWire #904",
            #"{"activityType":"com.example.detail","contentAttributeSet":{"relatedUniqueIdentifier":"\#(store)/Movie/p12"}}"#,
            #""name":"Alien""#, #""kind":"userActivity""#),
        .init(
            "openradar 45809778",
            #"{"activityType":"com.example.start-timer","title":"Start X","userInfo":{"timerID":7},"persistentIdentifier":null}"#,
            #""command":"startTimer""#, #""timer":7"#),
        .init("Simplenote PR #107", searchResult("\(store)/Movie/p90"), #""reason":"objectNotFound""#),
        // Titles and names.
        .init(
            "a tab's title in a detail view",
            #"{"activityType":"com.familymovies.movieDetailView","title":"Movies"}"#, #""command":"openMovieDetail""#,
            #""name":"Movies""#,
            #""rule":"activities[2]""#),
        .init(
            "a member in the movies' view", #"{"activityType":"com.familymovies.movieDetailView","title":"Grandma"}"#,
            #""reason":"objectNotFound""#),
        .init(
            "Atoll #472", #"{"activityType":"com.familymovies.openTab","title":"Films"}"#,
            #""reason":"activityNotRouted""#),
        .init(
            "bitchat #214, deja-vu #1098",
            #"{"activityType":"com.familymovies.movieDetailView","title":"Ame\u0301lie"}"#, #""name":"Amélie""#),
        .init(
            "a log of a search",
            #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchQueryString":"movie "}}"#,
            #""query":"movie ""#),
        // Types and delivery.
        .init(
            "openradar 27316402", #"{"activityType":"INStartWorkoutIntent","title":null,"userInfo":null}"#,
            #""command":"startWorkout""#),
        .init(
            "Provenance #2979",
            #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchQueryString":"zelda"}}"#,
            #""command":"openSearch""#, #""query":"zelda""#),
        .init(
            "Provenance #3021, the item's key",
            #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchableItemActivityIdentifier":"zelda"}}"#,
            #""reason":"missingValue""#),
        .init(
            "a search text beside the identifier",
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchQueryString":"movie ","kCSSearchableItemActivityIdentifier":"movie-348"}}"#,
            #""name":"Alien""#, #""kind":"searchResult""#),
        .init(
            "analytics-ios #764", #"{"activityType":"com.unknown","userInfo":{"deep":{"a":[1,2]}}}"#,
            #""reason":"activityNotRouted""#),
    ]

    private static func scene() throws -> Scene {
        let yaml = FamilyMovies.configuration.replacing(
            "\nactivities:\n",
            with: """

                activities:
                  - {activityType: com.example.start-timer, command: startTimer, arguments: {timer: $userInfo.timerID}}
                  - {activityType: INStartWorkoutIntent, command: startWorkout}

                """)
        return try Scene(yaml)
    }

    @Test func `each report has the right answer`() throws {
        let scene = try Self.scene()
        var passed = 0
        for report in Self.reports {
            let answer = try scene.answer(report.activity)
            // Two rules stand before those of the example.
            let missing = report.words.filter { word in
                !answer.contains(word.replacing("activities[2]", with: "activities[4]"))
            }
            #expect(missing.isEmpty, "\(report.source): \(answer)")
            if missing.isEmpty { passed += 1 }
        }
        print("reports: \(Self.reports.count) cases, \(passed) passed, 0 excepted")
        #expect(Self.reports.count >= 25)
    }

    @Test func `an activity that is delivered twice, or with others, has the same answer each time`() throws {
        // Branch #277, react-native-spotlight-search #24, Flutter #191443; WaterMe #45.
        let scene = try Self.scene()
        let bodies = [searchResult("movie-348"), searchResult("x"), searchResult("movie-348")]
        let activities = try bodies.map(Scene.activity)
        guard case .finished(let outcomes) = scene.resolver.begin(activities) else {
            Issue.record("the batch is not finished")
            return
        }
        guard outcomes.count == 3, case .command(let first) = outcomes[0], case .command(let last) = outcomes[2] else {
            Issue.record("each activity has an answer")
            return
        }
        #expect(first == last)
        #expect(try first == scene.command(bodies[0]))
    }
}
