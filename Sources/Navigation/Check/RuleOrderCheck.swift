internal import Activities
internal import PersistentStore

/// Finds rules that are never reached, because an earlier one takes everything that they take.
struct RuleOrderCheck {
    let configuration: Configuration

    func run(_ findings: inout Findings) {
        for rules in configuration.activityRulesByType { check(rules, &findings) }
        checkSearchResults(&findings)
    }

    /// Checks the activity rules of one type.
    private func check(_ rules: [ActivityRule], _ findings: inout Findings) {
        for (index, rule) in rules.enumerated() {
            if rule.activityType == Activity.Name.searchableItemActionType {
                findings.add(
                    .note, .neverReached, at: rule.position,
                    "The rule \(rule.path) takes only activities without an identifier: with one they are search "
                        + "results, which searchResults and entities answer.")
            }
            if let earlier = rules[..<index].first(where: { findings.mayCompare() && $0.takesAll(of: rule) }) {
                report(rule.path, at: rule.position, shadowedBy: earlier.path, earlier.position, &findings)
            }
        }
    }

    private func checkSearchResults(_ findings: inout Findings) {
        for (index, rule) in configuration.searchResultRules.enumerated() {
            if let literal = rule.identifier.literals.first, literal.utf8.starts(with: ObjectURI.scheme.utf8) {
                findings.add(
                    .warning, .neverReached, at: rule.position,
                    "The rule \(rule.path) is never reached: identifiers that begin with \(ObjectURI.scheme) are "
                        + "object URIs; remove the rule.")
                continue
            }
            let earlier = configuration.searchResultRules[..<index].first {
                findings.mayCompare() && $0.identifier.takesAll(of: rule.identifier)
            }
            if let earlier {
                report(rule.path, at: rule.position, shadowedBy: earlier.path, earlier.position, &findings)
            }
        }
    }

    private func report(
        _ path: String, at position: TextPosition, shadowedBy earlier: String, _ line: TextPosition,
        _ findings: inout Findings
    ) {
        findings.add(
            .warning, .neverReached, at: position,
            "The rule \(path) is never reached: \(earlier) in line \(line.line) takes all that it could take; "
                + "move it before that rule, or remove it.")
    }
}

extension ActivityRule {
    /// Whether the rule takes every activity that the other one could.
    fileprivate func takesAll(of other: ActivityRule) -> Bool {
        activityType.utf8.elementsEqual(other.activityType.utf8)
            && conditions.allSatisfy { own in other.conditions.contains { own.holdsAlways(given: $0) } }
    }
}

extension Condition {
    /// Whether the condition holds wherever the other one does.
    fileprivate func holdsAlways(given other: Condition) -> Bool {
        switch (self, other) {
        case (.title(let own), .title(let other)),
            (.persistentIdentifier(let own), .persistentIdentifier(let other)),
            (.targetContentIdentifier(let own), .targetContentIdentifier(let other)):
            own.takesAll(of: other)
        case (.userInfo(let key, let own), .userInfo(let otherKey, let other)):
            key == otherKey && own.takesAll(of: other)
        case (.contextIdentifierPath(let own), .contextIdentifierPath(let other)):
            own.count == other.count && zip(own, other).allSatisfy { $0.takesAll(of: $1) }
        default: false
        }
    }
}

extension TextPattern {
    /// Stands for what a capture takes; no character of a text.
    private static let anything = "\u{10FFFF}"

    /// False where the literal text at the start differs at once, which most rules do.
    ///
    /// Equal bytes below 128 are equal characters, whatever comes behind them, except for a mark that changes the last.
    func startsLike(_ other: TextPattern) -> Bool {
        let common = min(literals[0].utf8.count, other.literals[0].utf8.count) - 1
        guard common > 0 else { return true }
        for (own, other) in zip(literals[0].utf8.prefix(common), other.literals[0].utf8.prefix(common)) {
            if own >= 0x80 || other >= 0x80 { return true }
            if own != other { return false }
        }
        return true
    }

    /// Whether the pattern matches every text that the other one matches.
    ///
    /// It does when it matches the other's literal text with one unknown character for each capture: that can only be
    /// part of a capture, which whatever comes in its place would be as well.
    func takesAll(of other: TextPattern) -> Bool {
        guard startsLike(other) else { return false }
        var captured: [String?] = []
        return match(other.literals.joined(separator: Self.anything), capturing: &captured)
    }
}
