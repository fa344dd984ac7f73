import Navigation
import PersistentStore
import Testing

/// What `check` says about a configuration and its stores' models.
@Suite struct ProblemTests {
    private func problems(_ yaml: String, models: [ObjectModel] = [FamilyMovies.model]) throws -> [ConfigurationProblem]
    {
        try Configuration(Array(yaml.utf8), file: "deeplinks.yaml").problems(against: models)
    }

    private static let clean = "entities: {Movie: {command: c}, FamilyMember: {command: c}, Poster: {command: c}}\n"

    @Test func `the example has nothing but a note`() throws {
        let found = try problems(FamilyMovies.configuration)
        #expect(
            found.map(\.description) == [
                "deeplinks.yaml:1:1: note: No rule under entities takes Poster; their objects are answered entityNotRouted."
            ])
    }

    @Test(arguments: [
        (
            "entities: {Film: {command: c}}", ConfigurationProblem.Kind.unknownEntity, 12,
            "No store has the entity Film; correct the name, or add the store that has it."
        ),
        ("entities: {Moive: {command: c}}", .unknownEntity, 12, "No store has the entity Moive; did you mean Movie?"),
        (
            "entities: {Movie: {command: c, arguments: {a: $object.nmae}}}", .unknownAttribute, 47,
            "The entity Movie has no attribute or to-one relationship nmae; did you mean name?"
        ),
        (
            "entities: {Poster: {command: c, arguments: {a: $object.year}}}", .unknownAttribute, 48,
            "The entity Poster has no attribute or to-one relationship year; it has name."
        ),
        (
            "entities: {Movie: {command: c, arguments: {a: $object.familyMembers.name}}}", .unknownAttribute, 47,
            "$object.familyMembers.name follows familyMembers, which leads to any number of objects; only to-one relationships can be followed."
        ),
        (
            "entities: {Movie: {command: c, arguments: {a: $object.name.first}}}", .unknownAttribute, 47,
            "$object.name.first goes on after name, which is an attribute and not a relationship; end the path there."
        ),
        (
            "entities: {Movie: {command: c, arguments: {a: $object.director.nme}}}", .unknownAttribute, 47,
            "The entity FamilyMember has no attribute or to-one relationship nme; did you mean name?"
        ),
        (
            "entities: {Movie: {command: c, arguments: {a: x$object.popularity}}}", .maybeMissing, 48,
            "$object.popularity may have no value; such an object is answered missingValue."
        ),
        (
            "entities: {Movie: {command: c, arguments: {a: $object.director.name}}}", .maybeMissing, 47,
            "$object.director.name may have no value; such an object is answered missingValue."
        ),
    ])
    func `an entity's rule is judged`(yaml: String, kind: ConfigurationProblem.Kind, column: Int, sentence: String)
        throws
    {
        let found = try problems(yaml).filter { $0.kind != .notRouted }
        #expect(found.map(\.sentence) == [sentence])
        #expect(found.map(\.kind) == [kind])
        #expect(found.map(\.column) == [column])
        #expect(found.map(\.severity) == [kind == .maybeMissing ? .note : .error])
    }

    @Test(arguments: [
        (
            "entity: Film, predicate: name == $title", ConfigurationProblem.Kind.unknownEntity, 47,
            "No store has the entity Film; correct the name, or add the store that has it."
        ),
        (
            "entity: Movie, predicate: titel == $title", .unknownAttribute, 65,
            "The entity Movie has no attribute titel; it has name, popularity, poster, price, released, remoteId, seen, uuid."
        ),
        (
            "entity: Movie, predicate: director == $title", .unknownAttribute, 65,
            "The entity Movie has no attribute director; it is a relationship; compare an attribute."
        ),
        (
            "entity: Movie, predicate: poster == $title", .neverHolds, 65,
            "The attribute poster holds binary values, which no value equals; compare another attribute."
        ),
        (
            "entity: Movie, predicate: name == 5", .neverHolds, 73,
            "The attribute name is of the type String, which 5 never equals; write a value of that type."
        ),
        (
            "entity: Movie, predicate: remoteId == 'x'", .neverHolds, 77,
            "The attribute remoteId is of the type Integer 64, which \"x\" never equals; write a value of that type."
        ),
        (
            "entity: Movie, predicate: name == $title AND uuid == 'x'", .neverHolds, 92,
            "The attribute uuid is of the type UUID, which \"x\" never equals; write a value of that type."
        ),
        (
            "entity: Movie, predicate: released == 1", .neverHolds, 77,
            "The attribute released is of the type Date, which 1 never equals; write a value of that type."
        ),
        (
            "entity: Movie, predicate: seen == $title", .neverHolds, 73,
            "The attribute seen is a Boolean, which $title, a text, never equals; write true or false."
        ),
        (
            "entity: Movie, predicate: seen == 2", .neverHolds, 73,
            "The attribute seen is of the type Boolean, which 2 never equals; write a value of that type."
        ),
        (
            "entity: Movie, predicate: remoteId == 1.5", .neverHolds, 77,
            "The attribute remoteId is of the type Integer 64, which 1.5 never equals; write a value of that type."
        ),
        (
            "entity: Movie, predicate: price == 1 AND price == 2", .neverHolds, 89,
            "The attribute price cannot equal both 1 and 2; remove one of the comparisons."
        ),
    ])
    func `a predicate is judged`(open: String, kind: ConfigurationProblem.Kind, column: Int, sentence: String) throws {
        let found = try problems(Self.clean + "activities: [{activityType: t, open: {\(open)}}]")
        #expect(found.map(\.sentence) == [sentence])
        #expect(found.map(\.kind) == [kind])
        #expect(found.map(\.line) == [2])
        #expect(found.map(\.column) == [column])
    }

    @Test func `nil for a required attribute is a warning`() throws {
        let found = try problems(
            Self.clean + "activities: [{activityType: t, open: {entity: Movie, predicate: name == nil}}]")
        #expect(found.map(\.severity) == [.warning])
        #expect(found.map(\.kind) == [.neverHolds])
        #expect(
            found[0].sentence.hasPrefix("The attribute name is required by the model, so that nil never equals it;"))
    }

    @Test func `what is folded is compared folded before two values contradict each other`() throws {
        let open =
            "activities: [{activityType: t, open: {entity: Movie, predicate: \"name ==[c] 'A' AND name == 'á'\"}}]"
        #expect(try problems(Self.clean + open).map(\.sentence) == [])
    }

    @Test func `a transient attribute never has a value`() throws {
        let model = ObjectModel(entities: [
            EntityDescription(
                name: "Movie", attributes: [AttributeDescription(name: "age", type: .integer16, isTransient: true)])
        ])
        let found = try problems(
            "entities: {Movie: {command: c, arguments: {a: $object.age}}}", models: [model])
        #expect(found.map(\.severity) == [.error])
        #expect(
            found.map(\.sentence) == [
                "$object.age is computed by the app and not stored, so that every object is answered missingValue; name a "
                    + "stored attribute."
            ])
    }

    @Test func `the rule of an abstract entity is used by the descendants that have none`() throws {
        func model(_ names: [String]) -> ObjectModel {
            ObjectModel(
                entities: [EntityDescription(name: "Thing", isAbstract: true)]
                    + names.map { EntityDescription(name: $0, parent: 0) })
        }
        let yaml = "entities: {Thing: {command: c}, Movie: {command: d}}"
        #expect(try problems(yaml, models: [model(["Movie", "Book"])]) == [])
        let found = try problems(yaml, models: [model(["Movie"])])
        #expect(found.map(\.kind) == [.neverReached])
        #expect(found.map(\.column) == [12])
    }

    @Test(arguments: [
        ("title: Book $a for $b", "title: $a tomorrow", true), ("title: Book $a", "title: $a tomorrow", true),
        ("title: Book $a", "title: Buy $a", false), ("title: a$x", "title: $y", false),
        ("title: x $a", "targetContentIdentifier: x $a", false), ("title: a", "title: b", false),
        ("title: $a - b", "title: a - $b", true), ("title: a$x", "title: \"${y}a\"", true),
        ("title: ab$x", "title: \"${y}ba\"", true),
        ("title: $a-1", "title: $b-2", false),
    ])
    func `rules that overlap without one taking all of the other are noted`(
        one: String, two: String, overlap: Bool
    ) throws {
        let found = try problems(
            Self.clean
                + "activities: [{activityType: t, \(one), command: c}, {activityType: t, \(two), command: d}]")
        #expect(found.contains { $0.kind == .ambiguous } == overlap, "\(found)")
        #expect(found.allSatisfy { $0.kind != .ambiguous || $0.severity == .note })
    }

    @Test func `a rule for search results says when it is reached`() throws {
        let found = try problems(
            Self.clean + "activities: [{activityType: com.apple.corespotlightitem, command: c}]")
        #expect(found.map(\.severity) == [.note])
        #expect(found[0].sentence.contains("takes only activities without an identifier"))
    }

    @Test(arguments: [
        "remoteId == '5'", "seen == true", "price == 1.5", "released == '2026-01-31T00:00:00Z'", "uuid == nil",
        "studio == $title",
    ])
    func `a predicate that can hold is clean`(predicate: String) throws {
        let entity = predicate.hasPrefix("studio") ? "Cartoon" : "Movie"
        let open = #"activities: [{activityType: t, open: {entity: \#(entity), predicate: "\#(predicate)"}}]"#
        #expect(try problems(Self.clean + open).map(\.sentence) == [])
    }

    @Test func `what is opened must have a rule`() throws {
        let found = try problems(
            "entities: {Cartoon: {command: c}}\nactivities:\n  - {activityType: t, open: {entity: Movie, predicate: name == $title}}\n"
                + "  - {activityType: u, open: {entity: Poster, predicate: name == $title}}\n")
        #expect(found.filter { $0.severity == .error }.map(\.line) == [4])
        #expect(found.filter { $0.kind == .notRouted }.map(\.severity) == [.note, .error])
    }

    @Test(arguments: [
        (["{activityType: t}", "{activityType: t, title: x}"], [1]),
        (["{activityType: t, title: x}", "{activityType: t}"], []),
        (["{activityType: t, title: x}", "{activityType: u, title: x}"], []),
        (["{activityType: t, title: x}", "{activityType: t, title: x}"], [1]),
        (["{activityType: t, title: x $a}", "{activityType: t, title: x y}"], [1]),
        (["{activityType: t, title: x $a}", "{activityType: t, title: x y $b}"], [1]),
        (["{activityType: t, title: x y $a}", "{activityType: t, title: x $b}"], []),
        (["{activityType: t, title: x $a}", "{activityType: t, title: X y}"], []),
        (["{activityType: t, title: x, userInfo: {k: v}}", "{activityType: t, title: x}"], []),
        (["{activityType: t, userInfo: {k: $v}}", "{activityType: t, title: x, userInfo: {k: w}}"], [1]),
        (
            ["{activityType: t, contextIdentifierPath: [a, $b]}", "{activityType: t, contextIdentifierPath: [a, c]}"],
            [1]
        ),
        (["{activityType: t, contextIdentifierPath: [a]}", "{activityType: t, contextIdentifierPath: [a, c]}"], []),
    ])
    func `a rule behind one that takes everything is never reached`(rules: [String], unreachable: [Int]) throws {
        let lines = rules.map { "  - " + $0.dropLast() + ", command: c}\n" }.joined()
        let found = try problems(Self.clean + "activities:\n" + lines)
        #expect(found.map(\.kind) == unreachable.map { _ in .neverReached })
        #expect(found.map(\.line) == unreachable.map { $0 + 3 })
        if let first = found.first {
            #expect(
                first.sentence
                    == "The rule activities[1] is never reached: activities[0] in line 3 takes all that it could take; "
                    + "move it before that rule, or remove it.")
        }
    }

    @Test func `an argument of an activity that nothing asks for is noted`() throws {
        let configuration = try Configuration(
            Array(
                """
                activities:
                  - {activityType: a, command: c, arguments: {a: $title, b: $userInfo.k, c: $activityType, d: $webpageURL}}
                  - {activityType: b, title: T, userInfo: {k: $v}, command: c, arguments: {a: $title, b: $userInfo.k, c: $v}}
                  - {activityType: c, title: T, command: c, arguments: {a: [$persistentIdentifier], b: $targetContentIdentifier}}
                  - {activityType: com.apple.corespotlightquerycontinuation, command: c, arguments: {a: $userInfo.kCSSearchQueryString}}
                  - {activityType: NSUserActivityTypeBrowsingWeb, command: c, arguments: {a: $webpageURL, b: $query.q}}
                """.utf8), file: "c.yaml")
        let notes = configuration.problems(against: [])
        #expect(notes.allSatisfy { $0.severity == .note && $0.kind == .maybeMissing })
        #expect(notes.map { "\($0.line):\($0.column)" } == ["2:50", "2:61", "2:95", "4:61", "4:88"])
    }

    @Test func `very many rules are compared up to a limit, which is told`() throws {
        func problems(_ rules: [String]) throws -> [ConfigurationProblem] {
            let text = "activities:\n" + rules.map { "- {activityType: t, title: \($0), command: c}\n" }.joined()
            return try Configuration(Array(text.utf8), file: "c.yaml").problems(against: [])
        }
        // Literal titles are told apart at once.
        #expect(try problems((1_000..<2_200).map { "\($0) minutes" }) == [])
        let many = try problems((0..<2_500).map { "$a minutes to \($0)" })
        #expect(many.map(\.kind) == [.neverReached])
        #expect(many.first?.sentence.hasPrefix("There are too many rules to compare") == true)
    }

    @Test func `identifier rules are judged likewise`() throws {
        let found = try problems(
            Self.clean
                + """
                searchResults:
                  - {identifier: $any, command: c}
                  - {identifier: movie-$id, command: c}
                  - {identifier: "x-coredata://$rest", command: c}
                """)
        #expect(found.map(\.line) == [4, 5])
        #expect(found[1].sentence.contains("are object URIs"))
    }

    @Test func `every store's model counts`() throws {
        let other = ObjectModel(entities: [EntityDescription(name: "Film")])
        #expect(try problems(Self.clean, models: []).map(\.kind) == [.unknownEntity, .unknownEntity, .unknownEntity])
        #expect(
            try problems(Self.clean + "# \n", models: [FamilyMovies.model, other]).map(\.sentence)
                == ["No rule under entities takes Film; their objects are answered entityNotRouted."])
    }
}
