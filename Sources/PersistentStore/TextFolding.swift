import Foundation

/// How text is folded before it is compared, as the options of NSString's `compare` do.
///
/// Two texts are equal under the options exactly when their folded forms are equal as Swift strings, that is, under
/// canonical equivalence. `fold` of a folded text is that text.
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
        var options: String.CompareOptions = []
        if foldsCase { options.insert(.caseInsensitive) }
        if foldsDiacritics { options.insert(.diacriticInsensitive) }
        return text.folding(options: options, locale: nil)
    }
}
