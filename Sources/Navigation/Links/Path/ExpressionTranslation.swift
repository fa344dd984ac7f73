/// Translates regular expressions of JavaScript, which URLPattern has, into RE2's.
///
/// What RE2 cannot match in linear time, and what the two read differently, is an error that says where.
struct ExpressionTranslation {
    private let text: [UInt8]
    /// Where the expression begins in its pattern.
    private let start: Int
    private var index = 0
    private var output: [UInt8] = []

    /// The expression for RE2; `start` is where it begins in the pattern, for errors.
    static func translated(_ text: String, at start: Int) throws(PathPatternError) -> String {
        var translation = ExpressionTranslation(text: Array(text.utf8), start: start)
        try translation.translate()
        return String(decoding: translation.output, as: UTF8.self)
    }

    private init(text: [UInt8], start: Int) {
        self.text = text
        self.start = start
    }

    private mutating func translate() throws(PathPatternError) {
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): try escape(inClass: false)
            case UInt8(ascii: "["): try characterClass()
            case UInt8(ascii: "("): try group()
            case UInt8(ascii: "{"): try quantifier()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                throw error("A lone \(Character(Unicode.Scalar(text[index]))) must have a backslash before it.")
            default: copy(1)
            }
        }
    }

    private mutating func copy(_ count: Int) {
        output += text[index..<(index + count)]
        index += count
    }

    private func error(_ sentence: String) -> PathPatternError {
        PathPatternError(offset: start + index, description: sentence)
    }

    private func stands(_ literal: StaticString, at index: Int) -> Bool {
        text[min(index, text.count)...].starts(with: literal.description.utf8)
    }

    private mutating func group() throws(PathPatternError) {
        if stands("(?:", at: index) { return copy(3) }
        if stands("(?=", at: index) || stands("(?!", at: index) {
            throw error("A look-ahead cannot be matched in bounded time; write the expression without it.")
        }
        if stands("(?<=", at: index) || stands("(?<!", at: index) {
            throw error("A look-behind cannot be matched in bounded time; write the expression without it.")
        }
        if stands("(?<", at: index) {
            throw error("A group in a regular expression must not capture; write :name before the parentheses.")
        }
        throw error("A group in a regular expression must begin with (?:")
    }

    /// Copies `{n}`, `{n,}` or `{n,m}`.
    private mutating func quantifier() throws(PathPatternError) {
        guard let close = text[index...].firstIndex(of: UInt8(ascii: "}")) else {
            throw error("A lone { must have a backslash before it.")
        }
        let numbers = text[(index + 1)..<close].split(
            separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = numbers.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
        guard areDigits, let least = numbers.first, !least.isEmpty else {
            throw error("A { that is no count must have a backslash before it.")
        }
        copy(close + 1 - index)
    }

    private mutating func characterClass() throws(PathPatternError) {
        // JavaScript has classes of nothing and of everything.
        if stands("[]", at: index) || stands("[^]", at: index) {
            let isNothing = stands("[]", at: index)
            output += (isNothing ? "[^\\x00-\\xFF]" : "[\\x00-\\xFF]").utf8
            index += isNothing ? 2 : 3
            return
        }
        let open = index
        copy(stands("[^", at: index) ? 2 : 1)
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): try escape(inClass: true)
            case UInt8(ascii: "]"): return copy(1)
            case UInt8(ascii: "["):
                throw error("A [ in a character class must have a backslash before it.")
            default:
                if stands("&&", at: index) || stands("--", at: index) {
                    throw error("Character classes cannot be intersected or subtracted here; write out one class.")
                }
                copy(1)
            }
        }
        index = open
        throw error("The character class is not closed.")
    }

    private mutating func escape(inClass: Bool) throws(PathPatternError) {
        guard index + 1 < text.count else { throw error("The backslash at the end escapes nothing.") }
        let next = text[index + 1]
        switch next {
        case UInt8(ascii: "b") where inClass: replace(2, by: "\\x08")
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            guard !inClass else { throw invalidEscape(next) }
            copy(2)
        case UInt8(ascii: "0"):
            if index + 2 < text.count, text[index + 2].isASCIIDigit { throw invalidEscape(next) }
            replace(2, by: "\\x00")
        case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "k"):
            throw error("A back-reference cannot be matched in bounded time; write the expression without it.")
        case UInt8(ascii: "c"): try control()
        case UInt8(ascii: "x"), UInt8(ascii: "u"): try number(next)
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            guard stands("{", at: index + 2), let close = text[index...].firstIndex(of: UInt8(ascii: "}")) else {
                throw invalidEscape(next)
            }
            copy(close + 1 - index)
        case UInt8(ascii: "-") where inClass: copy(2)
        default:
            let known = "dDwWsSfnrtv^$\\.*+?()[]{}|/"
            guard known.utf8.contains(next) else { throw invalidEscape(next) }
            copy(2)
        }
    }

    private mutating func replace(_ count: Int, by translated: String) {
        output += translated.utf8
        index += count
    }

    private func invalidEscape(_ byte: UInt8) -> PathPatternError {
        error("There is no escape \\\(Character(Unicode.Scalar(byte))) in regular expressions.")
    }

    /// `\cX`, a control character.
    private mutating func control() throws(PathPatternError) {
        guard index + 2 < text.count, text[index + 2].isASCIILetter else { throw invalidEscape(UInt8(ascii: "c")) }
        replace(3, by: Self.hexadecimal(UInt32(text[index + 2] & 31)))
    }

    /// `\xHH`, `\uHHHH` or `\u{H...}`.
    private mutating func number(_ kind: UInt8) throws(PathPatternError) {
        var digits = text[(index + 2)...].prefix(kind == UInt8(ascii: "x") ? 2 : 4)
        var length = 2 + digits.count
        var isComplete = digits.count == (kind == UInt8(ascii: "x") ? 2 : 4)
        if kind == UInt8(ascii: "u"), stands("{", at: index + 2) {
            let close = text[index...].firstIndex(of: UInt8(ascii: "}"))
            digits = text[(index + 3)..<(close ?? index + 3)]
            length = digits.count + 4
            isComplete = close != nil && !digits.isEmpty
        }
        let areDigits = digits.allSatisfy { PercentDecoding.hexadecimal($0) != nil }
        guard isComplete, areDigits, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            Unicode.Scalar(value) != nil
        else { throw invalidEscape(kind) }
        // Paths have no bytes beyond ASCII, so that it does not matter which of them is meant.
        replace(length, by: Self.hexadecimal(min(value, 0xFF)))
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        "\\x{\(String(value, radix: 16))}"
    }
}
