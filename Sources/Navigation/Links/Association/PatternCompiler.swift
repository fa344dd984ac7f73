/// Compiles the patterns of an association file, and the variables that they use.
struct PatternCompiler {
    /// The file's own variables.
    private let definitions: [String: [String]]
    /// The variables that patterns refer to by their indexes.
    private(set) var variables: [SubstitutionVariable] = []
    private var indexes: [Reference: Int] = [:]
    /// Names that are not defined.
    private(set) var unknownNames: Set<String> = []

    private struct Reference: Hashable {
        let name: String
        let folded: Bool
    }

    init(_ definitions: [String: [String]]) {
        self.definitions = definitions
    }

    /// Compiles a pattern; without regard to case its literal text is folded, as the text must be.
    mutating func pattern(_ text: String, caseSensitive: Bool) -> WildcardPattern {
        WildcardPattern(tokens: tokens(text.utf8Span.span, folded: !caseSensitive))
    }

    private mutating func tokens(_ text: Span<UInt8>, folded: Bool) -> [WildcardPattern.Token] {
        var list = TokenList(folded: folded)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "$"), let end = Self.endOfReference(text, at: index),
                let variable = variable(String(utf8: text.extracting((index + 2)..<end)), folded: folded)
            {
                list.append(.variable(variable))
                index = end + 1
            } else {
                list.append(text[index])
                index += 1
            }
        }
        return list.finished()
    }

    /// Where the parenthesis stands that closes `$(NAME)`; nil where there is no such reference.
    private static func endOfReference(_ text: Span<UInt8>, at start: Int) -> Int? {
        guard start + 1 < text.count, text[start + 1] == UInt8(ascii: "(") else { return nil }
        var index = start + 2
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: ")"): return index
            case UInt8(ascii: "$"), UInt8(ascii: "("): return nil
            default: index += 1
            }
        }
        return nil
    }

    /// The index of a variable; nil for an unknown one, whose reference is then literal text.
    private mutating func variable(_ name: String, folded: Bool) -> Int? {
        if let index = indexes[Reference(name: name, folded: folded)] { return index }
        guard let values = definitions[name] ?? SubstitutionVariable.predefined(name) else {
            unknownNames.insert(name)
            return nil
        }
        // A value may hold wildcards, but no variables.
        let tokens = values.map { value in
            var list = TokenList(folded: folded)
            for byte in value.utf8 { list.append(byte) }
            return list.finished()
        }
        variables.append(SubstitutionVariable(tokens))
        indexes[Reference(name: name, folded: folded)] = variables.count - 1
        return variables.count - 1
    }
}

/// Tokens that grow byte by byte.
private struct TokenList {
    let folded: Bool
    private var tokens: [WildcardPattern.Token] = []
    private var literal: [UInt8] = []

    init(folded: Bool) {
        self.folded = folded
    }

    /// Appends a character or a wildcard; several `*` in a row are one.
    mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "*"): if !literal.isEmpty || tokens.last != .run { append(.run) }
        case UInt8(ascii: "?"): append(.any)
        default: literal.append(byte)
        }
    }

    mutating func append(_ token: WildcardPattern.Token) {
        flush()
        tokens.append(token)
    }

    mutating func finished() -> [WildcardPattern.Token] {
        flush()
        return tokens
    }

    private mutating func flush() {
        if !literal.isEmpty { tokens.append(.literal(folded ? CaseFolding.folded(literal.span) : literal)) }
        literal = []
    }
}

/// Case folding as `caseSensitive: false` asks for it: one small letter for each capital.
enum CaseFolding {
    static func folded(_ text: Span<UInt8>) -> [UInt8] {
        var isASCII = true
        var folded: [UInt8] = []
        folded.reserveCapacity(text.count)
        for index in text.indices {
            if text[index] >= 0x80 { isASCII = false }
            folded.append(text[index].asciiLowercased)
        }
        if isASCII { return folded }
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: folded, as: UTF8.self).unicodeScalars {
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            scalars.append(lower.count == 1 ? lower.first ?? scalar : scalar)
        }
        return Array(String(scalars).utf8)
    }
}
