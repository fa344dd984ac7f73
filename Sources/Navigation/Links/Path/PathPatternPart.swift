/// A part of a path pattern, as the URLPattern standard divides it.
struct PathPatternPart: Sendable, Hashable {
    enum Modifier: Unicode.Scalar, Sendable, Hashable {
        case optional = "?"
        case zeroOrMore = "*"
        case oneOrMore = "+"
    }

    enum Kind: Sendable, Hashable {
        /// Text alone, the prefix.
        case fixed
        /// `:name`: at least one character, but no slash.
        case segment
        /// `*`: any text.
        case anything
        /// A regular expression, and where it begins in the pattern.
        case expression(String, offset: Int)
    }

    let kind: Kind
    /// What captures it; nil for fixed text.
    let name: String?
    /// Percent-encoded text before what is captured.
    let prefix: [UInt8]
    /// Percent-encoded text behind what is captured.
    let suffix: [UInt8]
    let modifier: Modifier?
}

/// Puts tokens together as parts.
struct PathPatternParser {
    private let tokens: [PathPatternToken]
    private var index = 0
    private var parts: [PathPatternPart] = []
    /// Fixed text that no part has yet.
    private var pending = String.UnicodeScalarView()
    private var names: [String] = []
    private var unnamedCount = 0

    /// The parts of a pattern.
    static func parts(of pattern: String) throws(PathPatternError) -> [PathPatternPart] {
        var parser = PathPatternParser(tokens: try PathPatternToken.tokens(of: pattern))
        try parser.parse()
        return parser.parts
    }

    private init(tokens: [PathPatternToken]) {
        self.tokens = tokens
    }

    private var token: PathPatternToken { tokens[index] }

    private mutating func parse() throws(PathPatternError) {
        while token.kind != .end {
            let character = takeCharacter()
            if let group = takeGroup() {
                var prefix = String.UnicodeScalarView()
                // Only a slash belongs to the group behind it, and is optional with it.
                if let character { if character == "/" { prefix.append(character) } else { pending.append(character) } }
                try add(group, prefix: prefix, suffix: .init(), modifier: takeModifier())
            } else if let fixed = character ?? takeEscaped() {
                pending.append(fixed)
            } else if token.kind == .open {
                try braces()
            } else {
                throw unexpected()
            }
        }
        addPending()
    }

    private mutating func braces() throws(PathPatternError) {
        let open = token.offset
        index += 1
        let prefix = takeText()
        let group = takeGroup()
        let suffix = takeText()
        guard token.kind == .close else {
            if token.kind == .end { throw PathPatternError(offset: open, description: "The brace is not closed.") }
            throw PathPatternError(
                offset: token.offset, description: "Between braces only text and one group can stand.")
        }
        index += 1
        let modifier = takeModifier()
        if let group { return try add(group, prefix: prefix, suffix: suffix, modifier: modifier) }
        guard let modifier else { return pending.append(contentsOf: prefix) }
        addPending()
        if !prefix.isEmpty { addFixed(prefix, modifier) }
    }

    private func unexpected() -> PathPatternError {
        let what =
            switch token.kind {
            case .close: "The brace closes nothing; write \\} for one itself."
            case .modifier(let scalar):
                "Nothing stands before \(scalar) that it could apply to; write \\\(scalar) for the character itself."
            default: "This cannot stand here."
            }
        return PathPatternError(offset: token.offset, description: what)
    }

    // MARK: Tokens

    private struct Group {
        let kind: PathPatternPart.Kind
        let name: String?
        let offset: Int
    }

    private mutating func takeCharacter() -> Unicode.Scalar? {
        guard case .character(let scalar) = token.kind else { return nil }
        index += 1
        return scalar
    }

    private mutating func takeEscaped() -> Unicode.Scalar? {
        guard case .escaped(let scalar) = token.kind else { return nil }
        index += 1
        return scalar
    }

    private mutating func takeText() -> String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        while let scalar = takeCharacter() ?? takeEscaped() { text.append(scalar) }
        return text
    }

    /// A name, an expression, a name with an expression, or an asterisk without a name.
    private mutating func takeGroup() -> Group? {
        let offset = token.offset
        var name: String?
        if case .name(let text) = token.kind {
            name = text
            index += 1
        }
        if case .expression(let text) = token.kind {
            let kind = Self.kind(of: text, offset: token.offset + 1)
            index += 1
            return Group(kind: kind, name: name, offset: offset)
        }
        if let name { return Group(kind: .segment, name: name, offset: offset) }
        guard token.kind == .asterisk else { return nil }
        index += 1
        return Group(kind: .anything, name: nil, offset: offset)
    }

    /// Two expressions are what other groups stand for.
    private static func kind(of expression: String, offset: Int) -> PathPatternPart.Kind {
        switch expression {
        case ".*": .anything
        case "[^\\/]+?": .segment
        default: .expression(expression, offset: offset)
        }
    }

    private mutating func takeModifier() -> PathPatternPart.Modifier? {
        switch token.kind {
        case .modifier(let scalar):
            index += 1
            return PathPatternPart.Modifier(rawValue: scalar)
        case .asterisk:
            index += 1
            return .zeroOrMore
        default: return nil
        }
    }

    // MARK: Parts

    private mutating func add(
        _ group: Group, prefix: String.UnicodeScalarView, suffix: String.UnicodeScalarView,
        modifier: PathPatternPart.Modifier?
    ) throws(PathPatternError) {
        addPending()
        let name = group.name ?? String(unnamedCount)
        if group.name == nil { unnamedCount += 1 }
        guard !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            throw PathPatternError(
                offset: group.offset, description: "The pattern captures :\(name) twice; give one another name.")
        }
        names.append(name)
        parts.append(
            PathPatternPart(
                kind: group.kind, name: name, prefix: Self.encoded(prefix), suffix: Self.encoded(suffix),
                modifier: modifier))
    }

    private mutating func addPending() {
        guard !pending.isEmpty else { return }
        addFixed(pending, nil)
        pending = .init()
    }

    private mutating func addFixed(_ text: String.UnicodeScalarView, _ modifier: PathPatternPart.Modifier?) {
        parts.append(
            PathPatternPart(kind: .fixed, name: nil, prefix: Self.encoded(text), suffix: [], modifier: modifier))
    }

    /// Literal text as the paths of URLs have it.
    private static func encoded(_ text: String.UnicodeScalarView) -> [UInt8] {
        URLPath.canonical(String(text).utf8Span.span)
    }
}
