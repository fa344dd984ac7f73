import SeededRandom
import Testing

@testable import Navigation

struct LinkURLTests {
    private static func parts(_ text: String) -> String? { LinkURL(text)?.description }

    @Test(arguments: [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.com/A", "https://example.com/A"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:0443/", "https://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com:/", "https://example.com/"),
        ("https://user:secret@example.com/", "https://example.com/"),
        ("https://a@b@example.com/", "https://example.com/"),
        ("https://@example.com/", "https://example.com/"),
        ("https://example.com./", "https://example.com/"),
        ("https:example.com/a", "https://example.com/a"),
        ("https:////example.com/a", "https://example.com/a"),
        ("https:\\\\example.com\\a\\b", "https://example.com/a/b"),
        ("  https://example.com/a \n", "https://example.com/a"),
        ("ht\ntps://exa\tmple.com/a\r\nb", "https://example.com/ab"),
        ("https://example.com?q", "https://example.com/?q"),
        ("https://example.com#f", "https://example.com/#f"),
    ])
    func `what stands before the path is brought into its usual form`(text: String, form: String) {
        #expect(Self.parts(text) == form)
    }

    @Test(arguments: [
        ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/../../b", "/b"), ("/a/b/..", "/a/"), ("/a/b/.", "/a/b/"),
        ("/a/%2e/b", "/a/b"), ("/a/%2E%2e/b", "/b"), ("/a/.%2e/b", "/b"), ("/a/.../b", "/a/.../b"),
        ("/a//b", "/a//b"), ("//a/..//b", "///b"), ("/a b", "/a%20b"), ("/é", "/%C3%A9"), ("/%c3%a9", "/%c3%a9"),
        ("/%zz%", "/%zz%"), ("/\"<>`{}^", "/%22%3C%3E%60%7B%7D%5E"), ("/|[]'~!$&()*+,;=:@", "/|[]'~!$&()*+,;=:@"),
        ("/\u{7F}\u{1}x", "/%7F%01x"), ("/a\\b", "/a/b"), ("/%2F%5C", "/%2F%5C"), ("/😀", "/%F0%9F%98%80"),
    ])
    func `a path is resolved and percent-encoded`(path: String, form: String) {
        #expect(Self.parts("https://example.com" + path) == "https://example.com" + form)
    }

    @Test(arguments: [
        ("?a b'\"<>`{}|^\\", "?a%20b%27%22%3C%3E`{}|^\\"), ("?é=%C3%a9", "?%C3%A9=%C3%a9"), ("?a?b", "?a?b"),
        ("?a#b?c", "?a#b?c"), ("#a b\"<>`{}'^#", "#a%20b%22%3C%3E%60{}'^#"), ("?", "?"), ("#", "#"), ("?#", "?#"),
    ])
    func `queries and fragments are percent-encoded`(end: String, form: String) {
        #expect(Self.parts("https://example.com/" + end) == "https://example.com/" + form)
    }

    @Test(arguments: [
        ("MÜNCHEN.de", "xn--mnchen-3ya.de"), ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de"),
        ("XN--MNCHEN-3YA.de", "xn--mnchen-3ya.de"), ("m%C3%BCnchen.de", "xn--mnchen-3ya.de"),
        ("mu\u{308}nchen.de", "xn--mnchen-3ya.de"), ("faß.de", "xn--fa-hia.de"), ("日本語。jp", "xn--wgv71a119e.jp"),
        ("ｅｘａｍｐｌｅ.com", "example.com"), ("e\u{AD}xample.com", "example.com"), ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
        ("127.0.0.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0177.0.0.01", "127.0.0.1"),
        ("[::1]", "[::1]"), ("[2001:DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"), ("[::ffff:1.2.3.4]", "[::ffff:102:304]"),
        ("[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]"), ("a_b.example", "a_b.example"), ("%65xample.com", "example.com"),
        ("☃.example", "xn--n3h.example"), ("xn--n3h.example", "xn--n3h.example"), ("i❤️.ws", "xn--i-7iq.ws"),
        ("💩.la", "xn--ls8h.la"),
        ("MÜNCHEN☃。Ü", "xn--mnchen-3ya1596e.xn--tda"),
    ])
    func `a host has its ASCII form`(host: String, form: String) throws {
        let url = try #require(LinkURL("https://\(host)/"))
        #expect(url.text(of: url.host) == form)
    }

