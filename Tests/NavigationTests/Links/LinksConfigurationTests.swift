import Testing

@testable import Navigation

struct LinksConfigurationTests {
    private static let files = [
        "good.json": #"{"applinks":{"details":[{"appID":"A.b","paths":["*"]}]}}"#, "bad.json": "{", "signed.json": "",
    ]

    private static func failure(_ links: String) -> ConfigurationErrors? {
        do throws(ConfigurationErrors) {
            _ = try Configuration(Array("links: \(links)".utf8), file: "deeplinks.yaml") {
                path throws(UnreadableFile) in
                guard let file = files[path] else { throw UnreadableFile("There is no file \(path).") }
                return Array(file.utf8)
            }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("{appid: A.b}", "1:9: The section links has no key appid; did you mean appID?"),
        (
            "{domains: {a.com: good.json}}",
            "1:8: The key appID is missing; the association file of a.com names apps by it."
        ),
        (
            "{appID: A.b, domains: {\"https://a.com/\": all}}",
            "1:31: The name https://a.com/ is no domain; write the name alone, without scheme and path."
        ),
        (
            "{appID: A.b, domains: {\"a b\": all}}",
            "1:31: The name a b is no domain; write example.com, \"*.example.com\" for its sub-domains, or example.com:8443 with a port."
        ),
        (
            "{appID: A.b, domains: {a.com: }}",
            "1:31: The domain a.com claims nothing; name its association file, or write all."
        ),
        (
            "{appID: A.b, domains: {a.com: all, A.COM: all}}",
            "1:43: The domain A.COM is the same as a.com in line 1; remove one of the two."
        ),
        ("{appID: A.b, domains: {a.com: [all]}}", "1:38: The value of the domain a.com must be text; it is a list."),
        ("{schemes: [https]}", "1:19: Links of the scheme https are claimed by domains; remove it."),
        (
            "{schemes: [\"app:\"]}",
            "1:19: The name app: is no scheme; write letters, digits, +, - and . alone, without a colon."
        ),
        ("{schemes: app}", "1:18: The value of schemes must be a list; it is text."),
        ("{routes: [{path: \"/:a/:a\", command: c}]}", "1:30: The pattern captures :a twice; give one another name."),
        (
            "{routes: [{path: \"/:a\", query: {b: $a}, command: c}]}",
            "1:43: The rule captures $a twice; give one of the two another name."
        ),
        ("{routes: [{command: c}]}", "1:18: The key path is missing; it says which links the route takes."),
        ("{routes: [{path: /a}]}", "1:18: The rule does nothing; name a command, or say what to open."),
        ("{routes: [{path: \"/:a\", command: c, arguments: {x: $b}}]}", "1:59: There is no variable $b here;"),
        ("{routes: [{paths: \"/:a\", command: c}]}", "1:19: A link route has no key paths; did you mean path?"),
    ])
    func `each mistake is named with its place`(links: String, expected: String) throws {
        let errors = try #require(Self.failure(links)).errors.map { "\($0.line):\($0.column): \($0.sentence)" }
        #expect(errors.count == 1 && errors[0].hasPrefix(expected), "\(errors)")
    }

    @Test func `files are told apart from the configuration`() throws {
        #expect(Self.failure("{appID: A.b, domains: {a.com: good.json}}") == nil)
        let missing = try #require(Self.failure("{appID: A.b, domains: {a.com: none.json}}"))
        #expect(missing.cause == .unreadableFile)
        #expect(missing.description == "deeplinks.yaml:1:38: There is no file none.json.")
        let malformed = try #require(Self.failure("{appID: A.b, domains: {a.com: bad.json}}"))
        #expect(malformed.cause == .malformedFile)
        #expect(malformed.description.hasPrefix("deeplinks.yaml:1:38: bad.json: The association file is not JSON:"))
        #expect(Self.failure("{appID: A.b, domains: {a.com: bad.json, b.com: none.json}}")?.cause == .unreadableFile)
        #expect(Self.failure("{appid: A.b, domains: {a.com: bad.json}}")?.cause == .configuration)
    }

