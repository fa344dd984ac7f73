import Foundation
import PersistentStore
import SeededRandom
import Testing

@testable import CatalogStore

/// The hash that leads to candidates: values that are equal under any folding have one hash.
struct MatchHashTests {
    private static let foldings = [
        TextFolding(), TextFolding(case: true), TextFolding(diacritics: true),
        TextFolding(case: true, diacritics: true),
    ]

    private func hash(_ text: String) -> Int64 { MatchHash.hash(.text(text)) }

    @Test func `text that is equal under any folding has one hash`() {
        var generator = SeededGenerator(seed: 2)
        let values =
            Array(1..<0x3100 as Range<UInt32>)
            + (0..<3000).map { _ in .random(in: 0x3100..<0x30000, using: &generator) }
        var wrong: [String] = []
        for scalar in values.compactMap(Unicode.Scalar.init) {
            // Alone, and where it may combine with what stands before.
            for text in [String(scalar), "a" + String(scalar)] {
                let expected = hash(text)
                for folding in Self.foldings where hash(folding.fold(text)) != expected {
                    wrong.append("U+" + String(scalar.value, radix: 16))
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20))")
    }

    @Test func `random text has one hash in all its equal forms`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<4_000 {
            let text = RandomText.text(using: &generator)
            let expected = hash(text)
            let forms = [text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping]
            for form in forms + Self.foldings.map({ $0.fold(text) }) {
                #expect(hash(form) == expected, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
            }
        }
    }

    @Test func `hashes are the same for ever`() {
        #expect(hash("Alien") == -1_051_916_808_781_099_919)
        #expect(MatchHash.hash(.integer(42)) == -8_616_908_213_079_509)
    }
}

/// Texts of characters that compare in uncommon ways.
enum RandomText {
    private static let characters: [String] = [
        "a", "A", "e", "E", "i", "I", "\u{130}", "\u{131}", "s", "\u{df}", "\u{1e9e}", "\u{17f}", "k", "\u{212a}",
        "\u{e9}",
        "e\u{301}", "\u{c5}", "\u{212b}", "\u{3c3}", "\u{3c2}", "\u{3a3}", "\u{fb01}", "\u{301}", "\u{323}", "\u{308}",
        "\u{1d16d}", "\u{ac00}", "\u{1100}\u{1161}", "\u{0e33}", "\u{200d}", "\u{fe0f}", " ", "1", "\u{661}",
        "\u{ff21}",
        "\u{1f600}", "\u{1fb3}", "\u{345}", "\u{626}", "\u{64a}\u{654}", "\u{9cb}", "\u{439}", "\u{418}\u{306}",
        "\u{391}",
    ]

    static func text(using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            characters[Int.random(in: 0..<characters.count, using: &generator)]
        }.joined()
    }
}
