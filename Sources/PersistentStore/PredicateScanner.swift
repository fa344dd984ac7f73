/// Takes a predicate's text apart: words, signs, quoted strings, numbers and variables.
struct PredicateScanner {
    private let scalars: [Unicode.Scalar]
    /// The place in the text, in Unicode scalars.
    private(set) var offset = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    /// The next scalar; nil at the end.
    var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// What comes next, in words, to begin a sentence with.
    var phrase: String { next.map { "The character \($0)" } ?? "The end of the predicate" }

    mutating func skip() { offset += 1 }

    mutating func skipSpace() {
        while let next, next.properties.isWhitespace { offset += 1 }
    }

    /// A word: letters of any script, digits and underscores, not beginning with a digit; nil where there is none.
    mutating func word() -> String? {
        let start = offset
        while let next, Self.isWordPart(next, first: offset == start) { offset += 1 }
        return offset > start ? VariableSyntax.text(scalars[start..<offset]) : nil
    }

    private static func isWordPart(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        if scalar.properties.isAlphabetic || scalar == "_" { return true }
        let isMark = scalar.properties.canonicalCombiningClass != .notReordered
        return !first && (isMark || scalar.properties.numericType == .decimal)
    }

    /// A run of the characters that operators are made of; empty where there is none.
    mutating func sign() -> String {
        let start = offset
        while let next, "=!<>&|".unicodeScalars.contains(next) { offset += 1 }
        return VariableSyntax.text(scalars[start..<offset])
    }

    mutating func variable() throws(FormatError) -> PredicateFormat.Operand {
        let start = offset
        switch try VariableSyntax.token(in: scalars, at: &offset) {
        case .variable(let name): return .variable(name)
        case .dollarSign:
            throw FormatError(offset: start, "$$ is not a value; text with a dollar sign stands in quotes.")
        }
    }

    /// A string in single or double quotes, with backslash escapes.
    mutating func quoted() throws(FormatError) -> String {
        let start = offset
        let quote = scalars[offset]
        offset += 1
        var text = String.UnicodeScalarView()
        while let next {
            offset += 1
            if next == quote { return String(text) }
            text.append(next == "\\" ? try escaped(from: start) : next)
        }
        throw unclosed(start)
    }

    private func unclosed(_ start: Int) -> FormatError {
        FormatError(
            offset: start, "The string that begins here is not closed: its second \(scalars[start]) is missing.")
    }

    /// The scalar that an escape stands for; the backslash is behind us.
    private mutating func escaped(from start: Int) throws(FormatError) -> Unicode.Scalar {
        guard let next else { throw unclosed(start) }
        let at = offset - 1
        offset += 1
        switch next {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "\\", "\"", "'": return next
        case "u", "U": return try hexadecimal(next == "u" ? 4 : 8, from: at)
        default:
            throw FormatError(
                offset: at,
                "\\\(next) is not an escape; those are \\\\, \\\", \\', \\n, \\t, \\r, \\u and four hexadecimal digits."
            )
        }
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(FormatError) -> Unicode.Scalar {
        let digits = VariableSyntax.text(scalars[offset..<min(offset + count, scalars.count)])
        offset += count
        guard digits.unicodeScalars.count == count, digits.utf8.first != UInt8(ascii: "+"),
            let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code)
        else {
            throw FormatError(
                offset: start, "This escape needs \(count) hexadecimal digits that are the code of a character.")
        }
        return scalar
    }

    /// A number; nil where there is none.
    mutating func number() throws(FormatError) -> PredicateValue? {
        let start = offset
        guard let first = next, first == "-" || first == "." || ("0"..."9").contains(first) else { return nil }
        while let next, Self.isNumberPart(next, after: scalars[max(start, offset - 1)]) { offset += 1 }
        let text = VariableSyntax.text(scalars[start..<offset])
        if let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite, Self.isDecimal(text) else {
            throw FormatError(offset: start, "\(text) is not a number; write digits, for example 12, -3 or 0.5.")
        }
        return .number(number)
    }

    private static func isNumberPart(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Bool {
        if scalar == "-" || scalar == "+" { return ["-", "+", "e", "E"].contains(previous) || previous == scalar }
        return VariableSyntax.isNamePart(scalar) || scalar == "."
    }

    /// Whether the text holds nothing but decimal digits, sign, point and exponent: `Double` takes more.
    private static func isDecimal(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) || "+-.eE".unicodeScalars.contains($0) }
            && text.unicodeScalars.contains { ("0"..."9").contains($0) }
    }
}
