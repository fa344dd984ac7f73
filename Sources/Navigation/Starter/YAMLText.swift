/// Writes text into YAML so that it is read back as the same text.
enum YAMLText {
    /// A plain scalar where that is safe, in block and flow style alike; else in double quotes.
    static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    /// Words, numbers and dates are quoted unless they can only be text.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, isLetter(first) || "/$.".unicodeScalars.contains(first) else {
            return false
        }
        // Of what begins with a dot, `.5`, `.inf` and `.nan` are numbers.
        guard first != "." || text.contains("/") else { return false }
        let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        // A colon within a word is a sign like others; at its end it would make it a key.
        return !words.contains(text.lowercased()) && !text.hasSuffix(":")
            && text.unicodeScalars.allSatisfy { isLetter($0) || "0123456789-./$*_:".unicodeScalars.contains($0) }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{20}"..."\u{7E}": result.unicodeScalars.append(scalar)
            case _
            where scalar.value >= 0xA0 && scalar.properties.generalCategory != .format
                && ![0x2028, 0x2029].contains(scalar.value):
                result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return result + "\""
    }
}
