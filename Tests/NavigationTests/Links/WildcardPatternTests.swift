import SeededRandom
import Testing

@testable import Navigation

struct WildcardPatternTests {
    /// The plainest matcher there is: it tries everything.
    private static func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*": return matches(rest, text) || !text.isEmpty && matches(pattern, text.dropFirst())
        case "?": return !text.isEmpty && matches(rest, text.dropFirst())
        default: return text.first == first && matches(rest, text.dropFirst())
        }
    }

    private static func matches(_ pattern: WildcardPattern, _ text: String) -> Bool {
        pattern.matches(text.utf8Span.span, [])
    }

    private static func pattern(_ text: String) -> WildcardPattern {
        var compiler = PatternCompiler([:])
        return compiler.pattern(text, caseSensitive: true)
    }

    @Test func `patterns match as the plainest matcher does`() {
        var generator = SeededGenerator(seed: 7)
        func text(_ characters: [Character], _ count: Int) -> String {
            String((0..<count).map { _ in characters.randomElement(using: &generator) ?? "a" })
        }
        var matched = 0
        for _ in 0..<20_000 {
            let pattern = text(["a", "b", "é", "*", "?", "*"], Int.random(in: 0..<8, using: &generator))
            let sample = text(["a", "b", "é"], Int.random(in: 0..<8, using: &generator))
            let expected = Self.matches(Array(pattern)[...], Array(sample)[...])
            #expect(Self.matches(Self.pattern(pattern), sample) == expected, "\(pattern) and \(sample)")
            if expected { matched += 1 }
        }
        #expect(matched > 1_000)
    }

    @Test func `a pattern that covers another one matches what it matches`() {
        var generator = SeededGenerator(seed: 9)
        func text(_ characters: [Character], _ count: Int) -> String {
            String((0..<count).map { _ in characters.randomElement(using: &generator) ?? "a" })
        }
        var covering = 0
        for _ in 0..<5_000 {
            let wide = Self.pattern(text(["a", "b", "*", "?"], Int.random(in: 0..<5, using: &generator)))
            let narrow = Self.pattern(text(["a", "b", "*", "?"], Int.random(in: 0..<5, using: &generator)))
            guard wide.covers(narrow) else { continue }
            covering += 1
            for _ in 0..<20 {
                let sample = text(["a", "b"], Int.random(in: 0..<7, using: &generator))
                if Self.matches(narrow, sample) { #expect(Self.matches(wide, sample)) }
            }
        }
        #expect(covering > 100)
    }

    @Test(arguments: [
        String(repeating: "*a", count: 2_000) + "b", String(repeating: "?*", count: 2_000) + "b",
        "*" + String(repeating: "a", count: 4_000) + "b*", String(repeating: "*$(v)", count: 300) + "b",
        String(repeating: "$(v)", count: 300) + "b", String(repeating: "*$(lang)", count: 300) + "b",
    ])
    func `a hostile pattern takes bounded time`(pattern: String) throws {
        let json = #"""
            {"applinks":{"substitutionVariables":{"v":["*a","a*","a","aa","?","**a*"]},
             "details":[{"appID":"A.app","components":[{"/":"\#(pattern)"}]}]}}
            """#
        let claims = try AssociationFile.read(json).claims(of: "A.app")
        let url = try #require(LinkURL("https://example.com/" + String(repeating: "a", count: 1_000)))
        let duration = ContinuousClock().measure { #expect(claims.judge(url) == .unclaimed) }
        #expect(duration < .seconds(20) * slowness)
    }
}
