internal import CIDN2
internal import Glibc

/// Domain names beyond ASCII, by libidn2 (UTS #46, non-transitional, as the WHATWG URL standard asks).
///
/// libidn2 holds names against IDNA 2008 as well, which has no symbols. Browsers and registries do have them
/// (`xn--n3h.example` is a snowman's), so that labels which it refuses for that alone are encoded here.
@safe
enum InternationalDomainName {
    /// The most bytes; what is longer is no name in ASCII either, and would take its time.
    private static let byteCountMax = 2_048

    /// The ASCII form of a name in UTF-8; nil for a name that has none.
    static func ascii(_ name: [UInt8]) -> [UInt8]? {
        guard name.count <= byteCountMax, let text = String(validating: name, as: UTF8.self) else { return nil }
        switch converted(text) {
        case .success(let name): return name
        case .failure(let refusal): if !refusal.isForCharacters { return nil }
        }
        var labels: [[UInt8]] = []
        for label in text.split(omittingEmptySubsequences: false, whereSeparator: { ".。．｡".contains($0) }) {
            guard let label = ascii(label: String(label)) else { return nil }
            labels.append(label)
        }
        return Array(labels.joined(separator: [UInt8(ascii: ".")]))
    }

    private static func ascii(label: String) -> [UInt8]? {
        let isPlain = label.utf8.allSatisfy { $0 < 0x80 }
        if isPlain, !label.utf8.starts(with: "xn--".utf8) { return Array(label.utf8) }
        switch converted(label) {
        case .success(let label): return label
        case .failure(let refusal):
            guard refusal.isForCharacters else { return nil }
            return isPlain ? Array(label.utf8) : symbols(label)
        }
    }

    /// A label with symbols, which are encoded as they are, without the selectors of their looks.
    private static func symbols(_ label: String) -> [UInt8]? {
        var scalars: [Unicode.Scalar] = []
        for scalar in label.lowercased().unicodeScalars where scalar != "\u{FE0E}" && scalar != "\u{FE0F}" {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                guard byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") else { return nil }
            }
            switch scalar.properties.generalCategory {
            case .otherSymbol, .modifierSymbol, .mathSymbol, .currencySymbol: scalars.append(scalar)
            case .lowercaseLetter, .otherLetter, .decimalNumber, .dashPunctuation: scalars.append(scalar)
            default: return nil
            }
        }
        return Punycode.encodedLabel(scalars)
    }

    private struct Refusal: Error {
        /// Whether the name has a character that IDNA 2008 does not have, and nothing else is known to be wrong.
        let isForCharacters: Bool
    }

    private static func converted(_ name: String) -> Result<[UInt8], Refusal> {
        guard !name.utf8.contains(0) else { return .failure(Refusal(isForCharacters: false)) }
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        var output: UnsafeMutablePointer<CChar>?
        let status = unsafe name.withCString { unsafe idn2_to_ascii_8z($0, &output, flags) }
        guard status == IDN2_OK.rawValue, let output = unsafe output else {
            return .failure(Refusal(isForCharacters: status == IDN2_DISALLOWED.rawValue))
        }
        defer { unsafe free(output) }
        return .success(unsafe Array(String(cString: output).utf8))
    }
}
