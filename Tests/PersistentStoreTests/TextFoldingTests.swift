import Foundation
import Testing

@testable import PersistentStore

struct TextFoldingTests {
    static let both = TextFolding(case: true, diacritics: true)

    @Test(arguments: [
        ("Amélie", "AMELIE"), ("Ame\u{301}lie", "amélie"), ("ß", "SS"), ("İstanbul", "istanbul"), ("ﬁn", "fin"),
        ("ё", "Е"), ("Σίσυφος", "ΣΙΣΥΦΟΣ"), ("Å", "a"), ("ΆΛΦΑ", "αλφα"),
    ])
    func `texts that NSString compares as the same fold to the same`(left: String, right: String) {
        #expect(Self.both.fold(left) == Self.both.fold(right))
        let order = left.compare(right, options: [.caseInsensitive, .diacriticInsensitive])
        #expect(order == ComparisonResult.orderedSame)
    }

    @Test(arguments: [("Ø", "o"), ("Ł", "l"), ("Æ", "ae"), ("が", "か"), ("Ａ", "a"), ("한", "하")])
    func `texts that NSString tells apart stay apart`(left: String, right: String) {
        #expect(Self.both.fold(left) != Self.both.fold(right))
    }

    @Test func `without options only canonical equivalence holds`() {
        let plain = TextFolding()
        #expect(plain.fold("e\u{301}") == plain.fold("é"))
        #expect(plain.fold("É") != plain.fold("é"))
        #expect(TextFolding(case: true).fold("É") == "é")
        #expect(TextFolding(case: true).fold("É") != TextFolding(case: true).fold("E"))
        #expect(TextFolding(diacritics: true).fold("É") == "E")
    }

    @Test func `the table agrees with Foundation on every covered character, alone and with a mark`() {
        for folding in [TextFolding(case: true), TextFolding(diacritics: true), Self.both] {
            for value in UInt32(0)..<0x600 {
                guard let scalar = Unicode.Scalar(value) else { continue }
                for text in ["\(scalar)", "a\(scalar)b", "É\(scalar)", "\(scalar)\u{301}\u{327}", "\(scalar)\u{345}"] {
                    #expect(
                        folding.fold(text) == folding.foldByFoundation(text), "U+\(String(value, radix: 16)) \(folding)"
                    )
                }
            }
        }
    }

    @Test func `the table agrees with Foundation on random mixed text`() {
        var random = SystemRandomNumberGenerator()
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xC0...0x24F, 0x300...0x36F, 0x370...0x3FF, 0x400...0x52F, 0x3040...0x30FF,
        ]
        for folding in [TextFolding(case: true), TextFolding(diacritics: true), Self.both] {
            for _ in 0..<4_000 {
                var text = ""
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
                    if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                        text.unicodeScalars.append(scalar)
                    }
                }
                #expect(folding.fold(text) == folding.foldByFoundation(text), "\(text.unicodeScalars.map(\.value))")
            }
        }
    }
}