    @Test(arguments: [
        "", "example.com", "//example.com", "https://", "https:///", "https://./", "https://a../", "https://@/",
        "https://:80/", "1http://a/",
        "https://a:b/", "https://a:65536/", "https://a b/", "https://a<b/", "https://a%00b/", "https://%/",
        "https://[::1/", "https://[::1]x/", "https://[1::2::3]/", "https://[:1]/", "https://[12345::]/",
        "https://[1:2:3:4:5:6:7]/", "https://[::1.2.3]/", "https://[::01.2.3.4]/", "https://256.1.1.1/",
        "https://1.2.3.4.5/",
        "https://xn--/", "https://xn--a/", "https://a^b/", "https://é%00.com/", "ä://b", "app://a b/", "app://a:x/",
        "app://@/", "app://:1/",
    ])
    func `what is no URL is none`(text: String) {
        #expect(LinkURL(text) == nil)
    }

    @Test(arguments: [
        ("familymovies://movie/Alien", "/movie/Alien"), ("FamilyMovies://Movie/Alien", "/Movie/Alien"),
        ("app:///movie/Alien", "/movie/Alien"), ("app:/movie/Alien", "/movie/Alien"), ("app://movie", "/movie"),
        ("app://movie/", "/movie/"), ("app://user@movie:80/a", "/movie/a"), ("app://movie/../a", "/movie/a"),
        ("app://caf%C3%A9/x y", "/caf%C3%A9/x%20y"), ("app://café/x", "/caf%C3%A9/x"), ("app:movie/x", "movie/x"),
        ("app://a\\b", nil), ("app://", ""),
    ])
    func `the host of a custom scheme begins the path of routes`(text: String, path: String?) {
        #expect(LinkURL(text).map { String(decoding: $0.routedPath, as: UTF8.self) } == path)
    }

    @Test(arguments: [
        ("a=1&b=2", "b", "2"), ("a=1&a=2", "a", "1"), ("a", "a", ""), ("a=", "a", ""), ("a=b=c", "a", "b=c"),
        ("a=1+2%203", "a", "1+2 3"), ("%61=1", "a", "1"), ("a=%2541", "a", "%41"), ("a=%f5", "a", "%f5"),
        ("a=%C3%A9", "a", "é"), ("&&a=1&", "a", "1"), ("=x", "", "x"), ("A=1", "a", nil), ("b=1", "a", nil),
        ("", "a", nil),
    ])
    func `the first query item of a name counts and is decoded once`(query: String, name: String, value: String?) throws
    {
        let url = try #require(LinkURL("https://example.com/?" + query))
        #expect(url.firstQueryValue(named: name) == value)
    }

    @Test func `a host without end takes bounded time`() {
        let host = String(repeating: "ü", count: 200_000)
        let duration = ContinuousClock().measure { #expect(LinkURL("https://\(host)/") == nil) }
        #expect(duration < .seconds(5))
    }

    @Test func `any text is read without a crash and what is read stays as it is`() {
        var generator = SeededGenerator(seed: 1)
        let atoms = [
            "http", "https", "app", ":", "/", "//", "\\", "example.com", "ü", "xn--", "%", "%2e", "%C3", "..", ".", "?",
            "#", "&", "=", "@", "[", "]", "::", "1", "0x", "\u{0}", "\t", " ", "😀", "^", "{", "|", "a", "Z", "-",
        ]
        var read = 0
        for _ in 0..<20_000 {
            var text =
                Bool.random(using: &generator)
                ? ["https://", "app://", "http:"].randomElement(using: &generator) ?? "" : ""
            for _ in 0..<Int.random(in: 0..<8, using: &generator) {
                text += atoms.randomElement(using: &generator) ?? ""
            }
            guard let url = LinkURL(text) else { continue }
            read += 1
            #expect(url.bytes.allSatisfy { (0x21...0x7E).contains($0) || $0 == 0x20 }, "\(text.debugDescription)")
            if url.scheme.isWeb {
                #expect(LinkURL(url.description)?.description == url.description, "\(text.debugDescription)")
            }
        }
        #expect(read > 1_000)
    }
}
