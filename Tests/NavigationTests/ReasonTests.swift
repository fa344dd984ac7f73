import Navigation
import PersistentStore
import Testing

import struct FoundationEssentials.Date

/// Every reason for which an activity is not handled.
@Suite struct ReasonTests {
    static let base = "x-coredata://\(FamilyMovies.store)"

    @Test(arguments: [
        (searchResult(""), NotHandledReason.malformedIdentifier),
        (searchResult("(familyMember.objectID)"), .malformedIdentifier),
        (searchResult("movie-"), .malformedIdentifier),
        (searchResult("x-coredata:"), .malformedIdentifier),
        (searchResult("x-coredata://A/Movie"), .malformedIdentifier),
        (searchResult("x-coredata://A/Movie/p01"), .malformedIdentifier),
        (searchResult("\(base)/Movie/p99999999999999999999"), .malformedIdentifier),
        (searchResult("X-COREDATA://A/Movie/p1"), .malformedIdentifier),
        (searchResult("x-coredata:///Movie/t1501A281"), .temporaryIdentifier),
        (searchResult("\(base)/Movie/t1501A281"), .temporaryIdentifier),
        (searchResult("x-coredata://C22067D2/Movie/t1501A281"), .unknownStore),
        (searchResult("x-coredata://C22067D2/Movie/p1"), .unknownStore),
        (searchResult("\(base)/Film/p1"), .unknownEntity),
        (searchResult("\(base)/Movie/p99"), .objectNotFound),
        (searchResult("\(base)/Movie/p90"), .objectNotFound),
        (searchResult("\(base)/Cartoon/p12"), .objectNotFound),
        (searchResult("movie-99"), .objectNotFound),
        (searchResult("movie-x"), .objectNotFound),
        (searchResult("\(base)/Poster/p1"), .entityNotRouted),
        (searchResult("\(base)/Movie/p15"), .missingValue),
        (#"{"activityType":"com.apple.corespotlightitem"}"#, .missingIdentifier),
        (#"{"activityType":"com.apple.corespotlightitem","userInfo":null}"#, .missingIdentifier),
        (
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":7}}"#,
            .missingIdentifier
        ),
        (#"{"activityType":"com.example.other"}"#, .activityNotRouted),
        (#"{"activityType":"COM.FAMILYMOVIES.OPENTAB","title":"Movies"}"#, .activityNotRouted),
        (#"{"activityType":"com.familymovies.movieDetailView"}"#, .missingValue),
        (#"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{}}"#, .missingValue),
        (#"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://a.example/"}"#, .activityNotRouted),
        (#"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"ftp://a.example/"}"#, .missingValue),
        (#"{"activityType":"NSUserActivityTypeBrowsingWeb"}"#, .missingValue),
    ])
    func `each input has its reason`(activity: String, reason: NotHandledReason) throws {
        let command = try Scene().command(activity)
        #expect(command.reason == reason)
        #expect(!command.isHandled)
    }

    @Test(arguments: [
        (searchResult("\(base)/Movie/p90"), "The Movie with primary key 90 was deleted at 2001-01-01T00:00:00Z."),
        (searchResult("\(base)/Movie/p91"), "The Movie with primary key 91 was deleted."),
        (searchResult("\(base)/Cartoon/p12"), "The object with primary key 12 is a Movie, not a Cartoon."),
        (searchResult("\(base)/Film/p1"), "The store \(FamilyMovies.store) has no entity Film."),
        (searchResult("x-coredata://C2/Movie/p1"), "No open store has the identifier C2."),
        (searchResult("\(base)/Poster/p1"), "No rule under entities takes the entity Poster or an ancestor of it."),
        (searchResult("\(base)/Movie/p15"), "The variable $object.name has no value."),
        (
            #"{"activityType":"com.familymovies.openTab"}"#,
            "None of the 2 rules for the activity type com.familymovies.openTab matches."
        ),
    ])
    func `the message says what is wrong`(activity: String, message: String) throws {
        guard case .notHandled(_, let found) = try Scene().command(activity).disposition else {
            Issue.record("it is handled")
            return
        }
        #expect(found == message)
    }

    @Test func `an object without a rule is still named in the answer`() throws {
        let command = try Scene().command(searchResult("\(Self.base)/Poster/p1"))
        #expect(command.entity == "Poster")
        #expect(command.object?.description == "\(Self.base)/Poster/p1")
        #expect(command.rule == nil)
    }

    @Test func `an object whose argument is missing keeps its rule`() throws {
        let command = try Scene().command(searchResult("\(Self.base)/Movie/p15"))
        #expect(command.rule == "entities.Movie")
        #expect(command.object?.key == .permanent(15))
    }

    @Test func `a very long identifier does not make a very long message`() throws {
        let store = String(repeating: "A", count: 100_000)
        let answer = try Scene().answer(searchResult("x-coredata://\(store)/Movie/p1"))
        #expect(answer.utf8.count < 500)
    }

    @Test func `the fallback is the web page as given, for what is not handled`() throws {
        let page = #""webpageURL":"HTTPS://a.example/M%C3%BCnchen#x""#
        let other = try Scene().answer(#"{"activityType":"com.example.other",\#(page)}"#)
        #expect(other.contains(#""fallbackURL":"HTTPS://a.example/M%C3%BCnchen#x","handled":false"#))
        let tab = try Scene().answer(#"{"activityType":"com.familymovies.openTab","title":"Movies",\#(page)}"#)
        #expect(!tab.contains("fallbackURL"))
        let unusable = try Scene().answer(#"{"activityType":"com.example.other","webpageURL":"tel:112"}"#)
        #expect(!unusable.contains("fallbackURL"))
    }

    @Test func `a related identifier is resolved when no activity rule matches`() throws {
        let related = #""contentAttributeSet":{"relatedUniqueIdentifier":"\#(Self.base)/Movie/p12"}"#
        for type in ["com.example.other", "com.apple.corespotlightitem", "NSUserActivityTypeBrowsingWeb"] {
            let command = try Scene().command(#"{"activityType":"\#(type)",\#(related)}"#)
            #expect(command.isHandled)
            #expect(command.kind == .userActivity)
            #expect(command.rule == "entities.Movie")
        }
        let rule = try Scene().command(
            #"{"activityType":"com.other","contentAttributeSet":{"relatedUniqueIdentifier":"movie-348"}}"#)
        #expect(rule.rule == "searchResults[0]")
    }

    @Test func `an activity rule comes before the related identifier`() throws {
        let command = try Scene().command(
            #"{"activityType":"com.familymovies.openTab","title":"Movies","#
                + #""contentAttributeSet":{"relatedUniqueIdentifier":"\#(Self.base)/Movie/p12"}}"#)
        #expect(command.rule == "activities[1]")
    }

    @Test func `a wrong related identifier has the identifier's reason`() throws {
        let command = try Scene().command(
            #"{"activityType":"com.other","contentAttributeSet":{"relatedUniqueIdentifier":"nothing"}}"#)
        #expect(command.reason == .malformedIdentifier)
        #expect(command.kind == .userActivity)
    }

    @Test func `an index that is being built defers the activities that need it, and no others`() throws {
        let store = FamilyMovies.makeStore()
        store.trouble = .indexing
        let scene = try Scene(stores: [store])
        let activities = try [
            Scene.activity(searchResult("movie-348")), Scene.activity(searchResult("\(Self.base)/Movie/p12")),
        ]
        guard case .finished(let outcomes) = scene.resolver.begin(activities) else {
            Issue.record("it waits")
            return
        }
        guard case .deferred = outcomes[0], case .command(let command) = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(command.isHandled)
    }

    @Test func `a store that cannot answer makes the activities that need it unavailable`() throws {
        let store = FamilyMovies.makeStore()
        store.trouble = .unavailable
        let scene = try Scene(stores: [store])
        let activity = try Scene.activity(searchResult("\(Self.base)/Movie/p12"))
        guard case .finished(let outcomes) = scene.resolver.begin([activity]),
            case .unavailable(let error) = outcomes[0]
        else {
            Issue.record("it has an answer")
            return
        }
        #expect(error.code == .unavailable)
    }

    @Test func `a store that answers later makes the batch wait, and the order stays`() throws {
        let store = FamilyMovies.makeStore()
        store.trouble = .slow
        let scene = try Scene(stores: [store])
        let activities = try [
            Scene.activity(searchResult("\(Self.base)/Movie/p12")), Scene.activity(#"{"activityType":"com.other"}"#),
            Scene.activity(searchResult("\(Self.base)/Movie/p13")),
        ]
        guard case .pending(let descriptor, let forWriting, _) = scene.resolver.begin(activities) else {
            Issue.record("it does not wait")
            return
        }
        #expect(descriptor == 7)
        #expect(forWriting)
        guard case .finished(let outcomes) = scene.resolver.resume() else {
            Issue.record("it still waits")
            return
        }
        let keys = outcomes.map { outcome in
            if case .command(let command) = outcome { command.object?.key } else { ObjectURI.Key?.none }
        }
        #expect(keys == [.permanent(12), nil, .permanent(13)])
    }
}
