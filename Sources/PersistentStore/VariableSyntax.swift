/// The one way to write a variable: `$name`, or `${any text}`; `$$` is a dollar sign.
///
/// A bare name is ASCII letters, digits and underscores, parts of which may be joined by dots.
public enum VariableSyntax {
    /// What a `$` begins.
    public enum Token: Hashable, Sendable {
        /// The name of a variable.
        case variable(String)
        /// `$$`.
        case dollarSign
    }

    /// Reads what the `$` at `index` begins, and moves `index` behind it.
    ///
    /// Throws for a lone `$`, an empty name and an unclosed `${`.
    public static func token(
        in scalars: [Unicode.Scalar], at index: inout Int
    ) throws(FormatError) -> Token {
        let start = index
        let next = start + 1
        guard next < scalars.count else { throw loneDollarSign(at: start) }
        if scalars[next] == "$" {
            index = next + 1
            return .dollarSign
        }
        if scalars[next] == "{" { return try bracedName(in: scalars, at: &index) }
        var end = next
        while end < scalars.count, isNamePart(scalars[end]) || joinsParts(end, in: scalars, from: next) { end += 1 }
        guard end > next else { throw loneDollarSign(at: start) }
        index = end
        return .variable(text(scalars[next..<end]))
    }

    private static func bracedName(
        in scalars: [Unicode.Scalar], at index: inout Int
    ) throws(FormatError) -> Token {
        let start = index
        guard let end = scalars[start...].firstIndex(of: "}") else {
            throw FormatError(offset: start, "A variable in braces is not closed: a } is missing after ${.")
        }
        guard end > start + 2 else { throw FormatError(offset: start, "The braces of ${} hold no variable's name.") }
        index = end + 1
        return .variable(text(scalars[start + 2..<end]))
    }

    private static func loneDollarSign(at offset: Int) -> FormatError {
        FormatError(offset: offset, "A $ without a name after it; write $$ for a dollar sign, or $name for a variable.")
    }

    /// Whether the scalar can stand in a bare name.
    static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
    }

    /// Whether there is a dot between two parts of a bare name.
    private static func joinsParts(_ index: Int, in scalars: [Unicode.Scalar], from start: Int) -> Bool {
        scalars[index] == "." && index > start && index + 1 < scalars.count && isNamePart(scalars[index + 1])
    }

    static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

/// What is wrong in a text that is written in a small language: a predicate, a template, a pattern.
public struct FormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where, in Unicode scalars from the text's beginning.
    public let offset: Int
    /// The sentence: what is wrong and what to write instead.
    public let description: String

    /// Makes an error; `description` is a full sentence.
    public init(offset: Int, _ description: String) {
        self.offset = offset
        self.description = description
    }
}
