extension WildcardPattern {
    /// Stands for a character that nobody has written.
    private static let placeholder: UInt8 = 1

    /// Whether the pattern matches every text that the other one matches; false where that is not plain.
    ///
    /// The other's wildcards are filled with placeholders, which only wildcards match: a run with none, with one, and
    /// with more than this pattern could match one by one.
    func covers(_ other: WildcardPattern) -> Bool {
        if self == other { return true }
        let runCount = other.tokens.count { $0 == .run }
        let hasVariables = (tokens + other.tokens).contains { if case .variable = $0 { true } else { false } }
        guard !hasVariables, runCount <= 3 else { return false }
        let lengths = [0, 1, tokens.count + 1]
        for choice in 0..<Int([1, 3, 9, 27][runCount]) {
            if !matches(other.sample(lengths, choice).span, []) { return false }
        }
        return true
    }

    /// A text that the pattern matches; `choice` says, in the base of the lengths' count, how long each run is.
    private func sample(_ lengths: [Int], _ choice: Int) -> [UInt8] {
        var text: [UInt8] = []
        var choice = choice
        for token in tokens {
            switch token {
            case .literal(let bytes): text += bytes
            case .any: text.append(Self.placeholder)
            case .run:
                text += Array(repeating: Self.placeholder, count: lengths[choice % lengths.count])
                choice /= lengths.count
            case .variable: break
            }
        }
        return text
    }
}

extension AssociationRule {
    /// Whether the rule takes every URL that the other one takes; false where that is not plain.
    func covers(_ other: AssociationRule) -> Bool {
        if takesEverything { return true }
        return form == other.form && coversPath(of: other) && coversQuery(of: other) && coversFragment(of: other)
    }

    private func coversPath(of other: AssociationRule) -> Bool {
        guard let path else { return true }
        guard let others = other.path else { return false }
        return others.allSatisfy { other in path.contains { $0.covers(other) } }
    }

    private func coversQuery(of other: AssociationRule) -> Bool {
        switch (query, other.query) {
        case (nil, _): true
        case (.whole(let own), .whole(let other)): own.covers(other)
        case (.items(let own), .items(let others)):
            own.allSatisfy { item in others.contains { $0.name == item.name && item.pattern.covers($0.pattern) } }
        default: false
        }
    }

    private func coversFragment(of other: AssociationRule) -> Bool {
        guard let fragment else { return true }
        return other.fragment.map { fragment.covers($0) } ?? false
    }
}
