import Activities
import Navigation
import PersistentStore
import Testing

/// The reference behaviour of the example app, row by row, as the bytes of the answers.
@Suite struct FamilyMoviesTests {
    static let base = "x-coredata://\(FamilyMovies.store)"
    static let item = "com.apple.corespotlightitem"

    @Test func `a tapped movie opens by its own entity`() throws {
        let answer = try Scene().answer(searchResult("\(Self.base)/Movie/p12"))
        #expect(
            answer == #"{"activityType":"com.apple.corespotlightitem","arguments":{"name":"Alien"},"#
                + #""command":"openMovieDetail","entity":"Movie","handled":true,"kind":"searchResult","#
                + #""object":"\#(Self.base)/Movie/p12","rule":"entities.Movie"}"#)
    }

    @Test func `a tapped family member opens by its own entity`() throws {
        let command = try Scene().command(searchResult("\(Self.base)/FamilyMember/p1"))
        #expect(
            command.disposition
                == .handled(command: "openFamilyMemberDetail", arguments: Array(#"{"name":"Grandma"}"#.utf8)))
        #expect(command.rule == "entities.FamilyMember")
    }

    @Test func `a sub-entity is its parent, and the answer names its own entity`() throws {
        let command = try Scene().command(searchResult("\(Self.base)/Movie/p16"))
        #expect(command.disposition == .handled(command: "openMovieDetail", arguments: Array(#"{"name":"Up"}"#.utf8)))
        #expect(command.entity == "Cartoon")
        #expect(command.object?.description == "\(Self.base)/Cartoon/p16")
        #expect(command.rule == "entities.Movie")
    }

    @Test func `a missing row says which key the store does not have`() throws {
        let answer = try Scene().answer(searchResult("\(Self.base)/Movie/p99"))
        #expect(
            answer == #"{"activityType":"com.apple.corespotlightitem","handled":false,"kind":"searchResult","#
                + #""message":"The store has no Movie with primary key 99.","reason":"objectNotFound"}"#)
    }

    @Test func `an alias leads to the current store, and the answer has the current URI`() throws {
        let command = try Scene().command(searchResult("x-coredata://\(FamilyMovies.formerStore)/Movie/p12"))
        #expect(command.object?.description == "\(Self.base)/Movie/p12")
    }

    @Test(arguments: [
        ("com.familymovies.openTab", "Family Members", #"{"index":0}"#, "activities[0]"),
        ("com.familymovies.openTab", "Movies", #"{"index":1}"#, "activities[1]"),
    ])
    func `a tab opens by type and title`(type: String, title: String, arguments: String, rule: String) throws {
        let command = try Scene().command(#"{"activityType":"\#(type)","title":"\#(title)"}"#)
        #expect(command.disposition == .handled(command: "openTab", arguments: Array(arguments.utf8)))
        #expect(command.rule == rule)
        #expect(command.kind == .userActivity)
    }

    @Test(arguments: [#""title":"movies""#, #""title":"Films""#, #""title":null"#, #""title":"""#])
    func `another title of a tab is not routed`(title: String) throws {
        let command = try Scene().command(#"{"activityType":"com.familymovies.openTab",\#(title)}"#)
        #expect(command.reason == .activityNotRouted)
        #expect(command.rule == nil)
    }

    @Test(arguments: [("Alien", Int64(12)), ("aLIEN", 12), ("AMÉLIE", 13), ("Ame\\u0301lie", 13), ("Movies", 17)])
    func `a detail title finds the movie without regard to case and diacritics`(title: String, key: Int64) throws {
        let command = try Scene().command(
            #"{"activityType":"com.familymovies.movieDetailView","title":"\#(title)"}"#)
        #expect(command.object?.key == .permanent(key))
        #expect(command.rule == "activities[2]")
    }

    @Test func `an exact match comes before a folded one, and matches counts both`() throws {
        let answer = try Scene().answer(#"{"activityType":"com.familymovies.movieDetailView","title":"AMELIE"}"#)
        #expect(answer.contains(#""matches":2,"object":"\#(Self.base)/Movie/p14","rule":"activities[2]"}"#))
    }

    @Test func `a name of both a movie and a member is decided by the type`() throws {
        let command = try Scene().command(
            #"{"activityType":"com.familymovies.familyMemberDetailView","title":"Alien"}"#)
        #expect(command.object?.description == "\(Self.base)/FamilyMember/p2")
    }

    @Test func `a rule that opens keeps its place when it finds nothing`() throws {
        let answer = try Scene().answer(#"{"activityType":"com.familymovies.movieDetailView","title":"Grandma"}"#)
        #expect(
            answer == #"{"activityType":"com.familymovies.movieDetailView","handled":false,"kind":"userActivity","#
                + #""message":"No store has a Movie for which name ==[cd] $title holds.","reason":"objectNotFound","#
                + #""rule":"activities[2]"}"#)
    }

    @Test func `an identifier rule finds the movie by a captured key`() throws {
        let command = try Scene().command(searchResult("movie-348"))
        #expect(command.object?.key == .permanent(12))
        #expect(command.rule == "searchResults[0]")
    }

    @Test func `a query continuation opens a search with the text as it came`() throws {
        let answer = try Scene().answer(
            #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchQueryString":"movie "}}"#
        )
        #expect(
            answer == #"{"activityType":"com.apple.corespotlightquerycontinuation","arguments":{"query":"movie "},"#
                + #""command":"openSearch","handled":true,"kind":"userActivity","rule":"activities[4]"}"#)
    }

    @Test func `a title pattern captures`() throws {
        let command = try Scene().command(
            #"{"activityType":"com.donnywals.hairdressers.appointment","title":"Book an appointment with Zoë for Friday"}"#
        )
        #expect(
            command.disposition
                == .handled(command: "book", arguments: Array(#"{"day":"Friday","hairdresser":"Zoë"}"#.utf8)))
    }

    @Test func `the configuration's stores and reply queues are the caller's to use`() throws {
        let scene = try Scene()
        let configuration = scene.resolver.configuration
        #expect(configuration.stores.compactMap(\.path) == ["FamilyMovies.sqlite"])
        #expect(configuration.stores.map(\.line) == [2])
        #expect(configuration.replyTo == ["deeplink.reply.*"])
        #expect(configuration.storeAliases == [FamilyMovies.formerStore: FamilyMovies.store])
    }

    @Test func `the stores hear what will be asked of them`() throws {
        let prepared = try Scene().stores[0].prepared
        #expect(
            prepared?.plan.entries == [
                .init(entity: "Movie", paths: [["name"]]), .init(entity: "FamilyMember", paths: [["name"]]),
            ])
        #expect(
            prepared?.predicates == [
                Predicate(entity: "Movie", comparisons: [.init(attribute: "remoteId")]),
                Predicate(
                    entity: "Movie", comparisons: [.init(attribute: "name", ignoresCase: true, ignoresDiacritics: true)]
                ),
                Predicate(
                    entity: "FamilyMember",
                    comparisons: [.init(attribute: "name", ignoresCase: true, ignoresDiacritics: true)]),
            ])
    }
}
