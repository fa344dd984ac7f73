import Foundation

/// How text is folded before it is compared, as the options of NSString's `compare` do.
///
/// Two texts are equal under the options when their folded forms are equal as Swift strings, that is, under canonical
/// equivalence. Folding is Foundation's `folding(options:locale:)` without a locale; plain Latin, Greek and Cyrillic
/// text takes a table made from it, which costs nanoseconds a character where Foundation costs microseconds a text.
public struct TextFolding: Hashable, Sendable {
    /// Whether case is folded (`[c]`).
    public let foldsCase: Bool
    /// Whether diacritics are folded (`[d]`).
    public let foldsDiacritics: Bool

    /// Makes a folding; with neither option text is only compared under canonical equivalence.
    public init(case foldsCase: Bool = false, diacritics foldsDiacritics: Bool = false) {
        self.foldsCase = foldsCase
        self.foldsDiacritics = foldsDiacritics
    }

    /// The folded form of a text.
    public func fold(_ text: String) -> String {
        guard foldsCase || foldsDiacritics else { return text }
        return foldPlain(text) ?? foldByFoundation(text)
    }

    /// The folded form by Foundation alone: the rule that the table must agree with.
    func foldByFoundation(_ text: String) -> String {
        var options: String.CompareOptions = []
        if foldsCase { options.insert(.caseInsensitive) }
        if foldsDiacritics { options.insert(.diacriticInsensitive) }
        return text.folding(options: options, locale: nil)
    }

    /// The folded form by the table; nil for text that the table does not cover.
    private func foldPlain(_ text: String) -> String? {
        var text = text
        let isASCII = text.withUTF8 { bytes in unsafe bytes.allSatisfy { $0 < 0x80 } }
        if isASCII {
            let isFolded = text.withUTF8 { bytes in unsafe !foldsCase || !bytes.contains { (0x41...0x5A).contains($0) }
            }
            return isFolded ? text : text.lowercased()
        }
        let table = foldsCase ? (foldsDiacritics ? FoldingTable.both : .case) : .diacritics
        var folded = ""
        folded.reserveCapacity(text.utf8.count)
        var hasBase = false
        for scalar in text.unicodeScalars {
            switch table.entry(for: scalar) {
            case .text(let replacement):
                folded.append(contentsOf: replacement)
                hasBase = true
            case .droppedMark where hasBase: continue
            case .droppedMark, .notCovered: return nil
            }
        }
        return folded
    }
}

/// What becomes of each character from U+0000 to U+050F, which are Latin, Greek, Cyrillic and combining marks.
private struct FoldingTable: Sendable {
    enum Entry {
        /// A character and what it folds to.
        case text(String)
        /// A combining mark that goes when diacritics are folded, if it follows a character.
        case droppedMark
        /// Only Foundation knows.
        case notCovered
    }

    /// Where Foundation stops dropping diacritics of the characters before.
    private static let end: UInt32 = 0x510
    /// Combining marks after which the rules depend on more than one character.
    private static let marks: [ClosedRange<UInt32>] = [0x300...0x36F, 0x483...0x489]

    static let `case` = FoldingTable(TextFolding(case: true))
    static let diacritics = FoldingTable(TextFolding(diacritics: true))
    static let both = FoldingTable(TextFolding(case: true, diacritics: true))

    private let entries: [Entry]

    /// A character that folding leaves alone, for private use and in no table.
    private static let separator: Unicode.Scalar = "\u{E000}"

    private init(_ folding: TextFolding) {
        let scalars = (1..<Self.end).compactMap(Unicode.Scalar.init).filter { !Self.isMark($0.value) }
        // A call of Foundation takes long, and hardly longer for many characters.
        let text = scalars.map { String($0) }.joined(separator: String(Self.separator))
        let folded = folding.foldByFoundation(text).unicodeScalars
            .split(separator: Self.separator, omittingEmptySubsequences: false)
        precondition(folded.count == scalars.count, "folding has changed what separates the characters")
        var entries = (0..<Self.end).map { value -> Entry in
            folding.foldsDiacritics && Self.marks[0].contains(value) && value != 0x345 ? .droppedMark : .notCovered
        }
        for (scalar, folded) in zip(scalars, folded) where folded.allSatisfy({ $0.value < Self.end }) {
            entries[Int(scalar.value)] = .text(String(folded))
        }
        self.entries = entries
    }

    private static func isMark(_ value: UInt32) -> Bool { marks.contains { $0.contains(value) } }

    func entry(for scalar: Unicode.Scalar) -> Entry {
        scalar.value < Self.end ? entries[Int(scalar.value)] : .notCovered
    }
}
