/// Finds rules that overlap: neither takes all that the other takes, but some activities could be either's.
///
/// The first decides, which may be what was meant; so these are notes. A catch-all behind special rules is not one.
struct AmbiguityCheck {
    let configuration: Configuration

    func run(_ findings: inout Findings) {
        for rules in configuration.activityRulesByType {
            for (index, rule) in rules.enumerated() {
                for other in rules[..<index] where findings.mayCompare() && rule.overlaps(other, &findings) {
                    report(rule.path, at: rule.position, other.path, other.position, &findings)
                }
            }
        }
        let identifierRules = configuration.searchResultRules
        for (index, rule) in identifierRules.enumerated() {
            for other in identifierRules[..<index]
            where findings.mayCompare() && rule.identifier.overlapsPartly(other.identifier, &findings) {
                report(rule.path, at: rule.position, other.path, other.position, &findings)
            }
        }
    }

    private func report(
        _ path: String, at position: TextPosition, _ other: String, _ line: TextPosition, _ findings: inout Findings
    ) {
        findings.add(
            .note, .ambiguous, at: position,
            "The rules \(other) in line \(line.line) and \(path) can both match; the first decides. Write the more "
                + "special one first.")
    }
}

extension ActivityRule {
    /// Whether some activities fit both rules, and each rule takes some that the other does not.
    fileprivate func overlaps(_ other: ActivityRule, _ findings: inout Findings) -> Bool {
        // Rules with further conditions differ in more than can be compared here.
        guard activityType.utf8.elementsEqual(other.activityType.utf8), conditions.count == 1,
            other.conditions.count == 1
        else { return false }
        switch (conditions[0], other.conditions[0]) {
        case (.title(let own), .title(let other)),
            (.persistentIdentifier(let own), .persistentIdentifier(let other)),
            (.targetContentIdentifier(let own), .targetContentIdentifier(let other)):
            return own.overlapsPartly(other, &findings)
        case (.userInfo(let key, let own), .userInfo(let otherKey, let other)):
            return key == otherKey && own.overlapsPartly(other, &findings)
        default: return false
        }
    }
}

extension TextPattern {
    /// Whether some texts match both patterns, and neither pattern takes all that the other takes.
    fileprivate func overlapsPartly(_ other: TextPattern, _ findings: inout Findings) -> Bool {
        startsLike(other) && findings.mayCompare(cost: 64) && !takesAll(of: other) && !other.takesAll(of: self)
            && overlaps(other)
    }

    /// A character, or nil for a capture: one character or more.
    private var tokens: [Character?] {
        literals.enumerated().flatMap { index, literal in (index == 0 ? [] : [nil]) + Array(literal) }
    }

    /// Whether some text matches both.
    private func overlaps(_ other: TextPattern) -> Bool {
        let (own, other) = (tokens, other.tokens)
        guard own.count * other.count <= 1 << 16 else { return false }
        // Which places in both patterns a common beginning of a text can lead to. `inside` are captures that have begun.
        var reached: Set<Pair> = [Pair(0, 0)]
        var rest = [Pair(0, 0)]
        while let pair = rest.popLast() {
            if pair.isEnd(own.count, other.count) { return true }
            for next in pair.steps(own, other) where reached.insert(next).inserted { rest.append(next) }
        }
        return false
    }
}

/// Places in two patterns.
private struct Pair: Hashable {
    let own: Int
    let other: Int
    /// Whether the capture just before the place may take more.
    let ownMayGoOn: Bool
    let otherMayGoOn: Bool

    init(_ own: Int, _ other: Int, _ ownMayGoOn: Bool = false, _ otherMayGoOn: Bool = false) {
        self.own = own
        self.other = other
        self.ownMayGoOn = ownMayGoOn
        self.otherMayGoOn = otherMayGoOn
    }

    func isEnd(_ ownCount: Int, _ otherCount: Int) -> Bool { own == ownCount && other == otherCount }

    /// Where one more character leads.
    func steps(_ tokens: [Character?], _ otherTokens: [Character?]) -> [Pair] {
        let ownMoves = Self.moves(own, ownMayGoOn, tokens), otherMoves = Self.moves(other, otherMayGoOn, otherTokens)
        return ownMoves.flatMap { own in
            otherMoves.compactMap { other in
                if let one = own.character, let two = other.character, one != two { return nil }
                return Pair(own.place, other.place, own.mayGoOn, other.mayGoOn)
            }
        }
    }

    /// What a character may be, and where it leads: into what comes next, or on in the capture just before.
    private static func moves(
        _ place: Int, _ mayGoOn: Bool, _ tokens: [Character?]
    ) -> [(character: Character?, place: Int, mayGoOn: Bool)] {
        var moves: [(character: Character?, place: Int, mayGoOn: Bool)] = []
        if mayGoOn { moves.append((nil, place, true)) }
        if place < tokens.count { moves.append((tokens[place], place + 1, tokens[place] == nil)) }
        return moves
    }
}
