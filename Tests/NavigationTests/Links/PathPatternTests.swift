import SeededRandom
import Testing

@testable import Navigation

struct PathPatternTests {
    /// The captures of a path, as `name=text` joined by commas; nil where it does not match.
    private static func captures(_ pattern: String, _ path: String) throws -> String? {
        let pattern = try PathPattern(pattern)
        guard let texts = pattern.captures(in: path.utf8Span.span) else { return nil }
        return zip(pattern.names, texts).map { "\($0)=\($1 ?? "nil")" }.joined(separator: ",")
    }

    @Test(arguments: [
        ("/movie/:name", "/movie/Alien", "name=Alien"), ("/movie/:name", "/movie/Alien%203", "name=Alien 3"),
        ("/movie/:name", "/movie/Face%2FOff", "name=Face/Off"), ("/movie/:name", "/movie/100%2525", "name=100%25"),
        ("/movie/:name", "/movie/%f5%cd", "name=%f5%cd"), ("/movie/:name", "/movie/a%20%f5", "name=a%20%f5"),
        ("/movie/:name", "/movie/100%", "name=100%"), ("/movie/:name", "/movie/%zz", "name=%zz"),
        ("/movie/:name", "/movie/a+b", "name=a+b"), ("/movie/:name", "/movie/%C3%A9", "name=é"),
        ("/movie/:name", "/movie/", nil), ("/movie/:name", "/movie/a/", nil), ("/movie/:name", "/movie", nil),
        ("/movie/:name", "/Movie/a", nil), ("/movie/:name/", "/movie/a/", "name=a"),
        ("/movie/:name/*", "/movie/a/", "name=a,0="),
        ("/:a/:b", "/x/y", "a=x,b=y"), ("/:a-:b", "/x-y-z", "a=x,b=y-z"), ("/:a.html", "/x.y.html", "a=x.y"),
        ("/:a{.html}?", "/x.html", "a=x"), ("/:path+", "/a%2Fb/c", "path=a/b/c"), ("/x/:path*", "/x", "path=nil"),
        ("/x/:page?", "/x", "page=nil"), ("/x/:page?", "/x/2", "page=2"), ("/x/:page?", "/x/", nil),
        ("/*/edit", "/a/b/edit", "0=a/b"), ("/*.pdf", "/a/b.pdf", "0=a/b"), ("/a*b", "/ab", "0="), ("/a*b", "/a", nil),
        ("/*a*", "/bab", "0=b,1=b"), ("/:id(\\d+)", "/42", "id=42"), ("/:id(\\d+)", "/x", nil),
        ("/(a|b)/:x", "/b/c", "0=b,x=c"), ("/:k(movie|member)s", "/movies", "k=movie"),
        ("/:kind(movie|member)/*", "/movie/1/2", "kind=movie,0=1/2"), ("/files/:path+", "/files/a/b", "path=a/b"),
        ("/*:x*", "/a", "0=a,x="), ("/:x(\\u0061\\x62)", "/ab", "x=ab"),
        ("/([^]+)", "/a", "0=a"), ("/([]|a)", "/a", "0=a"), ("/([\\w\\-]{2})", "/a-", "0=a-"),
        ("/café/:x", "/caf%C3%A9/y", "x=y"), ("/a b", "/a%20b", ""), ("/:x(caf%C3%A9)", "/caf%C3%A9", "x=café"),
        ("/:café", "/x", "café=x"), ("/a/../b/:x", "/b/y", "x=y"), ("/(\\p{L}+)", "/ab", "0=ab"),
        ("/x/{:a-}?:b", "/x/1-2", "a=1,b=2"),
        ("/x/{:a-}?:b", "/x/2", "a=nil,b=2"), ("/movie\\:name", "/movie:name", ""), ("*", "/any/thing", "0=/any/thing"),
        ("*", "", "0="),
        ("/a\\?b", "/a%3Fb", ""), ("/{a}{b}", "/ab", ""), ("/(.*)/(.*)", "/a/b/c", "0=a/b,1=c"),
    ])
    func `a path is matched and its groups are decoded once`(pattern: String, path: String, expected: String?) throws {
        #expect(try Self.captures(pattern, path) == expected)
    }

