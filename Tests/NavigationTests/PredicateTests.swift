import Navigation
import PersistentStore
import Testing

/// Predicates, from the configuration to the objects that they find.
@Suite struct PredicateTests {
    /// The primary key that a predicate finds for an activity whose `userInfo` is given; nil where there is none.
    private func key(_ predicate: String, _ userInfo: String = "{}", entity: String = "Movie") throws -> Int64? {
        let scene = try Scene(
            """
            entities: {Movie: {command: c}, FamilyMember: {command: c}}
            activities: [{activityType: t, open: {entity: \(entity), predicate: '\(predicate.replacing("'", with: "''"))'}}]
            """)
        let command = try scene.command(#"{"activityType":"t","title":"amelie","userInfo":\#(userInfo)}"#)
        #expect(command.isHandled || command.reason == .objectNotFound)
        guard case .permanent(let key)? = command.object?.key else { return nil }
        return key
    }

    @Test(arguments: [
        (#"name == "Alien""#, "{}", Int64?(12)),
        (#"name == "alien""#, "{}", nil),
        (#"name ==[c] "alien""#, "{}", 12),
        (#"name ==[d] "Amelie""#, "{}", 13),
        (#"name ==[c] "amelie""#, "{}", 14),
        ("name ==[cd] $title", "{}", 13),
        ("name == 'Am\u{65}\u{301}lie'", "{}", 13),
        ("name == $userInfo.n", #"{"n":"Ame\u0301lie"}"#, 13),
        ("remoteId == $userInfo.n", #"{"n":348}"#, 12),
        ("remoteId == $userInfo.n", #"{"n":348.0}"#, 12),
        ("remoteId == $userInfo.n", #"{"n":"348"}"#, 12),
        ("remoteId == $userInfo.n", #"{"n":"348.0"}"#, 12),
        ("remoteId == $userInfo.n", #"{"n":"+348"}"#, nil),
        ("remoteId == $userInfo.n", #"{"n":" 348"}"#, nil),
        ("remoteId == $userInfo.n", #"{"n":true}"#, nil),
        ("remoteId == $userInfo.n", #"{"n":[348]}"#, nil),
        ("remoteId == $userInfo.n", #"{"n":{"a":348}}"#, nil),
        ("remoteId == $userInfo.n", #"{"n":18446744073709551615}"#, nil),
        ("popularity == 2", "{}", 12),
        ("popularity == 2.0 AND name == 'Alien'", "{}", 12),
        ("popularity == 2 AND name == 'Up'", "{}", nil),
        ("name == 348", "{}", nil),
        ("name == nil", "{}", 15),
        ("name == '$title'", "{}", nil),
        ("studio == 'Pixar'", "{}", 16),
    ])
    func `a predicate finds the object`(predicate: String, userInfo: String, key: Int64?) throws {
        let entity = predicate.hasPrefix("studio") ? "Cartoon" : "Movie"
        #expect(try self.key(predicate, userInfo, entity: entity) == key)
    }

    @Test func `an unknown entity or attribute finds nothing`() throws {
        #expect(try key("name == 'Alien'", entity: "Film") == nil)
        #expect(try key("titel == 'Alien'") == nil)
    }

    @Test func `a missing value is a reason of its own, whatever the store holds`() throws {
        let scene = try Scene("activities: [{activityType: t, open: {entity: Movie, predicate: name == $userInfo.n}}]")
        #expect(try scene.command(#"{"activityType":"t","userInfo":{"n":null}}"#).reason == .missingValue)
        #expect(try scene.command(#"{"activityType":"t"}"#).reason == .missingValue)
    }

    @Test(arguments: [
        (#""uri":"x-coredata://STORE/Movie/p12""#, NotHandledReason?.none),
        (
            #""uri":{"implementation":{"uriRepresentation":"x-coredata:\/\/STORE\/Movie\/p12","isTemporary":false}}"#,
            nil
        ),
        (#""uri":"{\"implementation\":{\"uriRepresentation\":\"x-coredata:\\/\\/STORE\\/Movie\\/p12\"}}""#, nil),
        (#""uri":"x-coredata://STORE/Movie/p99""#, .objectNotFound),
        (#""uri":"movie-348""#, .malformedIdentifier),
        (#""uri":12"#, .malformedIdentifier),
        (#""uri":{"a":1}"#, .malformedIdentifier),
        (#""uri":null"#, .missingValue),
        (#""other":1"#, .missingValue),
    ])
    func `open takes an object's URI`(member: String, reason: NotHandledReason?) throws {
        let scene = try Scene(
            """
            entities: {Movie: {command: c}}
            searchResults: [{identifier: $any, command: never}]
            activities: [{activityType: t, open: {object: $userInfo.uri}}]
            """)
        let userInfo = member.replacing("STORE", with: FamilyMovies.store)
        let command = try scene.command(#"{"activityType":"t","userInfo":{\#(userInfo)}}"#)
        #expect(command.reason == reason)
        #expect(command.rule == "activities[0]")
    }

    @Test func `open can build an object's URI`() throws {
        let scene = try Scene(
            """
            entities: {Movie: {command: c}}
            searchResults: [{identifier: "movie/$n", open: {object: "x-coredata://\(FamilyMovies.store)/Movie/p${n}"}}]
            """)
        #expect(try scene.command(searchResult("movie/12")).object?.key == .permanent(12))
    }

    @Test func `SwiftData's form of an identifier is resolved by the URI in it`() throws {
        let json = #"{"implementation":{"primaryKey":"p12","uriRepresentation":"x-coredata:\/\/STORE\/Movie\/p12"}}"#
        let scene = try Scene()
        #expect(try scene.command(searchResult(json.replacing("STORE", with: FamilyMovies.store))).isHandled)
        #expect(try scene.command(searchResult(json.replacing("p12\"}", with: "12\"}"))).reason == .malformedIdentifier)
        #expect(try scene.command(searchResult(#"{"id":1}"#)).reason == .malformedIdentifier)
        #expect(try scene.command(searchResult("{")).reason == .malformedIdentifier)
    }
}
