import Activities
import Navigation
import PersistentStore
import SeededRandom
import Testing

/// Answers that are written by the forms of earlier ones, and the same answers put together one by one.
struct AnswerFormTests {
    private static let configuration = """
        stores:
          - coredata:FamilyMovies.sqlite
        storeAliases:
          \(FamilyMovies.formerStore): \(FamilyMovies.store)
        entities:
          Movie:
            command: openMovieDetail
            arguments: {name: $object.name, remote: {id: $object.remoteId}, again: $object.name, fixed: [1, "é\\n"]}
          FamilyMember: {command: openFamilyMemberDetail, arguments: {}}
        searchResults:
          - identifier: movie-$id
            open: {entity: Movie, predicate: "remoteId == $id"}
        activities:
          - {activityType: com.familymovies.openTab, title: Movies, command: openTab, arguments: {index: 1}}
          - activityType: com.familymovies.openTab
            title: Movie $title
            open: {entity: Movie, predicate: "name ==[cd] $title"}
          - activityType: com.familymovies.byTitles
            open: {entity: Movie, predicate: "name ==[cd] $title"}
          - activityType: com.familymovies.person
            open: {entity: FamilyMember, predicate: "name ==[cd] $title"}
          - activityType: com.familymovies.object
            open: {object: $userInfo.uri}
        """

    private static func activity(using random: inout SeededGenerator) -> String {
        let store = [FamilyMovies.store, FamilyMovies.store, FamilyMovies.formerStore, "none"].randomElement(
            using: &random)
        let entity = ["Movie", "Movie", "FamilyMember", "Poster", "Cartoon", "Nothing"].randomElement(using: &random)
        let key = [1, 2, 12, 12, 12, 13, 14, 15, 16, 17, 90, 91].randomElement(using: &random)
        let uri = "x-coredata://\(store ?? "")/\(entity ?? "")/p\(key ?? 0)"
        let title = ["Alien", "amelie", "UP", "Movies", "Movie alien", "Grandma", "none"].randomElement(using: &random)
        let type = ["openTab", "byTitles", "person", "object", "other", "x"].randomElement(using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: return searchResult(uri)
        case 2: return searchResult(["movie-348", "movie-194", "movie-0", "x"].randomElement(using: &random) ?? "")
        default:
            return
                #"{"activityType":"com.familymovies.\#(type ?? "")","title":"\#(title ?? "")","userInfo":{"uri":"\#(uri)"}}"#
        }
    }

    @Test(arguments: 0..<4) func `an answer has the same bytes whatever was answered before`(seed: UInt64) throws {
        let scene = try Scene(Self.configuration)
        var random = SeededGenerator(seed: seed)
        let decoder = ActivityDecoder()
        var handled = 0
        for _ in 0..<6 {
            let bodies = (0..<50).map { _ in Self.activity(using: &random) }
            guard
                case .finished(let outcomes) = scene.resolver.begin(
                    try bodies.map { try decoder.decode(Array($0.utf8).span) })
            else { throw Scene.NoCommand() }
            if outcomes.unanswered != nil { Issue.record("an outcome is no command") }
            for (index, body) in bodies.enumerated() {
                guard case .command(let command) = outcomes[index] else { throw Scene.NoCommand() }
                var general = JSONWriter()
                var quick = JSONWriter()
                command.write(to: &general)
                switch outcomes.write(index, to: &quick) {
                case .handled:
                    if !command.isHandled { Issue.record("written as handled: \(body)") }
                    handled += 1
                case .notHandled(let reason):
                    if command.reason != reason { Issue.record("written as \(reason): \(body)") }
                case .deferred, .unavailable: Issue.record("no answer to \(body)")
                }
                if quick.bytes != general.bytes { Issue.record("written differently: \(body)") }
            }
        }
        #expect(handled > 30 && handled < 270)
    }
}
