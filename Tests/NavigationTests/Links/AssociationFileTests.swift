import SeededRandom
import Testing

@testable import Navigation

struct AssociationFileTests {
    private static func outcome(_ claims: AssociationClaims, _ url: String) throws -> String {
        switch claims.judge(try #require(LinkURL(url))) {
        case .claimed: "match"
        case .excluded: "exclude"
        case .unclaimed: "none"
        }
    }

    /// The outcome for `https://example.com` and what follows, by one component.
    private static func outcome(component: String, _ rest: String) throws -> String {
        try outcome(try AssociationFile.claims(component: component), "https://example.com" + rest)
    }

    private static func outcome(applinks: String, _ rest: String, appID: String = "A.app") throws -> String {
        let file = try AssociationFile.read(#"{"applinks":\#(applinks)}"#)
        return try outcome(file.claims(of: appID), "https://example.com" + rest)
    }

    @Test(arguments: [
        // Slashes at the ends do not count, and a last /* takes the path before it.
        (#"{"/":"/buy/*"}"#, "/buy/42", "match"), (#"{"/":"/buy/*"}"#, "/bu", "none"),
        (#"{"/":"/a/b/*"}"#, "/a/b", "match"),
        (#"{"/":"/buy*"}"#, "/buy", "match"), (#"{"/":"/a/*/c"}"#, "/a/c", "none"),
        (#"{"/":"/a/*/c"}"#, "/a/x/y/c", "match"),
        (#"{"/":"/id/????"}"#, "/id/481", "none"), (#"{"/":"/id/????"}"#, "/id/4815", "match"),
        (#"{"/":"/a/?*"}"#, "/a/", "none"), (#"{"/":"/a/?*"}"#, "/a/b", "match"),
        (#"{"/":"buy/*"}"#, "/buy/42", "match"),
        (#"{"/":"*abc"}"#, "/xabc", "match"), (#"{"/":"/a/b/"}"#, "/a/b", "match"), (#"{"/":"/*"}"#, "/", "match"),
        (#"{"/":"*"}"#, "/", "match"), (#"{"/":""}"#, "/", "match"), (#"{"/":"/"}"#, "/a", "none"),
        // Queries.
        (#"{"?":{"b":""}}"#, "/x?a=1", "match"), (#"{"?":{"a":"1","b":"2"}}"#, "/x?b=2&a=1", "match"),
        (#"{"?":{"a":"1","b":"2"}}"#, "/x?a=1", "none"), (#"{"?":{"id":"7"}}"#, "/x?id=7&id=7", "match"),
        (#"{"?":{"id":"42"}}"#, "/x?id=42&id=7", "none"), (#"{"?":{"n":null}}"#, "/x?n=5", "match"),
        (#"{"?":{"a":["1"]}}"#, "/x?a=2", "match"), (#"{"?":{"a":{"b":"1"}}}"#, "/x?a=2", "match"),
        (#"{"?":{"flag":""}}"#, "/x?flag", "match"), (#"{"?":"*"}"#, "/x", "match"),
        (#"{"?":"a=*"}"#, "/x?a=1&b=2", "match"),
        (#"{"?":{"a":"1+2"}}"#, "/x?a=1+2", "match"), (#"{"?":{"a":"1 2"}}"#, "/x?a=1+2", "none"),
        (#"{"?":{"é":"1"},"percentEncoded":false}"#, "/x?%C3%A9=1", "match"),
        (#"{"?":{"é":"1"}}"#, "/x?%C3%A9=1", "none"),
        (#"{"?":{"A":"B"},"caseSensitive":false}"#, "/x?a=b", "match"), (#"{"?":5}"#, "/x?a=1", "match"),
        // Fragments.
        (##"{"#":"no"}"##, "/x#no", "match"), (##"{"#":"no"}"##, "/x#yes", "none"),
        (##"{"#":"/a/*"}"##, "/#/a/b", "match"),
        (##"{"#":"?*"}"##, "/x#a", "match"), (##"{"#":""}"##, "/x#a", "none"),
        // Case and encoding.
        (#"{"/":"/Foo","caseSensitive":false}"#, "/fOO", "match"),
        (#"{"/":"/É","caseSensitive":false,"percentEncoded":false}"#, "/%C3%A9", "match"),
        (#"{"/":"/caf%C3%A9"}"#, "/caf%C3%A9", "match"),
        (#"{"/":"/caf%C3%A9","caseSensitive":false}"#, "/caf%c3%a9", "match"),
        (#"{"/":"/?","percentEncoded":false}"#, "/%C3%A9", "match"),
        (#"{"/":"/??","percentEncoded":false}"#, "/%C3%A9", "none"),
        (#"{"/":"/*é","percentEncoded":false}"#, "/x%C3%A9", "match"),
        (#"{"/":"/%f5","percentEncoded":false}"#, "/%f5", "match"),
        (#"{"/":"/100%25","percentEncoded":false}"#, "/100%2525", "match"),
        // Odd values.
        (#"{"exclude":true}"#, "/x", "exclude"), (#"{"exclude":1}"#, "/x", "exclude"),
        (#"{"exclude":"yes"}"#, "/x", "match"),
        (#"{"/":5}"#, "/x", "match"), (#"{"/":"/a**b"}"#, "/ab", "match"), (#"{"/":"/[a].b"}"#, "/[a].b", "match"),
        (#"{"/":"/[a].b"}"#, "/axb", "none"),
    ])
    func `one component is judged`(component: String, rest: String, expected: String) throws {
        #expect(try Self.outcome(component: component, rest) == expected)
    }

    @Test(arguments: [
        ("$(digit)", "7", true), ("$(digit)", "x", false), ("$(alpha)", "q", true), ("$(alpha)", "7", false),
        ("$(upper)", "Q", true), ("$(upper)", "q", false), ("$(lower)", "q", true), ("$(lower)", "Q", false),
        ("$(alnum)", "7", true), ("$(alnum)", "-", false), ("$(xdigit)", "F", true), ("$(xdigit)", "g", false),
        ("$(region)", "GB", true), ("$(region)", "UK", false), ("$(region)", "gb", false), ("$(region)", "001", false),
        ("$(lang)", "de", true), ("$(lang)", "haw", true), ("$(lang)", "qq", false),
        ("$(lang)_$(region)", "en_US", true),
        ("$(lang)_$(region)", "enUS", false), ("$(food)", "pizza", true), ("$(food)", "tacos", false),
        ("$(food)", "$(food)", false), ("$(Canadian food)", "poutine", true), ("$(food)$(food)", "pizzasushi", true),
        ("$(wild)", "abcz", true), ("$(wild)", "az", true), ("$(wild)", "a", false), ("$(wild)!", "b1!", true),
        ("$(unknown)", "$(unknown)", true), ("$(FOOD)", "pizza", false), ("$(open", "$(open", true),
        ("$$(digit)", "$7", true),
        ("$(empty)x", "x", false), ("$(tail)/y", "t/a/b/y", true), ("*$(digit)", "abc7", true),
        ("?$(lang)?", "xdey", true),
    ])
    func `substitution variables stand for their values`(pattern: String, segment: String, matches: Bool) throws {
        let variables = #"""
            {"food":["burrito","pizza","sushi"],"Canadian food":["poutine"],"wild":["a*z","b?"],"empty":[],"tail":["t/*"]}
            """#
        let applinks = #"""
            {"substitutionVariables":\#(variables),"details":[{"appID":"A.app","components":[{"/":"/x/\#(pattern)/end"}]}]}
            """#
        #expect(try Self.outcome(applinks: applinks, "/x/\(segment)/end") == (matches ? "match" : "none"))
    }

    @Test func `without case a class takes both cases`() throws {
        for (pattern, segment) in [("$(upper)", "q"), ("$(region)", "gb"), ("$(lang)", "DE")] {
            #expect(
                try Self.outcome(component: #"{"/":"/\#(pattern)","caseSensitive":false}"#, "/" + segment) == "match")
        }
    }

    @Test func `the tables have as many codes as Apple's`() {
        #expect(RegionCodes.all.count == 257 && Set(RegionCodes.all).count == 257)
        #expect(LanguageCodes.all.count == 631 && Set(LanguageCodes.all).count == 631)
    }

    @Test(arguments: [
        (##"{"details":[{"appID":"A.app","components":[{"#":"*"}]}]}"##, "/bar", "match"),
        (##"{"defaults":{"/":"/foo/*"},"details":[{"appID":"A.app","components":[{"#":"*"}]}]}"##, "/bar", "none"),
        (##"{"defaults":{"/":"/foo/*"},"details":[{"appID":"A.app","components":[{"#":"*"}]}]}"##, "/foo/1", "match"),
        (##"{"details":[{"appID":"A.app","defaults":{"/":"/foo/*"},"components":[{"#":"*"}]}]}"##, "/bar", "none"),
        (##"{"defaults":{"exclude":true},"details":[{"appID":"A.app","components":[{"#":"*"}]}]}"##, "/bar", "exclude"),
        (
            ##"{"defaults":{"?":{"id":"??"}},"details":[{"appID":"A.app","components":[{"#":"*"}]}]}"##, "/bar?id=7",
            "none"
        ),
        (
            ##"{"defaults":{"?":{"id":"??"}},"details":[{"appID":"A.app","components":[{"#":"*"}]}]}"##, "/bar?id=77",
            "match"
        ),
        (
            #"{"defaults":{"caseSensitive":false},"details":[{"appID":"A.app","components":[{"/":"/foo"}]}]}"#, "/FOO",
            "match"
        ),
        (
            #"{"defaults":{"caseSensitive":false},"details":[{"appID":"A.app","defaults":{"caseSensitive":true},"components":[{"/":"/foo"}]}]}"#,
            "/FOO", "none"
        ),
        (
            #"{"details":[{"appID":"A.app","defaults":{"caseSensitive":true},"components":[{"/":"/foo","caseSensitive":false}]}]}"#,
            "/FOO", "match"
        ),
    ])
    func `defaults are those of the section, of the app, and of the component`(
        applinks: String, rest: String, expected: String
    ) throws {
        #expect(try Self.outcome(applinks: applinks, rest) == expected)
    }

    @Test(arguments: [
        (
            #"{"apps":[],"details":[{"appID":"A.app","paths":["/wwdc/news/","/videos/wwdc/2015/*"]}]}"#, "/wwdc/news",
            "match"
        ),
        (#"{"details":[{"appID":"A.app","paths":["NOT /api/*","*"]}]}"#, "/api/x", "exclude"),
        (#"{"details":[{"appID":"A.app","paths":["NOT /api/*","*"]}]}"#, "/api", "exclude"),
        (#"{"details":[{"appID":"A.app","paths":["NOT /api/*","*"]}]}"#, "/apis", "match"),
        (#"{"details":[{"appID":"A.app","paths":["*","NOT /api/*"]}]}"#, "/api/x", "match"),
        (#"{"details":[{"appID":"A.app","paths":["NOT/api/*"]}]}"#, "/api/x", "none"),
        (#"{"details":[{"appID":"A.app","paths":["/a"]}]}"#, "/a?b=c#d", "match"),
        (#"{"details":[{"appID":"A.app","paths":["/a"]}]}"#, "/A", "none"),
        (#"{"details":[{"appID":"A.app","paths":[5,"/a"]}]}"#, "/a", "match"),
        (#"{"details":{"A.app":{"paths":["/a/*"]},"B.app":{"paths":["*"]}}}"#, "/a/b", "match"),
        (#"{"details":{"A.app":{"paths":["/a/*"]},"B.app":{"paths":["*"]}}}"#, "/b", "none"),
        (#"{"details":[{"appID":"A.app","components":[{"/":"/a"}],"paths":["/b"]}]}"#, "/b", "none"),
        (#"{"details":[{"appID":"A.app","appIDs":[],"components":[{"/":"/a"}]}]}"#, "/a", "none"),
        (#"{"details":[{"appID":"B.app","appIDs":["A.app"],"components":[{"/":"/a"}]}]}"#, "/a", "match"),
        (#"{"details":[{"components":[{"/":"/a"}]}]}"#, "/a", "none"),
        (#"{"details":[{"appID":"A.app","components":[]}]}"#, "/a", "none"), (#"{"details":[]}"#, "/a", "none"),
        (
            #"{"details":[{"appID":"A.app","components":[{"/":"/a"}]},{"appID":"A.app","components":[{"/":"/a","exclude":true}]}]}"#,
            "/a", "match"
        ),
        (#"{"details":[7,{"appID":"A.app","components":["x",{"/":"/a"}]}]}"#, "/a", "match"), ("{}", "/a", "none"),
        ("7", "/a", "none"),
    ])
    func `both formats are read`(applinks: String, rest: String, expected: String) throws {
        #expect(try Self.outcome(applinks: applinks, rest) == expected)
    }

    @Test func `a file for other services claims nothing`() throws {
        let file = try AssociationFile.read(#"{"webcredentials":{"apps":["A.app"]}}"#)
        #expect(try Self.outcome(file.claims(of: "A.app"), "https://example.com/") == "none")
    }

    @Test(arguments: [
        ("", "is not JSON"), ("{[]}", "is not JSON"), ("[]", "must be a JSON object"), ("\u{FEFF}{}", "is not JSON"),
        (
            #"{"a":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}",
            "nest deeper than 64"
        ),
        (String(repeating: " ", count: 128 << 10) + "{}", "larger than 128 KiB"),
    ])
    func `what is no association file is an error`(text: String, words: String) {
        #expect { try AssociationFile.read(text) } throws: {
            ($0 as? AssociationFileError)?.description.contains(words) == true
        }
    }

    @Test func `a signed file is named as such`() {
        #expect { try AssociationFile([0x30, 0x82, 0x0B, 0x00, 0x06]) } throws: {
            ($0 as? AssociationFileError)?.description.contains("PKCS #7") == true
        }
    }

    @Test func `a file of just the size that iOS takes is read`() throws {
        let file = try AssociationFile.read("{}" + String(repeating: " ", count: (128 << 10) - 2))
        #expect(file.appIDs.isEmpty)
    }

    @Test func `a rule knows its place and line`() throws {
        let file = try AssociationFile.read(
            """
            {"applinks": {
              "details": [{"appID": "A.app", "components": [
                {"/": "/a"},
                {"/": "/b\\"]"},  {"/": "/c"}
              ]}]
            }}
            """)
        let rules = file.claims(of: "A.app").rules
        #expect(rules.map(\.place).last == "applinks.details[0].components[2]")
        #expect(
            rules.map(\.position) == [.init(line: 3, column: 5), .init(line: 4, column: 5), .init(line: 4, column: 22)])
    }

    @Test func `a damaged file is read or refused, and never more than that`() throws {
        let file = Array(
            #"""
            {"applinks":{"defaults":{"caseSensitive":false},"substitutionVariables":{"v":["a*","b"]},"details":[
            {"appIDs":["A.app"],"components":[{"/":"/$(v)/*","?":{"x":"?*"},"#":"é","exclude":true},{"?":"a=1"}]},
            {"appID":"A.app","paths":["NOT /a/*","/\u00e9*"]}]}}
            """#.utf8)
        let url = try #require(LinkURL("https://example.com/b/c?x=1&a=1#%C3%A9"))
        var generator = SeededGenerator(seed: 11)
        var read = 0
        for _ in 0..<20_000 {
            var damaged = file
            for _ in 0..<Int.random(in: 1..<4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: damaged.remove(at: index)
                default: damaged.insert("{}[]\":,*?$()/".utf8.randomElement(using: &generator) ?? 0x20, at: index)
                }
            }
            guard let file = try? AssociationFile(damaged) else { continue }
            read += 1
            _ = file.claims(of: "A.app").judge(url)
        }
        #expect(read > 1_000)
    }

    @Test func `a hostile file is read in bounded time and memory`() throws {
        let key = String(repeating: "k", count: 60_000)
        let elements = Array(repeating: "1", count: 30_000).joined(separator: ",")
        #expect(try AssociationFile.read(#"{"\#(key)":[\#(elements)]}"#).appIDs.isEmpty)
        let names = (0..<12_000).map { "\"$(\($0))\"" }.joined(separator: ",")
        let file = try AssociationFile.read(#"{"applinks":{"details":[{"appID":"A.app","paths":[\#(names)]}]}}"#)
        #expect(file.claims(of: "A.app").rules.count == 12_000)
    }
}
