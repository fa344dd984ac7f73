import SeededRandom
import Testing

@testable import Activities

/// The plain way of reading JSON and the general one, side by side.
struct PlainJSONTests {
    private static let depthMax = 6

    /// How the two judged a document; a difference between them is an issue.
    private enum Judgement: Hashable { case plain, other, wrong }

    private static func judge(_ bytes: [UInt8], _ parser: borrowing JSONParser) -> Judgement {
        let plain = parser.plain(bytes.span, depthMax: depthMax)
        let general = try? parser.parseAny(bytes.span, depthMax: depthMax)
        guard let plain else { return general == nil ? .wrong : .other }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let general else {
            Issue.record("taken though it is wrong: \(text)")
            return .plain
        }
        let value = JSONValue(document: plain, index: JSONDocument.root)
        #expect(isSame(value, general), "read differently: \(text)")
        return .plain
    }

    /// Whether two values are the same, duplicate members and their order included.
    private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
        guard one.kind == other.kind, one.boolean == other.boolean, one.integer == other.integer,
            one.double == other.double, one.string.map({ Array($0.utf8) }) == other.string.map({ Array($0.utf8) })
        else { return false }
        let (members, others) = (entries(one), entries(other))
        guard members.count == others.count, one.elements.count == other.elements.count else { return false }
        return zip(members, others).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && isSame($0.value, $1.value) }
            && zip(one.elements, other.elements).allSatisfy { isSame($0, $1) }
    }

    private static func entries(_ value: JSONValue) -> [(key: String, value: JSONValue)] {
        var entries: [(key: String, value: JSONValue)] = []
        value.document.forEachMember(ofValueAt: value.index) { key, member in
            entries.append(
                (value.document.text(at: key), JSONValue(document: value.document, index: member)))
        }
        return entries
    }

    @Test(arguments: 0..<20) func `whatever is read the plain way is read as it is in general`(seed: UInt64) {
        var documents = RandomJSON(seed: seed)
        let parser = JSONParser()
        var counts: [Judgement: Int] = [:]
        for _ in 0..<2_000 { counts[Self.judge(documents.next(), parser), default: 0] += 1 }
        for judgement in [Judgement.plain, .other, .wrong] { #expect(counts[judgement, default: 0] > 100) }
    }

    @Test(arguments: [
        "", " ", "\"", "\"a", "{\"a\":1", "{\"a\":1}x", "{\"a\":1,}", "{,}", "{a:1}", "{\"a\" 1}", "[1 2]", "[1,]",
        "[,1]",
        "01", "-", "-01", "1.", "1e", "+1", "tru", "truex", "nul", "[nan]", "\u{FEFF}1", "1\u{0}", "[\"\u{1}\"]",
        "[[[[[[[1]]]]]]]", "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}", "{}{}", "{\"a\":\"b}",
    ]) func `what is wrong is not plain`(text: String) {
        #expect(Self.judge(Array(text.utf8), JSONParser()) == .wrong)
    }

    @Test(arguments: [
        "0", "-0", "-7", "123456789012345678", "true", "false", "null", "\"\"", "[]", "{}", " {\r\n\t} ",
        "{\"a\":[1,{\"b\":null}],\"a\":\"é€😀\"}", "[[[[[[1]]]]]]", "\"12345678\"", "\"1234567\u{7F}\"",
    ]) func `what is plain is read`(text: String) {
        #expect(Self.judge(Array(text.utf8), JSONParser()) == .plain)
    }

    @Test(arguments: [
        "\"\\n\"", "\"\\u0000\"", "1.5", "1e3", "1234567890123456789", "18446744073709551615", "-0.0",
        "[\"\(String(repeating: "x", count: 5000))\"]",
    ]) func `what is neither is read in general`(text: String) {
        #expect(Self.judge(Array(text.utf8), JSONParser()) == .other)
    }

    @Test func `invalid UTF-8 is not plain`() {
        for bytes in [[0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xFF]]
            as [[UInt8]]
        {
            #expect(Self.judge([0x22] + bytes + [0x22], JSONParser()) == .wrong)
            #expect(Self.judge(Array("[\"abcdefg".utf8) + bytes + Array("h\"]".utf8), JSONParser()) == .wrong)
        }
    }

    @Test func `documents of one parser do not disturb one another`() throws {
        let parser = JSONParser()
        var kept: [(number: Int, value: JSONValue)] = []
        for number in 0..<5_000 {
            let padding = String(repeating: number % 3 == 0 ? "\\n" : "x", count: number % 700)
            let value = try parser.parse(Array("{\"n\":\(number),\"s\":\"\(padding)\"}".utf8).span, depthMax: 1)
            // Some are kept for long, and now and then all are let go.
            if number % 7 == 0 { kept.append((number, value)) }
            if number % 1_000 == 999 {
                for (number, value) in kept {
                    #expect(value["n"]?.integer == Int64(number))
                    #expect(value["s"]?.string?.unicodeScalars.count == number % 700)
                }
                kept = []
            }
        }
    }
}

/// Makes documents: most are plain, some are not, and some are damaged.
private struct RandomJSON {
    private var random: SeededGenerator
    private var text = ""

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> [UInt8] {
        text = ""
        value(depth: 0)
        var bytes = Array(text.utf8)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
        case 2:
            bytes.insert(pick(Array("\"\\{}[],: \n01-.etn".utf8)), at: Int.random(in: 0...bytes.count, using: &random))
        default: break
        }
        return bytes
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func value(depth: Int) {
        text += pick(["", "", "", " ", "\n\t"])
        switch Int.random(in: 0..<(depth > 6 ? 7 : 12), using: &random) {
        case 0: text += pick(["true", "false", "null"])
        case 1, 2: text += pick(["0", "7", "-12", "123456789012345678", "1234567890123456789", "1.5", "2e1"])
        case 3...6: string()
        case 7, 8: elements("[", "]") { $0.value(depth: depth + 1) }
        default:
            elements("{", "}") { documents in
                documents.string()
                documents.text += documents.pick([":", ":", " : "])
                documents.value(depth: depth + 1)
            }
        }
        text += pick(["", "", "", " ", "\r"])
    }

    private mutating func elements(_ opening: String, _ closing: String, _ element: (inout Self) -> Void) {
        text += opening
        for index in 0..<Int.random(in: 0..<4, using: &random) {
            if index > 0 { text += "," }
            element(&self)
        }
        text += closing
    }

    private mutating func string() {
        text += "\""
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            text += pick([
                "a", "key", "é", "€uro", "😀", "com.example.type", "\u{7F}", "x", "12345678", "\\n", "\\ud83d\\ude00",
            ])
        }
        text += "\""
    }
}
