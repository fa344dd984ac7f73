import Activities
import Testing

@testable import Navigation

/// Links through the resolver, by configurations as users write them.
struct LinksTests {
    static let association = #"""
        {"applinks":{"apps":[],"details":[{"appID":"ABCDE12345.com.example.FamilyMovies",
         "paths":["NOT /movie/secret*","/movie/*","/familymember/*","/list/*","/search"]}]}}
        """#

    static let configuration =
        FamilyMovies.configuration + """


            links:
              appID: ABCDE12345.com.example.FamilyMovies
              domains:
                www.familymoviesapp.com: aasa.json
                all.example: all
                "*.all.example": all
                "*.claims.all.example": aasa.json
                ports.example:8443: all
                default.example:443: all
                bücher.example: all
              schemes: [FamilyMovies]
              routes:
                - path: /movie/:name
                  query: {view: "$kind-view", mode: ""}
                  command: openView
                  arguments: {name: $name, kind: $kind, tag: $query.tag}
                - path: /movie/:name
                  open: {entity: Movie, predicate: "name ==[cd] $name"}
                - path: /familymember/:name
                  open: {entity: FamilyMember, predicate: "name ==[cd] $name"}
                - path: /list/:page(\\d+)?
                  command: openList
                  arguments: {page: $page}
                - {path: /search, command: openSearch, arguments: {query: $query.q}}
                - {path: "/any/(.*)", command: openAny, arguments: {rest: $0}}
            """

    private static func scene() throws -> Scene {
        try Scene(configuration, files: ["aasa.json": association])
    }

    private static func answer(_ activity: String) throws -> String {
        let command = try scene().command(activity)
        switch command.disposition {
        case .handled(let name, let arguments):
            return "\(name) \(String(decoding: arguments, as: UTF8.self)) \(command.rule ?? "")"
        case .notHandled(let reason, _): return "\(reason.rawValue) \(command.rule ?? "")"
        }
    }

    private static func web(_ url: String) -> String {
        var writer = JSONWriter()
        writer.string(url)
        return
            #"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":\#(String(decoding: writer.bytes, as: UTF8.self))}"#
    }

    @Test(arguments: [
        ("https://www.familymoviesapp.com/movie/Alien", #"openMovieDetail {"name":"Alien"} links.routes[1]"#),
        ("http://www.familymoviesapp.com/movie/alien", #"openMovieDetail {"name":"Alien"} links.routes[1]"#),
        (
            "HTTPS://u:p@WWW.FamilyMoviesApp.com.:443/x/../movie/Alien?x#y",
            #"openMovieDetail {"name":"Alien"} links.routes[1]"#
        ),
        (
            "https://www.familymoviesapp.com/familymember/Grandma",
            #"openFamilyMemberDetail {"name":"Grandma"} links.routes[2]"#
        ),
        ("https://www.familymoviesapp.com/movie/Am%C3%A9lie", #"openMovieDetail {"name":"Amélie"} links.routes[1]"#),
        ("https://www.familymoviesapp.com/movie/Nothing", "objectNotFound links.routes[1]"),
        (
            "https://www.familymoviesapp.com/movie/Alien?view=big-view&mode=&tag=a+b%20c",
            #"openView {"kind":"big","name":"Alien","tag":"a+b c"} links.routes[0]"#
        ),
        ("https://www.familymoviesapp.com/movie/Alien?view=big-view&mode", "missingValue links.routes[0]"),
        (
            "https://www.familymoviesapp.com/movie/Alien?view=big-view",
            #"openMovieDetail {"name":"Alien"} links.routes[1]"#
        ),
        (
            "https://www.familymoviesapp.com/movie/Alien?view=big-view&mode=x",
            #"openMovieDetail {"name":"Alien"} links.routes[1]"#
        ),
        (
            "https://www.familymoviesapp.com/movie/Alien?view=-view&mode=",
            #"openMovieDetail {"name":"Alien"} links.routes[1]"#
        ),
        ("https://www.familymoviesapp.com/list/2", #"openList {"page":"2"} links.routes[3]"#),
        ("https://www.familymoviesapp.com/list", "missingValue links.routes[3]"),
        ("https://www.familymoviesapp.com/search?q", #"openSearch {"query":""} links.routes[4]"#),
        ("https://www.familymoviesapp.com/search", "missingValue links.routes[4]"),
        ("https://www.familymoviesapp.com/search/", "linkNotRouted "),
        ("https://www.familymoviesapp.com/movie/", "linkNotRouted "),
        ("https://www.familymoviesapp.com/movie/a/b", "linkNotRouted "),
        ("https://www.familymoviesapp.com/movie/secret", "linkNotClaimed "),
        ("https://www.familymoviesapp.com/tv/Alien", "linkNotClaimed "),
        ("https://www.familymoviesapp.com:8443/movie/Alien", "linkNotClaimed "),
        ("https://familymoviesapp.com/movie/Alien", "linkNotClaimed "),
        ("https://all.example/any/x%2Fy/z", #"openAny {"rest":"x/y/z"} links.routes[5]"#),
        ("https://x.y.all.example/any/", #"openAny {"rest":""} links.routes[5]"#),
        ("https://a.claims.all.example/any/x", "linkNotClaimed "),
        ("https://claims.all.example/any/x", #"openAny {"rest":"x"} links.routes[5]"#),
        ("https://notall.example/any/x", "linkNotClaimed "), ("https://ports.example/any/x", "linkNotClaimed "),
        ("https://ports.example:8443/any/x", #"openAny {"rest":"x"} links.routes[5]"#),
        ("http://ports.example:8443/any/x", #"openAny {"rest":"x"} links.routes[5]"#),
        ("https://default.example/any/x", #"openAny {"rest":"x"} links.routes[5]"#),
        ("http://default.example/any/x", "linkNotClaimed "),
        ("https://BÜCHER.example/any/x", #"openAny {"rest":"x"} links.routes[5]"#),
        ("https://xn--bcher-kva.example/any/x", #"openAny {"rest":"x"} links.routes[5]"#),
        ("ftp://all.example/any/x", "missingValue "), ("https:///any", "missingValue "),
        ("https://exa mple/", "missingValue "), ("", "missingValue "),
    ])
    func `a universal link is claimed and routed`(url: String, expected: String) throws {
        #expect(try Self.answer(Self.web(url)) == expected)
    }

    @Test(arguments: [
        ("familymovies://movie/Alien", #"openMovieDetail {"name":"Alien"} links.routes[1]"#),
        ("FAMILYMOVIES://MOVIE/Alien", #"openMovieDetail {"name":"Alien"} links.routes[1]"#),
        ("familymovies:///movie/Alien", #"openMovieDetail {"name":"Alien"} links.routes[1]"#),
        ("familymovies://search?q=a%20b", #"openSearch {"query":"a b"} links.routes[4]"#),
        ("familymovies://Movie/alien?x", #"openMovieDetail {"name":"Alien"} links.routes[1]"#),
        ("familymovies://", "linkNotRouted "), ("other://movie/Alien", "linkNotClaimed "),
        ("movie/Alien", "missingValue "),
        ("https://all.example/any/x", #"openAny {"rest":"x"} links.routes[5]"#),
    ])
    func `a link in a custom scheme is routed by host and path`(url: String, expected: String) throws {
        #expect(try Self.answer(#"{"url":"\#(url)"}"#) == expected)
        #expect(try Self.answer(#"{"activityType":"NSUserActivityTypeBrowsingWeb","url":"\#(url)"}"#) == expected)
    }

    @Test func `an activity with a link alone is a link, and one without either is malformed`() throws {
        #expect(try Scene.activity(#"{"url":"a://b"}"#).activityType == Activity.Name.browsingWebType)
        #expect(throws: ActivityError.self) { try Scene.activity(#"{"url":null}"#) }
        #expect(throws: ActivityError.self) { try Scene.activity(#"{"url":"a://b","activityType":""}"#) }
        #expect(
            try Self.answer(#"{"activityType":"com.example.other","url":"familymovies://movie/Alien"}"#)
                == "activityNotRouted ")
    }

    @Test func `what no route takes goes to activities, then to the related identifier, and keeps the links' reason`()
        throws
    {
        let yaml = Self.configuration.replacing(
            "activities:\n",
            with: "activities:\n  - {activityType: NSUserActivityTypeBrowsingWeb, title: Tab, command: openTab}\n")
        let scene = try Scene(yaml, files: ["aasa.json": Self.association])
        func command(_ more: String, url: String = "https://all.example/nothing") throws -> NavigationCommand {
            try scene.command(#"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"\#(url)"\#(more)}"#)
        }
        #expect(try command(#","title":"Tab""#).rule == "activities[0]")
        #expect(try command(#","title":"Tab""#, url: "https://all.example/any/x").rule == "links.routes[5]")
        let related = #","contentAttributeSet":{"relatedUniqueIdentifier":"\#(FamilyMovies.uri("Movie", 12))"}"#
        #expect(try command(related).rule == "entities.Movie")
        let refused = try command("")
        #expect(refused.reason == .linkNotRouted && refused.fallbackURL == "https://all.example/nothing")
        #expect(try command("", url: "https://elsewhere.example/").reason == .linkNotClaimed)
        #expect(try command(related, url: "none").rule == "entities.Movie")
    }

    @Test func `without links the reason is that of activities`() throws {
        let scene = try Scene()
        #expect(try scene.command(Self.web("https://all.example/")).reason == .activityNotRouted)
        #expect(try scene.command(Self.web("app://x")).reason == .missingValue)
        let malformed = try scene.command(Self.web("https://exa mple/"))
        #expect(malformed.reason == .missingValue && malformed.fallbackURL == nil)
        #expect(try scene.command(#"{"url":"app://x"}"#).reason == .activityNotRouted)
    }

    @Test func `an explanation says how the link was judged`() throws {
        let resolver = try Self.scene().resolver
        let activity = try Scene.activity(Self.web("https://WWW.familymoviesapp.com/familymember/Grandma"))
        _ = resolver.begin([activity], explaining: true)
        let explanation = try #require(resolver.explanations.first)
        let link = try #require(explanation.link)
        #expect(link.url == "https://www.familymoviesapp.com/familymember/Grandma")
        #expect(link.associationRules.map(\.outcome) == [.failed, .failed, .matched])
        #expect(link.associationRules.map(\.line) == [2, 2, 2])
        #expect(link.verdict == "The link is the app's.")
        #expect(explanation.rules.prefix(4).map(\.outcome) == [.failed, .failed, .matched, .notReached])
        #expect(explanation.rules.first?.why == "the path must match /movie/:name")
        #expect(explanation.description.contains("applinks.details[0].paths[2] (line 2) matched."))
    }
}
