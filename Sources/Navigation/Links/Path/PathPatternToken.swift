/// Why a path pattern cannot be read.
struct PathPatternError: Error, Hashable {
    /// Where in the pattern, in Unicode scalars.
    let offset: Int
    /// A full sentence.
    let description: String
}

/// A token of a path pattern, as the URLPattern standard divides it.
struct PathPatternToken: Hashable {
    enum Kind: Hashable {
        /// `{`
        case open
        /// `}`
        case close
        /// `(...)`, with what stands between the parentheses.
        case expression(String)
        /// `:NAME`, with the name.
        case name(String)
        /// A character.
        case character(Unicode.Scalar)
        /// A character behind a backslash.
        case escaped(Unicode.Scalar)
        /// `?` or `+`
        case modifier(Unicode.Scalar)
        /// `*`
        case asterisk
        case end
    }

    let kind: Kind
    /// Where it begins, in Unicode scalars.
    let offset: Int

    /// Divides a pattern; the last token is `end`.
    static func tokens(of pattern: String) throws(PathPatternError) -> [PathPatternToken] {
        var reader = Reader(scalars: Array(pattern.unicodeScalars))
        var tokens: [PathPatternToken] = []
        repeat { tokens.append(try reader.next()) } while tokens.last?.kind != .end
        return tokens
    }
}

private struct Reader {
    let scalars: [Unicode.Scalar]
    var index = 0

    mutating func next() throws(PathPatternError) -> PathPatternToken {
        let offset = index
        guard index < scalars.count else { return PathPatternToken(kind: .end, offset: offset) }
        index += 1
        let kind: PathPatternToken.Kind =
            switch scalars[offset] {
            case "*": .asterisk
            case "+", "?": .modifier(scalars[offset])
            case "{": .open
            case "}": .close
            case ":": .name(try name(after: offset))
            case "(": .expression(try expression(after: offset))
            case "\\": .escaped(try escaped(after: offset))
            default: .character(scalars[offset])
            }
        return PathPatternToken(kind: kind, offset: offset)
    }

    private mutating func escaped(after offset: Int) throws(PathPatternError) -> Unicode.Scalar {
        guard index < scalars.count else {
            throw PathPatternError(offset: offset, description: "The backslash at the end escapes nothing.")
        }
        index += 1
        return scalars[index - 1]
    }

    /// The name behind a colon: an identifier as in JavaScript.
    private mutating func name(after offset: Int) throws(PathPatternError) -> String {
        var name = String.UnicodeScalarView()
        while index < scalars.count, Self.isNamePart(scalars[index], isFirst: name.isEmpty) {
            name.append(scalars[index])
            index += 1
        }
        guard !name.isEmpty else {
            throw PathPatternError(
                offset: offset, description: "A name must follow the colon; write \\: for a colon itself.")
        }
        return String(name)
    }

    private static func isNamePart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        if scalar == "$" || scalar == "_" { return true }
        if isFirst { return scalar.properties.isIDStart }
        return scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    /// What stands between parentheses, which is ASCII and has no capturing group.
    private mutating func expression(after offset: Int) throws(PathPatternError) -> String {
        let start = index
        var depth = 1
        while index < scalars.count {
            let scalar = scalars[index]
            guard scalar.isASCII else {
                throw PathPatternError(
                    offset: index,
                    description: "A regular expression must be ASCII; write \(scalar) percent-encoded, as in URLs.")
            }
            index += 1
            switch scalar {
            case "\\": index += 1
            case "(":
                guard index < scalars.count, scalars[index] == "?" else {
                    throw PathPatternError(
                        offset: index - 1,
                        description: "A group in a regular expression must not capture; begin it with (?:")
                }
                depth += 1
            case ")":
                depth -= 1
                if depth == 0 { return try text(start..<(index - 1), offset) }
            default: break
            }
        }
        throw PathPatternError(offset: offset, description: "The parenthesis is not closed; write \\( for one itself.")
    }

    private func text(_ range: Range<Int>, _ offset: Int) throws(PathPatternError) -> String {
        if range.isEmpty {
            throw PathPatternError(offset: offset, description: "The parentheses hold no regular expression.")
        }
        if scalars[range.lowerBound] == "?" {
            throw PathPatternError(
                offset: offset,
                description: "A regular expression cannot begin with a question mark; "
                    + "the parentheses capture by themselves.")
        }
        return String(String.UnicodeScalarView(scalars[range]))
    }
}
