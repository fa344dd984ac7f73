import Testing

@testable import Navigation

/// What people have reported of links elsewhere, each with the answer that they should have had.
struct LinkReportsTests {
    private static func captures(_ pattern: String, _ url: String) throws -> [String?]? {
        let link = RoutedLink(try #require(LinkURL(url)))
        let route = LinkRoute(
            pattern: try PathPattern(pattern), query: [],
            action: .command(Command(name: "open", arguments: .emptyObject)),
            path: "links.routes[0]", position: .start)
        var captured: [String?] = []
        return route.failure(of: link, capturing: &captured) == nil ? captured : nil
    }

    private static func claims(_ components: String, _ url: String) throws -> AssociationClaims.Verdict {
        try AssociationFile.claims(component: components).judge(try #require(LinkURL(url)))
    }

    @Test func `an exclusion by any value of a query item excludes every link, one by some value does not`() throws {
        let url = "https://call.example/room/#/x?a=b"
        #expect(
            try Self.claims(#"{"?":{"no_universal_links":"*"},"exclude":true},{"/":"*"}"#, url) == .excluded(rule: 0))
        #expect(
            try Self.claims(#"{"?":{"no_universal_links":"?*"},"exclude":true},{"/":"*"}"#, url) == .claimed(rule: 1))
    }

    @Test func `a fragment's path is no path`() throws {
        let url = "https://example.com/#/market/lettings/49830?view=grid"
        #expect(try Self.claims(#"{"/":"/#/market/*"}"#, url) == .unclaimed)
        #expect(try Self.claims(##"{"#":"/market/*"}"##, url) == .claimed(rule: 0))
        // The question mark stands behind the number sign: it belongs to the fragment.
        #expect(try #require(LinkURL(url)).query == nil)
    }

    @Test func `an exclusion behind a rule with an item that may be absent is never reached`() throws {
        let claims = try AssociationFile.claims(
            component: #"{"/":"/skins/install","?":{"url":"*"}},{"/":"/skins/install","exclude":true}"#)
        #expect(claims.judge(try #require(LinkURL("https://example.com/skins/install"))) == .claimed(rule: 0))
        #expect(claims.rules[0].covers(claims.rules[1]))
    }

    @Test func `a trailing slash counts for routes, and a host alone is a path`() throws {
        #expect(try Self.captures("/search", "test://search") == [])
        #expect(try Self.captures("/search", "test://search/") == nil)
        #expect(try Self.captures("/search{/}?", "test://search/") == [])
        #expect(try Self.captures("/search{/}?", "test://search") == [])
    }

    @Test func `scheme and host compare without case, the path with it`() throws {
        #expect(try Self.captures("/start/:id", "myApp://START/x") == ["x"])
        #expect(try Self.captures("/start/list", "MYAPP://start/List") == nil)
        #expect(try Self.captures("/:token", "myapp://MixedCase") == ["MixedCase"])
    }

    @Test func `nothing is decoded twice`() throws {
        let url = "myapp://products/facet/discountBands/up%20to%2050%25%20discount"
        #expect(try Self.captures("/products/facet/:facet/:value", url) == ["discountBands", "up to 50% discount"])
        #expect(try Self.captures("/a/:value", "https://example.com/a/%2525") == ["%25"])
    }

    @Test func `bytes that are no UTF-8 stay percent-encoded`() throws {
        #expect(try Self.captures("/token/:token", "https://example.com/token/%f5%cd%91%00") == ["%f5%cd%91%00"])
    }

    @Test func `an encoded slash is no separator, and is decoded after the split`() throws {
        #expect(try Self.captures("/movie/:name", "https://example.com/movie/Face%2FOff") == ["Face/Off"])
        #expect(try Self.captures("/:a/:b/:c", "https://example.com/movie/Face%2FOff") == nil)
    }

    @Test func `a URL within a URL is one segment when it is encoded`() throws {
        let url = "https://example.com/open/https%3A%2F%2Fa.example%2Fb%3Fc%3Dd"
        #expect(try Self.captures("/open/:url", url) == ["https://a.example/b?c=d"])
        #expect(
            try #require(LinkURL("https://example.com/?u=https%3A%2F%2Fa%3Fb%3Dc&d=e")).firstQueryValue(named: "u")
                == "https://a?b=c")
    }

    @Test func `a plus sign stays one`() throws {
        #expect(try Self.captures("/q/:text", "https://example.com/q/a+b") == ["a+b"])
        #expect(try #require(LinkURL("https://example.com/?q=a+b")).firstQueryValue(named: "q") == "a+b")
    }

    @Test func `routes that differ by the query alone are told apart`() throws {
        let scene = try Scene(
            """
            links:
              domains: {example.com: all}
              routes:
                - {path: /index.php, query: {page: share, type: type1, id: $id}, command: one, arguments: {id: $id}}
                - {path: /index.php, query: {page: share, type: type2, id: $id}, command: two, arguments: {id: $id}}
            """)
        let url = "https://example.com/index.php?page=share&type=type2&id=9"
        let answer = try scene.answer(#"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"\#(url)"}"#)
        #expect(answer.contains(#""arguments":{"id":"9"},"command":"two""#))
    }

    @Test func `every URL of the root is taken by a wildcard`() throws {
        for url in ["https://example.com", "https://example.com/", "https://example.com/?a", "https://example.com/#a"] {
            #expect(try Self.captures("/", url) == [])
            #expect(try Self.claims(#"{"/":"*"}"#, url) == .claimed(rule: 0))
        }
    }
}