    @Test(arguments: [
        ("/:", 1, "A name must follow"), ("/a/:1", 3, "A name must follow"), ("/:a/:a", 4, "twice"),
        ("/(*)/(?)", 5, "question mark"),
        ("/()", 1, "no regular expression"), ("/(a", 1, "not closed"), ("/((a))", 2, "must not capture"),
        ("/(é)", 2, "must be ASCII"),
        ("/\\", 1, "escapes nothing"), ("/{a", 1, "not closed"), ("/a}", 2, "closes nothing"),
        ("/{:a:b}", 4, "only text and one group"),
        ("/{{a}}", 2, "only text and one group"), ("?", 0, "Nothing stands before"),
        ("/a+", 2, "Nothing stands before"),
        ("/a/(b\\m)", 5, "no escape"), ("/(a)(b\\1)", 6, "back-reference"), ("/(x(?=y))", 3, "look-ahead"),
        ("/(x(?!y))", 3, "look-ahead"),
        ("/(x(?<=y))", 3, "look-behind"), ("/(x(?<n>y))", 3, "must not capture"),
        ("/(x(?i:y))", 3, "must begin with (?:"),
        ("/([a)", 2, "not closed"), ("/([[a]])", 3, "backslash"), ("/([a&&b])", 4, "intersected"),
        ("/([a--b])", 4, "intersected"),
        ("/(a{)", 3, "lone {"), ("/(a{x})", 3, "no count"), ("/(a]})", 3, "lone ]"), ("/(+)", 2, "cannot be compiled"),
        ("/a/(x{2000})", 5, "repetition"), ("/a/((?:(?:x{500}){500}){500})", 11, "cannot be compiled"),
        ("/(x\\u{110000})", 3, "no escape"),
        ("/(\\pL)", 2, "no escape"), ("/(\\p{Nonsense})", 2, "cannot be compiled"),
        ("/(b-a[z-a])", 6, "cannot be compiled"), ("/(\\Qa)", 2, "no escape"),
    ])
    func `what is no pattern is named with its place`(pattern: String, offset: Int, words: String) {
        #expect { try PathPattern(pattern) } throws: {
            guard let error = $0 as? PathPatternError else { return false }
            return error.offset == offset && error.description.contains(words)
        }
    }

    @Test func `patterns that need no engine match as the engine does`() throws {
        var generator = SeededGenerator(seed: 3)
        let atoms = ["/", "a", "b", ":x", ":y", "*", "/a", "{b}", "/:z", ".", "{/c:w/d}"]
        let pathAtoms = ["/", "a", "b", "c", "d", ".", "%20"]
        var compared = 0
        var matched = 0
        for _ in 0..<30_000 {
            let source =
                "/"
                + (0..<Int.random(in: 1..<5, using: &generator)).map { _ in atoms.randomElement(using: &generator) ?? ""
                }.joined()
            guard let parts = try? PathPatternParser.parts(of: source), let steps = PathSteps(parts) else { continue }
            let expression = try PathExpression.compiled(parts)
            for _ in 0..<5 {
                let path =
                    "/"
                    + (0..<Int.random(in: 0..<7, using: &generator)).map { _ in
                        pathAtoms.randomElement(using: &generator) ?? ""
                    }.joined()
                let bySteps = steps.match(path.utf8Span.span)
                let byEngine = expression.match(path.utf8Span.span)
                #expect(bySteps == byEngine, "\(source) and \(path)")
                compared += 1
                if bySteps != nil { matched += 1 }
            }
        }
        #expect(compared > 5_000 && matched > 500, "\(compared) compared, \(matched) matched")
    }

    @Test func `any text is a pattern or an error, and matching never crashes`() {
        var generator = SeededGenerator(seed: 5)
        let atoms = [
            "/", ":", "(", ")", "{", "}", "*", "?", "+", "\\", "a", "[", "]", "^", "|", "é", "(?:", "\\d", "x{2}", ":n",
            "😀", "\u{0}",
        ]
        var read = 0
        for _ in 0..<20_000 {
            let source = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
                atoms.randomElement(using: &generator) ?? ""
            }.joined()
            guard let pattern = try? PathPattern(source) else { continue }
            read += 1
            for path in ["", "/", "/a", "/a/x/xx/12", "//", "/%C3%A9"] {
                if let groups = pattern.match(path.utf8Span.span) { #expect(groups.count == pattern.names.count) }
            }
        }
        #expect(read > 1_000)
    }

    @Test(arguments: [
        "/((?:a+)+)b", "/((?:a|a)*)b", "/((?:a|aa)+)b", "/(.*.*.*.*.*.*)b", "/:a(a*)(a*)(a*)(a*)(a*)b",
        "/((?:a?){50}a{50})b",
        "/*a*a*a*a*a*b", "/:a-:b-:c-:d-:e",
    ])
    func `an expression that explodes elsewhere takes bounded time`(source: String) throws {
        let pattern = try PathPattern(source)
        let path = "/" + String(repeating: "a", count: 20_000)
        let duration = ContinuousClock().measure { #expect(pattern.match(path.utf8Span.span) == nil) }
        #expect(duration < .seconds(5))
    }

    @Test(arguments: [
        ("/*", "/a", true), ("/*", "/:x", true), ("/:x", "/a", true), ("/:x", "/*", false), ("/a", "/:x", false),
        ("/:x", "/:y", true),
        ("/:x", "/:y?", false), ("/:x?", "/:y", true), ("/:x*", "/:y+", true), ("/:x+", "/*", false),
        ("/*", "/:x+", true),
        ("/:x/:y", "/:x/:y/:z", false), ("/:x", "/(a|b)", false), ("/*", "/(a|b)", true), ("/(a|b)", "/(a|b)", true),
        ("/(a|b)", "/a", false),
        ("/:x-:y", "/:x", false), ("/:x", "/:x-:y", true), ("/movie/:n", "/movie/new", true),
        ("/movie/new", "/movie/:n", false),
    ])
    func `a pattern that takes all of another one is known`(wide: String, narrow: String, covers: Bool) throws {
        #expect(try PathPattern(wide).covers(try PathPattern(narrow)) == covers)
    }
}
