import Testing

@testable import Activities

struct ActivityDecoderTests {
    static func decode(_ text: String) throws -> Activity { try decode(Array(text.utf8)) }

    static func decode(_ bytes: [UInt8]) throws -> Activity {
        let decoder = ActivityDecoder()
        return try decoder.decode(bytes.span)
    }

    @Test func `types are told apart however many a decoder has seen`() throws {
        let decoder = ActivityDecoder()
        let types =
            (0..<200).map { "com.example.type\($0)" } + ["é", "e\u{301}", String(repeating: "t", count: 1000)]
        for type in types + types.reversed() {
            let body = Array(#"{"activityType":"\#(type)"}"#.utf8)
            #expect(try decoder.decode(body.span).activityType.utf8.elementsEqual(type.utf8))
        }
    }

    @Test func `errors say what may be null, and end in one point`() {
        func text(_ body: String) -> String? {
            #expect(throws: ActivityError.self) { try Self.decode(body) }?.description
        }
        #expect(text(#"{"activityType":7}"#) == "The property activityType must be a string; it is a number.")
        #expect(
            text(#"{"activityType":"a","title":7}"#) == "The property title must be a string or null; it is a number.")
        for body in ["open sesame", "", "[1,", #"{"a":tru}"#, #"{"a":"}"#, "{\"a\":\"\u{1}\"}"] {
            #expect(text(body)?.hasSuffix("..") == false)
        }
    }

    @Test func `every property is read`() throws {
        let activity = try Self.decode(
            """
            {"activityType":"com.example.a","title":"T","userInfo":{"k":1},"webpageURL":"HTTPS://example.com/x",
             "referrerURL":"http://r.example","persistentIdentifier":"p","targetContentIdentifier":"t",
             "contentAttributeSet":{"relatedUniqueIdentifier":"r","other":[]},"isClassKitDeepLink":true,
             "contextIdentifierPath":["a","b"],"appID":"A","url":"app://x","unknown":{"x":[1,2,{}]}}
            """)
        #expect(activity.activityType == "com.example.a")
        #expect(activity.title == "T")
        #expect(activity.userInfo?["k"]?.integer == 1)
        #expect(activity.usableWebpageURL == "HTTPS://example.com/x")
        #expect(activity.referrerURL == "http://r.example")
        #expect(activity.persistentIdentifier == "p")
        #expect(activity.targetContentIdentifier == "t")
        #expect(activity.relatedUniqueIdentifier == "r")
        #expect(activity.isClassKitDeepLink)
        #expect(activity.contextIdentifierPath == ["a", "b"])
        #expect((activity.appID, activity.url) == ("A", "app://x"))
    }

    @Test func `absent and null properties are the same`() throws {
        let activity = try Self.decode(
            #"{"activityType":"a","title":null,"userInfo":null,"webpageURL":null,"contentAttributeSet":null,"isClassKitDeepLink":null,"contextIdentifierPath":null}"#
        )
        #expect(activity.title == nil)
        #expect(activity.userInfo == nil)
        #expect(activity.relatedUniqueIdentifier == nil)
        #expect(!activity.isClassKitDeepLink)
        #expect(activity.contextIdentifierPath == nil)
    }

    @Test(arguments: [
        ("{}", "activityType"), (#"{"activityType":null}"#, "activityType"), (#"{"activityType":""}"#, "activityType"),
        (#"{"activityType":1}"#, "activityType"), (#"{"activityType":"a","title":1}"#, "title"),
        (#"{"activityType":"a","userInfo":[]}"#, "userInfo"), (#"{"activityType":"a","webpageURL":{}}"#, "webpageURL"),
        (#"{"activityType":"a","referrerURL":true}"#, "referrerURL"),
        (#"{"activityType":"a","persistentIdentifier":1.5}"#, "persistentIdentifier"),
        (#"{"activityType":"a","targetContentIdentifier":[]}"#, "targetContentIdentifier"),
        (#"{"activityType":"a","contentAttributeSet":"x"}"#, "contentAttributeSet"),
        (
            #"{"activityType":"a","contentAttributeSet":{"relatedUniqueIdentifier":7}}"#,
            "contentAttributeSet.relatedUniqueIdentifier"
        ),
        (#"{"activityType":"a","isClassKitDeepLink":"yes"}"#, "isClassKitDeepLink"),
        (#"{"activityType":"a","contextIdentifierPath":"x"}"#, "contextIdentifierPath"),
        (#"{"activityType":"a","contextIdentifierPath":["x",null]}"#, "contextIdentifierPath[1]"),
        (#"{"activityType":"a","appID":1}"#, "appID"), (#"{"activityType":"a","url":1}"#, "url"),
    ])
    func `a wrong shape is an error that names the property`(text: String, property: String) throws {
        let error = try #require(throws: ActivityError.self) { try Self.decode(text) }
        #expect(error.property == property)
        #expect(error.description.contains(property))
    }

    @Test(arguments: [
        "", " ", "null", "[]", "1", #""text""#, "{", #"{"activityType":"a"} x"#,
        #"{"activityType":"a"}{"activityType":"a"}"#,
        #"{"activityType":"a",}"#, #"{"activityType":"a","x":NaN}"#, #"{"activityType":"a","x":Infinity}"#,
        #"{"activityType":"a","x":1e999}"#, #"{"activityType":"a","x":-1e999}"#, #"{"activityType":"a","x":01}"#,
        #"{"activityType":"a","x":18446744073709551616}"#, #"{"activityType":"a","x":-9223372036854775809}"#,
        #"{"activityType":"\ud800"}"#, #"{"activityType":"\udc00"}"#, #"{"activityType":"\ud800\u0041"}"#,
        #"{"activityType":"a","title":"\udc00x"}"#, #"{"activityType":"a","x":"\ud800"}"#,
        #"{"activityType":"a","\udc00":1}"#,
        "{\"activityType\":\"a\u{1}\"}", "\u{FEFF}{\"activityType\":\"a\"}", "{'activityType':'a'}",
        #"{"activityType":"a"}/**/"#,
        #"{"activityType":"\x41"}"#, "{\"activityType\":\"a\"}\u{0}",
    ])
    func `what is not exactly one JSON object is refused`(text: String) {
        #expect(throws: ActivityError.self) { try Self.decode(text) }
    }

    @Test(
        arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func `bytes that are not UTF-8 are refused wherever they stand`(bytes: [UInt8]) {
        for (before, after) in [(#"{"activityType":"a"#, #""}"#), (#"{"activityType":"a","x":""#, #""}"#)] {
            #expect(throws: ActivityError.self) { try Self.decode(Array(before.utf8) + bytes + Array(after.utf8)) }
        }
    }

    @Test func `white space around, every number form and the limits of whole numbers are taken`() throws {
        let activity = try Self.decode(
            "\r\n\t {\"activityType\":\"a\",\"userInfo\":{\"n\":-9223372036854775808,\"u\":18446744073709551615,\"d\":-0.5e-3,\"z\":-0}} \n"
        )
        #expect(activity.userInfo?["n"]?.integer == .min)
        #expect(activity.userInfo?["u"]?.double == 18_446_744_073_709_551_616)
        #expect(activity.userInfo?["d"]?.double == -0.0005)
        #expect(activity.userInfo?["z"]?.double == 0)
    }

    @Test func `of duplicate keys the last counts, at every level`() throws {
        let activity = try Self.decode(
            #"{"activityType":1,"activityType":"a","title":"x","title":null,"userInfo":{"k":1,"k":2}}"#)
        #expect(activity.activityType == "a")
        #expect(activity.title == nil)
        #expect(activity.userInfo?["k"]?.integer == 2)
    }

    @Test func `containers nest 64 deep, the body being the first, and no deeper`() throws {
        func body(depth: Int) -> String {
            #"{"activityType":"a","x":"# + String(repeating: "[", count: depth - 1) + "1"
                + String(repeating: "]", count: depth - 1) + "}"
        }
        #expect(try Self.decode(body(depth: 64)).activityType == "a")
        #expect(throws: ActivityError.self) { try Self.decode(body(depth: 65)) }
        #expect(throws: ActivityError.self) { try Self.decode(body(depth: 100_000)) }
    }

    @Test func `every shorter prefix of a body is refused`() {
        let body = Array(#"{"activityType":"com.apple.corespotlightitem","userInfo":{"k":[1,2.5,"é\u00e9"]}}"#.utf8)
        for length in 0..<body.count {
            #expect(throws: ActivityError.self) { try Self.decode(Array(body.prefix(length))) }
        }
    }

    @Test func `a changed byte never crashes`() {
        let body = Array(
            #"{"activityType":"com.apple","title":null,"userInfo":{"k":[1,-2.5e3,"é\u00e9\ud83d\ude00"]}}"#.utf8)
        let decoder = ActivityDecoder()
        var accepted = 0
        for index in body.indices {
            for bit in 0..<8 {
                var changed = body
                changed[index] ^= 1 << bit
                if let activity = try? decoder.decode(changed.span) {
                    accepted += activity.activityType.isEmpty ? 0 : 1
                }
            }
        }
        #expect(accepted > 0)
    }
}

struct ClassificationTests {
    @Test(arguments: [
        (
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"x"}}"#,
            "x"
        ),
        (#"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":""}}"#, ""),
    ])
    func `the type and a string identifier make a search result`(text: String, identifier: String) throws {
        #expect(try ActivityDecoderTests.decode(text).classification == .searchResult(identifier: identifier))
    }

    @Test(arguments: [
        #"{"activityType":"com.apple.corespotlightitem"}"#,
        #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":1}}"#,
        #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":null}}"#,
        #"{"activityType":"COM.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"x"}}"#,
        #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchableItemActivityIdentifier":"x"}}"#,
    ])
    func `anything else is a user activity`(text: String) throws {
        #expect(try ActivityDecoderTests.decode(text).classification == .userActivity)
    }

    @Test(arguments: [
        "ftp://x", "http:", "http://", "https:///x", "x", "", "http:x", "httpss://x", "http://?q", " http://x",
    ])
    func `only http and https URLs with a host are usable`(url: String) throws {
        #expect(
            try ActivityDecoderTests.decode(#"{"activityType":"a","webpageURL":"\#(url)"}"#).usableWebpageURL == nil)
    }
}
