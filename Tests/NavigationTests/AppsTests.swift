import Activities
import Navigation
import PersistentStore
import Testing

/// Several apps in one configuration.
struct AppsTests {
    private static let files: [String: String] = [
        "conf/movies.yaml": """
        entities: {Movie: {command: openMovie, arguments: {name: $object.name}}}
        activities: [{activityType: home, command: showMovies}]
        replyTo: ["movies.*", "all"]
        """,
        "conf/cars.yaml": """
        activities: [{activityType: home, command: showCars}]
        replyTo: ["cars.*", "all"]
        """,
    ]

    private func configurations(_ yaml: String, files: [String: String] = files) throws -> ConfigurationSet {
        try ConfigurationSet(Array(yaml.utf8), file: "conf/all.yaml") { path throws(UnreadableFile) in
            guard let text = files[path] else { throw UnreadableFile("The file \(path) does not exist.") }
            return Array(text.utf8)
        }
    }

    private func resolver(_ yaml: String) throws -> (AppResolver, [MemoryStore]) {
        let set = try configurations(yaml)
        let stores = set.configurations.map { _ in FamilyMovies.makeStore() }
        let resolvers = try zip(set.configurations, stores).map { configuration, store in
            Resolver(configuration: configuration, stores: try StoreCoordinator(stores: [store]))
        }
        return (AppResolver(set, resolvers: resolvers), stores)
    }

    private func activity(_ json: String, _ requestAppID: String? = nil) throws -> Activity {
        var activity = try Scene.activity(json)
        activity.requestAppID = requestAppID
        return activity
    }

    private func answers(_ progress: Resolver.Progress) throws -> [String] {
        guard case .finished(let outcomes) = progress else { throw Scene.NoCommand() }
        return try outcomes.map { outcome in
            guard case .command(let command) = outcome else { throw Scene.NoCommand() }
            if case .handled(let name, _) = command.disposition { return name }
            return command.reason?.rawValue ?? ""
        }
    }

    private static let apps = "apps: {movies: movies.yaml, cars: cars.yaml}\n"

