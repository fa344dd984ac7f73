/// A predicate as text, in the part of NSPredicate's format language that an index can answer.
///
/// `ATTRIBUTE OP VALUE` joined by `AND` or `&&`. OP is `==` or `=`, alone or with `[c]`, `[d]` or `[cd]`. A value is a
/// variable, a quoted string, a number, `true`/`YES`, `false`/`NO`, or `nil`/`NULL`; the words in either case.
public struct PredicateFormat: Hashable, Sendable {
    /// What an attribute is compared with.
    public enum Operand: Hashable, Sendable {
        /// A variable, by its name, whose value comes with each look-up.
        case variable(String)
        /// A value that is written out.
        case literal(PredicateValue)
    }

    /// One comparison as it is written.
    public struct Comparison: Hashable, Sendable {
        /// The attribute and how it is compared.
        public var comparison: Predicate.Comparison
        /// What it is compared with.
        public var operand: Operand
        /// Where the attribute begins, in Unicode scalars from the text's beginning.
        public var attributeOffset: Int
        /// Where the operand begins, in Unicode scalars from the text's beginning.
        public var operandOffset: Int
    }

    /// The text.
    public let text: String
    /// The comparisons, at least one, in the order of the text.
    public let comparisons: [Comparison]

    /// Reads a predicate; the error says where the first thing is that cannot be read, and what can stand there.
    public init(_ text: String) throws(FormatError) {
        var parser = PredicateParser(text)
        self.comparisons = try parser.comparisons()
        self.text = text
    }

    /// The predicate's fixed shape, for objects of an entity.
    public func predicate(entity: String) -> Predicate {
        Predicate(entity: entity, comparisons: comparisons.map(\.comparison))
    }
}

/// Reads a predicate from left to right.
private struct PredicateParser {
    private var scanner: PredicateScanner

    init(_ text: String) {
        scanner = PredicateScanner(text)
    }

    mutating func comparisons() throws(FormatError) -> [PredicateFormat.Comparison] {
        var comparisons: [PredicateFormat.Comparison] = []
        repeat {
            comparisons.append(try comparison())
        } while try conjunction()
        return comparisons
    }

    private mutating func comparison() throws(FormatError) -> PredicateFormat.Comparison {
        scanner.skipSpace()
        let attributeOffset = scanner.offset
        let attribute = try attribute()
        let (ignoresCase, ignoresDiacritics) = try operation()
        scanner.skipSpace()
        let operandOffset = scanner.offset
        return PredicateFormat.Comparison(
            comparison: .init(
                attribute: attribute, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics),
            operand: try operand(), attributeOffset: attributeOffset, operandOffset: operandOffset)
    }

    private mutating func attribute() throws(FormatError) -> String {
        let offset = scanner.offset
        guard let word = scanner.word() else {
            if scanner.next == "(" { throw FormatError(offset: offset, Sentence.parentheses) }
            if scanner.next == "!" { throw FormatError(offset: offset, Sentence.unsupported("!")) }
            throw FormatError(
                offset: offset, "\(scanner.phrase) stands where the name of an attribute must; \(Sentence.form)")
        }
        if Sentence.unsupportedWords.contains(word.uppercased()) {
            throw FormatError(offset: offset, Sentence.unsupported(word))
        }
        guard scanner.next != "." else {
            throw FormatError(
                offset: offset, "Key paths are not supported in a predicate; compare an attribute of the entity itself."
            )
        }
        return word
    }

    /// The operator and its options.
    private mutating func operation() throws(FormatError) -> (ignoresCase: Bool, ignoresDiacritics: Bool) {
        scanner.skipSpace()
        let offset = scanner.offset
        let sign = scanner.sign()
        guard sign == "==" || sign == "=" else {
            let found = sign.isEmpty ? scanner.word() : sign
            if let found { throw FormatError(offset: offset, Sentence.unsupported(found)) }
            throw FormatError(offset: offset, "\(scanner.phrase) stands where == must; \(Sentence.form)")
        }
        scanner.skipSpace()
        return scanner.next == "[" ? try options() : (false, false)
    }

    private mutating func options() throws(FormatError) -> (ignoresCase: Bool, ignoresDiacritics: Bool) {
        let offset = scanner.offset
        scanner.skip()
        let letters = (scanner.word() ?? "").lowercased()
        guard ["c", "d", "cd", "dc"].contains(letters), scanner.next == "]" else {
            throw FormatError(offset: offset, "The options of == can be [c], [d] or [cd], nothing else.")
        }
        scanner.skip()
        return (letters.contains("c"), letters.contains("d"))
    }

    private mutating func operand() throws(FormatError) -> PredicateFormat.Operand {
        let offset = scanner.offset
        switch scanner.next {
        case "$": return try scanner.variable()
        case "\"", "'": return .literal(.string(try scanner.quoted()))
        case "%": throw FormatError(offset: offset, "Placeholders are not supported; write the value or a $variable.")
        default: break
        }
        if let number = try scanner.number() { return .literal(number) }
        guard let word = scanner.word() else {
            throw FormatError(
                offset: offset,
                "\(scanner.phrase) stands where a value must: a $variable, a quoted string, a number, true, false or nil."
            )
        }
        switch word.uppercased() {
        case "TRUE", "YES": return .literal(.boolean(true))
        case "FALSE", "NO": return .literal(.boolean(false))
        case "NIL", "NULL": return .literal(.null)
        default:
            throw FormatError(
                offset: offset,
                "\(word) is not a value; write text in quotes, or $\(word) for a variable. "
                    + "Two attributes cannot be compared with one another.")
        }
    }

    /// Whether another comparison follows.
    private mutating func conjunction() throws(FormatError) -> Bool {
        scanner.skipSpace()
        guard scanner.next != nil else { return false }
        let offset = scanner.offset
        let sign = scanner.sign()
        let word = sign.isEmpty ? scanner.word() ?? "" : sign
        if word == "&&" || word.uppercased() == "AND" { return true }
        if scanner.offset == offset, scanner.next == "(" || scanner.next == ")" {
            throw FormatError(offset: offset, Sentence.parentheses)
        }
        if word == "||" || word.uppercased() == "OR" {
            throw FormatError(
                offset: offset, "OR is not supported in a predicate; write one rule for each alternative.")
        }
        let found = word.isEmpty ? scanner.phrase : word
        throw FormatError(offset: offset, "\(found) stands where the predicate must end or go on with AND.")
    }
}

private enum Sentence {
    static let form = "a predicate is ATTRIBUTE == VALUE, joined by AND."
    static let parentheses = "Parentheses are not supported in a predicate; \(form)"
    static let unsupportedWords: Set<String> = [
        "NOT", "ANY", "ALL", "SOME", "NONE", "SUBQUERY", "SELF", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    static func unsupported(_ word: String) -> String {
        "\(word) is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."
    }
}
