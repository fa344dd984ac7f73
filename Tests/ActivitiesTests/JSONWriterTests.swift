import Testing

@testable import Activities

struct JSONWriterTests {
    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `commas stand between members and elements and nowhere else`() {
        let text = Self.text { writer in
            writer.beginObject()
            writer.key("a" as String)
            writer.beginArray()
            writer.integer(1)
            writer.beginObject()
            writer.endObject()
            writer.null()
            writer.endArray()
            writer.key("b" as StaticString)
            writer.boolean(true)
            writer.key("c" as String)
            writer.raw(Array("[]".utf8))
            writer.endObject()
        }
        #expect(text == #"{"a":[1,{},null],"b":true,"c":[]}"#)
    }

    @Test func `a writer grows with what is written and keeps its room`() {
        var writer = JSONWriter(capacity: 1)
        for length in [0, 1, 7, 8, 9, 1000] {
            writer.removeAll()
            writer.string(String(repeating: "é", count: length))
            #expect(writer.bytes == Array("\"\(String(repeating: "é", count: length))\"".utf8))
            #expect(writer.count == writer.bytes.count)
        }
        var bytes = Array("a".utf8)
        writer.removeAll()
        writer.boolean(true)
        writer.append(to: &bytes)
        #expect(bytes == Array("atrue".utf8))
    }

    @Test(arguments: 0..<20)
    func `a character is escaped wherever it stands`(place: Int) {
        for (character, escaped) in [("\"", #"\""#), ("\\", #"\\"#), ("\u{1F}", #"\u001f"#)] {
            let (before, behind) = (String(repeating: "x", count: place), String(repeating: "é", count: 19 - place))
            #expect(Self.text { $0.string(before + character + behind) } == "\"\(before + escaped + behind)\"")
        }
    }

    @Test(arguments: [
        (2.0, "2"), (-0.0, "0"), (0.5, "0.5"), (1e15, "1000000000000000"), (0x1p53, "9007199254740992"),
        (1e17, "1e+17"), (1e300, "1e+300"), (-1e-7, "-1e-07"), (0.1, "0.1"),
        (123_456_789_012_345, "123456789012345"), (.nan, "null"), (.infinity, "null"),
        (.leastNonzeroMagnitude, "5e-324"),
    ])
    func `numbers are written shortest`(number: Double, text: String) {
        #expect(Self.text { $0.number(number) } == text)
    }

    @Test(arguments: [
        ("a\"b\\c", #""a\"b\\c""#), ("\u{0}\u{1F}\n\r\t\u{8}\u{c}", #""\u0000\u001f\n\r\t\b\f""#), ("é/😀", #""é/😀""#),
        ("\u{7F}\u{2028}", "\"\u{7F}\u{2028}\""), ("", "\"\""),
    ])
    func `only what must be escaped is escaped`(text: String, json: String) {
        #expect(Self.text { $0.string(text) } == json)
    }

    @Test func `integers of every size keep their digits`() {
        #expect(Self.text { $0.integer(Int64.min) } == "-9223372036854775808")
        #expect(Self.text { $0.unsigned(.max) } == "18446744073709551615")
        #expect(Self.text { $0.integer(0) } == "0")
    }

    @Test func `a parsed value is written compact, sorted by code points, each key once`() throws {
        let source =
            #"{ "b" : [1.0, 2.50, -0, 18446744073709551615], "a": {"z": null, "é": "é", "e\u0301": 1, "z": false}, "B": "\u0041" }"#
        let value = try JSONParser().parse(Array(source.utf8).span, depthMax: 8)
        let text = Self.text { value.write(to: &$0) }
        #expect(
            text == "{\"B\":\"A\",\"a\":{\"e\u{301}\":1,\"z\":false,\"é\":\"é\"},\"b\":[1,2.5,0,18446744073709551615]}")
    }
}