    @Test func `each activity of a batch is answered by its own app, in order`() throws {
        let (resolver, _) = try resolver(Self.apps)
        #expect(resolver.choosesApps)
        let progress = resolver.begin([
            try activity(#"{"activityType":"home"}"#, "cars"),
            try activity(#"{"activityType":"home","appID":"movies"}"#),
            try activity(searchResult(FamilyMovies.uri("Movie", 12).description), "movies"),
            try activity(#"{"activityType":"home"}"#),
            try activity(#"{"activityType":"home","appID":"movies"}"#, "cars"),
            try activity(#"{"activityType":"home","appID":"movies"}"#, "some sender"),
            try activity(#"{"activityType":"home","appID":"trains"}"#),
            try activity(searchResult("x"), "cars"),
        ])
        #expect(
            try answers(progress) == [
                "showCars", "showMovies", "openMovie", "unknownApp", "showCars", "showMovies", "unknownApp",
                "malformedIdentifier",
            ])
    }

    @Test func `a request that chooses no app is the default's, where there is one`() throws {
        let (resolver, _) = try resolver(Self.apps + "default: cars.yaml\n")
        #expect(resolver.configurations.configurations.count == 2)
        let progress = resolver.begin([
            try activity(#"{"activityType":"home"}"#), try activity(#"{"activityType":"home"}"#, "trains"),
        ])
        #expect(try answers(progress) == ["showCars", "showCars"])
    }

    @Test(arguments: [
        (nil, "The request names no app: it has neither the property app_id nor an appID in its body."),
        ("trains", "No app trains is configured under apps."),
    ])
    func `an unknown app is told with the name that was given`(appID: String?, message: String) throws {
        let (resolver, _) = try resolver(Self.apps)
        guard case .finished(let outcomes) = resolver.begin([try activity(searchResult("x"), appID)]),
            case .command(let command)? = outcomes.first
        else { throw Scene.NoCommand() }
        #expect(command.disposition == .notHandled(.unknownApp, message: message))
        #expect(command.kind == .searchResult)
        #expect(command.rule == nil)
    }

    @Test func `a store that answers later holds up its own share, and all come in order`() throws {
        let (resolver, stores) = try resolver(Self.apps)
        stores[0].trouble = .slow
        let activities = [
            try activity(searchResult(FamilyMovies.uri("Movie", 12).description), "movies"),
            try activity(#"{"activityType":"home"}"#, "cars"),
        ]
        guard case .pending = resolver.begin(activities) else { throw Scene.NoCommand() }
        #expect(try answers(resolver.resume()) == ["openMovie", "showCars"])
    }

    @Test func `an explanation names the app`() throws {
        let (resolver, _) = try resolver(Self.apps + "default: cars.yaml\n")
        _ = resolver.begin(
            [
                try activity(#"{"activityType":"home"}"#, "movies"), try activity(#"{"activityType":"home"}"#, "cars"),
                try activity(#"{"activityType":"home"}"#),
            ], explaining: true)
        #expect(resolver.explanations.map(\.app) == ["movies", "cars", "cars"].dropLast() + ["default"])
        #expect(resolver.explanations.map { $0.rules.first?.outcome } == [.matched, .matched, .matched])
        #expect(resolver.explanations[0].description.contains("The app is movies."))
    }

    @Test func `reply queues are those of the app, or of all apps`() throws {
        let set = try configurations(Self.apps)
        #expect(set.replyTo == ["movies.*", "all", "cars.*"])
        #expect(set.replyToOfApps == ["movies": ["movies.*", "all"], "cars": ["cars.*", "all"]])
        #expect(set.appIDs == ["cars", "movies"])
    }

    @Test func `a configuration of one app is a set of one`() throws {
        let set = try configurations("replyTo: [q]\n")
        #expect(set.configurations.count == 1)
        #expect(set.appIDs.isEmpty)
        #expect(set.replyTo == ["q"])
        #expect(set.replyToOfApps.isEmpty)
    }

    private static let failures: [(String, [String])] = [
        ("default: cars.yaml", ["conf/all.yaml:1:1: The section apps is missing; default stands beside it"]),
        ("apps: {}", ["conf/all.yaml:1:7: The section apps names no app; write APP_ID: FILE."]),
        (
            "apps: {a: cars.yaml}\nstores: [coredata:x]",
            ["conf/all.yaml:2:1: The section stores belongs into an app's own file; beside apps stands only default."]
        ),
        (
            "apps: {a: cars.yaml}\ndefalt: b",
            ["conf/all.yaml:2:1: The configuration has no key defalt; did you mean default?"]
        ),
        ("apps: {a: 7}", ["conf/all.yaml:1:11: The file of the app a must be text"]),
        ("apps: [a]", ["conf/all.yaml:1:7: The section apps must be a mapping"]),
        ("apps: {\"\": cars.yaml}", ["conf/all.yaml:1:8: An app's identifier must not be empty."]),
        ("apps: {a: none.yaml}", ["conf/all.yaml:1:11: The file conf/none.yaml does not exist."]),
        (
            "apps:\n  a: wrong.yaml\n  b: none.yaml\n  c: nested.yaml",
            [
                "conf/all.yaml:3:6: The file conf/none.yaml does not exist.",
                "conf/wrong.yaml:1:1: The configuration has no key storez; did you mean stores?",
                "conf/nested.yaml:1:1: The section apps belongs into the file that names the apps' files",
            ]
        ),
    ]

    @Test(arguments: failures)
    func `what is wrong in any of the files is told with its own place`(yaml: String, sentences: [String]) throws {
        let files = Self.files.merging(
            ["conf/wrong.yaml": "storez: []", "conf/nested.yaml": "apps: {x: cars.yaml}"]) { $1 }
        let found = try #require(throws: ConfigurationErrors.self) { try configurations(yaml, files: files) }
        try #require(found.errors.count == sentences.count, "\(found)")
        for (error, sentence) in zip(found.errors, sentences) {
            #expect(error.description.hasPrefix(sentence), "\(error)")
        }
    }

    @Test func `an app's file that is missing is a missing file, and a wrong one a wrong configuration`() throws {
        let missing = try #require(throws: ConfigurationErrors.self) { try configurations("apps: {a: none.yaml}") }
        #expect(missing.cause == .unreadableFile)
        let wrong = try #require(throws: ConfigurationErrors.self) {
            try configurations("apps: {a: none.yaml}\nx: 1")
        }
        #expect(wrong.cause == .configuration)
    }
}
