/// Literal text with captures, which matches a whole text: `Book an appointment with $hairdresser for $day`.
///
/// Texts are compared under canonical equivalence and with case. A capture takes at least one character, as few as
/// possible, and begins and ends between characters (graphemes). Matching takes time linear in the text. It is an object,
/// as rules are, so that handing it on costs one reference.
final class TextPattern: Sendable {
    /// The text as it is written in the configuration.
    let source: String
    /// The names of the captures, in order.
    let captures: [String]
    /// The literal text before, between and after the captures; one more than captures.
    let literals: [String]
    private let characters: [Literal<Character>]
    /// The same as bytes, where all is ASCII, so that ASCII texts need no graphemes.
    private let bytes: [Literal<UInt8>]?

    init(source: String, literals: [String], captures: [String]) {
        self.source = source
        self.literals = literals
        self.captures = captures
        self.characters = literals.map { Literal(Array($0)) }
        let isPlain = literals.allSatisfy { $0.utf8Span.span.isPlain }
        self.bytes = isPlain ? literals.map { Literal(Array($0.utf8)) } : nil
    }

    /// Whether the text matches; what is captured is appended to `captured`.
    func match(_ text: String, capturing captured: inout [String?]) -> Bool {
        guard !captures.isEmpty else { return text == literals[0] }
        if let bytes, text.utf8Span.span.isPlain {
            guard let ranges = Self.ranges(in: text.utf8Span.span, between: bytes) else { return false }
            let utf8 = text.utf8
            for range in ranges {
                let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
                captured.append(String(text[start..<utf8.index(start, offsetBy: range.count)]))
            }
        } else {
            let characters = Array(text)
            guard let ranges = Self.ranges(in: characters.span, between: self.characters) else { return false }
            for range in ranges { captured.append(String(characters[range])) }
        }
        return true
    }

    /// The ranges of the captures.
    ///
    /// Each literal in the middle is taken where it stands first: that makes every capture shortest and leaves the most
    /// room for the rest, so that there is never a reason to go back.
    private static func ranges<Element>(
        in text: Span<Element>, between literals: [Literal<Element>]
    ) -> [Range<Int>]? {
        guard literals[0].stands(in: text, at: 0) else { return nil }
        var ranges: [Range<Int>] = []
        var start = literals[0].count
        for literal in literals[1..<(literals.count - 1)] {
            guard let end = literal.first(in: text, from: start + 1) else { return nil }
            ranges.append(start..<end)
            start = end + literal.count
        }
        let last = literals[literals.count - 1]
        let end = text.count - last.count
        guard end > start, last.stands(in: text, at: end) else { return nil }
        ranges.append(start..<end)
        return ranges
    }
}

extension Span<UInt8> {
    /// Whether each byte is a grapheme: ASCII, and no carriage return, which would be one with a line feed.
    fileprivate var isPlain: Bool {
        for index in indices where self[index] >= 0x80 || self[index] == 0x0D { return false }
        return true
    }
}
