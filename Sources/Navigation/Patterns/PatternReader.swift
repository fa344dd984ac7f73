internal import PersistentStore

/// Reads the patterns of one rule and collects the names that they capture.
struct PatternReader {
    let diagnostics: Diagnostics
    /// The names captured so far, in order.
    private(set) var captures: [String]

    /// Makes a reader for a rule that captures the given names already.
    init(_ diagnostics: Diagnostics, captures: [String] = []) {
        self.diagnostics = diagnostics
        self.captures = captures
    }

    /// The pattern; nil, with an error, where the node is none.
    mutating func pattern(_ node: YAMLNode, _ what: String) -> TextPattern? {
        guard let text = node.text(what, diagnostics) else { return nil }
        do throws(FormatError) {
            return try pattern(text)
        } catch {
            diagnostics.report(at: node.position(at: error.offset), error.description)
            return nil
        }
    }

    private mutating func pattern(_ text: String) throws(FormatError) -> TextPattern {
        var literals: [String] = []
        var names: [String] = []
        var literal = ""
        for part in try TemplateText(text).parts {
            switch part {
            case .literal(let text): literal = text
            case .variable(let name, let offset):
                if !names.isEmpty, literal.isEmpty {
                    throw FormatError(
                        offset: offset,
                        "The captures $\(names[names.count - 1]) and $\(name) stand side by side; "
                            + "text between them must say where one ends.")
                }
                if (captures + names).contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                    throw FormatError(
                        offset: offset, "The rule captures $\(name) twice; give one of the two another name.")
                }
                literals.append(literal)
                names.append(name)
                literal = ""
            }
        }
        captures += names
        return TextPattern(source: text, literals: literals + [literal], captures: names)
    }
}
