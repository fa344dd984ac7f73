internal import Foundation
internal import PersistentStore

/// A form of text that is the same for all texts which are equal under any folding.
///
/// Foundation's foldings do not refine one another: with the case folded, a Greek iota subscript becomes a letter, and
/// with diacritics folded it goes. This form has no case, no marks, no invisible characters and no iotas.
enum CoarseText {
    private static let folding = TextFolding(case: true, diacritics: true)
    private static let iota: Unicode.Scalar = "\u{3b9}"

    static func form(_ text: String) -> String {
        let folded = folding.fold(text)
        if folded.utf8.allSatisfy({ $0 < 0x80 }) { return folded }
        return stripped(stripped(folded).uppercased().lowercased())
    }

    private static func stripped(_ text: String) -> String {
        var form = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where scalar != iota {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .format: continue
            default: form.append(scalar)
            }
        }
        return String(form)
    }
}
