/// What a scalar without quotes means, by YAML 1.2's core schema.
enum YAMLScalar {
    /// `null`, `true`, `12`, `0x1F`, `1.5e3`, `.inf` and the like; anything else, `yes` and `on` too, is text.
    static func content(plain text: String) -> YAMLNode.Content {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .number(.infinity)
        case "-.inf", "-.Inf", "-.INF": return .number(-.infinity)
        case ".nan", ".NaN", ".NAN": return .number(.nan)
        default: return number(text) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> YAMLNode.Content? {
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else { return nil }
        if text.hasPrefix("0x") { return prefixed(text, radix: 16) }
        if text.hasPrefix("0o") { return prefixed(text, radix: 8) }
        guard isDecimal(text) else { return nil }
        if let whole = whole(text[...], radix: 10) { return whole }
        return Double(text).map { .number($0) }
    }

    private static func prefixed(_ text: String, radix: Int) -> YAMLNode.Content? {
        let digits = text.dropFirst(2)
        guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        return whole(digits, radix: radix)
    }

    /// A whole number of any size; nil for text that is none.
    private static func whole(_ text: Substring, radix: Int) -> YAMLNode.Content? {
        if let number = Int64(text, radix: radix) { return .integer(number) }
        if let number = UInt64(text, radix: radix) { return .unsigned(number) }
        let digits =
            text.utf8.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } == true
            ? text.dropFirst() : text
        let isWhole = !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.hexDigitValue.map { $0 < radix } == true }
        return isWhole ? .oversized : nil
    }

    /// Whether the text is `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
    private static func isDecimal(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        func skip(_ characters: StaticString) -> Bool {
            guard let first = rest.first, characters.description.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        _ = skip("+-")
        let whole = digits()
        let fraction = skip(".") ? digits() : 0
        guard whole + fraction > 0 else { return false }
        if skip("eE") {
            _ = skip("+-")
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