    @Test func `an association file is relative to the configuration`() throws {
        var asked: [String] = []
        _ = try Configuration(
            Array("links: {appID: A.b, domains: {a.com: f.json, b.com: /g.json}}".utf8), file: "folder/deeplinks.yaml"
        ) {
            asked.append($0)
            return Array("{}".utf8)
        }
        #expect(asked == ["folder/f.json", "/g.json"])
    }

    private static func problems(_ links: String, _ file: String) throws -> [String] {
        let configuration = try Configuration(Array("links: \(links)".utf8), file: "deeplinks.yaml") { _ in
            Array(file.utf8)
        }
        return configuration.problems(against: []).filter { $0.severity > .note }.map(\.description)
    }

    private static func components(_ components: String) -> String {
        #"{"applinks":{"details":[{"appID":"A.b","components":[\#(components)]}]}}"#
    }

    @Test(arguments: [
        (#"{"/":"/a/*"},{"/":"/a/b"}"#, "components[1] is never reached"),
        (
            #"{"/":"/skins/install","?":{"url":"*"}},{"/":"/skins/install","exclude":true}"#,
            "components[1] is never reached"
        ),
        (
            #"{"?":{"no_universal_links":"*"},"exclude":true},{"/":"*"}"#,
            "components[0] keeps every link out of the app"
        ),
        (##"{"/":"/#/market/*"}"##, "has a number sign"),
        (#"{"/":"/a","casesensitive":false}"#, "it is written caseSensitive"),
        (#"{"/":"/a","?":{"x":1}}"#, "is no text"), (#"{"/":"/$(x)"}"#, "$(x) is not defined"),
        (#"{"/":"/a","exclude":true}"#, "claims no link of a.com for A.b"),
    ])
    func `an association rule that does not what it seems to is found`(components: String, words: String) throws {
        let problems = try Self.problems("{appID: A.b, domains: {a.com: f.json}}", Self.components(components))
        #expect(problems.contains { $0.contains(words) }, "\(problems)")
    }

    @Test func `sound association rules and routes are clean`() throws {
        let components =
            ##"{"#":"no","exclude":true},{"/":"/a/*","?":{"x":"?*"}},{"/":"/a/?"},{"/":"/b/$(lang)"},{"/":"/b/*","comment":"all"}"##
        let routes =
            #"[{path: "/a/new", command: c}, {path: "/a/:x", query: {y: z}, command: c}, {path: "/a/:x", command: c}]"#
        #expect(
            try Self.problems("{appID: A.b, domains: {a.com: f.json}, routes: \(routes)}", Self.components(components))
                == [])
    }

    @Test(arguments: [
        (
            "[{path: \"/a/*\", command: c}, {path: \"/a/:x\", command: c}]",
            "links.routes[1] is never reached: links.routes[0] in line 1"
        ),
        (
            "[{path: \"/a/:x\", query: {y: $z}, command: c}, {path: \"/a/:x\", query: {y: z}, command: c}]",
            "links.routes[1] is never reached"
        ),
        ("[{path: \"/b/:x\", command: c}]", "no association file claims links that begin with /b"),
    ])
    func `a route that no link comes to is found`(routes: String, words: String) throws {
        let problems = try Self.problems(
            "{appID: A.b, domains: {a.com: f.json}, routes: \(routes)}", Self.components(#"{"/":"/a/*"}"#))
        #expect(problems.count == 1 && problems[0].contains(words), "\(problems)")
    }

    @Test func `a file that names other apps says which`() throws {
        let problems = try Self.problems("{appID: X.y, domains: {a.com: f.json}}", Self.components(#"{"/":"/a/*"}"#))
        #expect(
            problems == [
                "deeplinks.yaml:1:31: warning: The association file f.json claims no link of a.com for X.y; it names A.b."
            ])
    }
}
