internal import Spelling

/// Reads one mapping of a configuration: known keys by name, and an error for every other one.
struct MappingReader {
    let position: TextPosition
    private let members: [YAMLMember]
    private let diagnostics: Diagnostics
    private var hasUnknownKey = false

    /// nil, with an error, where the node is not a mapping; `what` begins the sentence, for example "An activity rule".
    ///
    /// An empty node is a mapping without keys.
    init?(_ node: YAMLNode, _ what: String, keys: [String], _ diagnostics: Diagnostics) {
        switch node.content {
        case .mapping(let members): self.members = members
        case .null: self.members = []
        default:
            diagnostics.report(at: node.position, "\(what) must be a mapping of keys to values; it is \(node.phrase).")
            return nil
        }
        self.position = node.position
        self.diagnostics = diagnostics
        for member in members where !keys.contains(member.key) {
            let nearest = NearestWord.to(member.key, among: keys)
            let advice = nearest.map { "did you mean \($0)?" } ?? "known keys are \(keys.joined(separator: ", "))."
            diagnostics.report(at: member.position, "\(what) has no key \(member.key); \(advice)")
            hasUnknownKey = true
        }
    }

    /// Reports that a key is missing, unless an unknown one was reported, which it probably is.
    func reportMissing(at position: TextPosition, _ sentence: String) {
        if !hasUnknownKey { diagnostics.report(at: position, sentence) }
    }

    /// The member of that key; one without a value counts as absent.
    func member(_ key: String) -> YAMLMember? {
        members.first { $0.key == key && !$0.value.isNull }
    }

    subscript(key: String) -> YAMLNode? { member(key)?.value }

    /// The text of a key, nil where it is absent or, with an error, not text.
    func text(_ key: String) -> String? {
        self[key].flatMap { $0.text("The value of \(key)", diagnostics) }
    }
}

extension YAMLNode {
    /// The node's text; nil, with an error, where it is not text.
    func text(_ what: String, _ diagnostics: Diagnostics) -> String? {
        if case .string(let text) = content { return text }
        let isScalar =
            switch content {
            case .boolean, .integer, .unsigned, .oversized, .number: true
            default: false
            }
        let advice = isScalar ? "; put it in quotes" : ""
        diagnostics.report(at: position, "\(what) must be text; it is \(phrase)\(advice).")
        return nil
    }

    /// Text with at least one character.
    func name(_ what: String, _ diagnostics: Diagnostics) -> String? {
        guard let text = text(what, diagnostics) else { return nil }
        guard !text.isEmpty else {
            diagnostics.report(at: position, "\(what) must not be empty.")
            return nil
        }
        return text
    }

    /// The elements of a list; an empty node is an empty list.
    func elements(_ what: String, _ diagnostics: Diagnostics) -> [YAMLNode] {
        switch content {
        case .sequence(let elements): return elements
        case .null: return []
        default:
            diagnostics.report(at: position, "\(what) must be a list; it is \(phrase).")
            return []
        }
    }

    /// The members of a mapping with keys of the user's own; an empty node has none.
    func members(_ what: String, _ diagnostics: Diagnostics) -> [YAMLMember] {
        switch content {
        case .mapping(let members): return members
        case .null: return []
        default:
            diagnostics.report(at: position, "\(what) must be a mapping of keys to values; it is \(phrase).")
            return []
        }
    }
}
