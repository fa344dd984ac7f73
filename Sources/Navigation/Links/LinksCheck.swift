/// Judges the section `links`: association rules that do not what they seem to, routes that no link comes to.
struct LinksCheck {
    let links: Links

    func run(_ findings: inout Findings) {
        for entry in links.entries {
            guard case .file(let claims, let file) = entry.claim else { continue }
            check(claims, of: entry, file, &findings)
        }
        for (index, route) in links.routes.enumerated() {
            if let earlier = links.routes[..<index].first(where: { findings.mayCompare() && $0.takesAll(of: route) }) {
                findings.add(
                    .warning, .neverReached, at: route.position,
                    "The rule \(route.path) is never reached: \(earlier.path) in line \(earlier.position.line) takes "
                        + "all that it could take; move it before that rule, or remove it.")
            } else if !canBeClaimed(route) {
                findings.add(
                    .warning, .neverReached, at: route.position,
                    "The rule \(route.path) is never reached: no association file claims links that begin with "
                        + "\(String(decoding: route.pattern.literalPrefix, as: UTF8.self)).")
            }
            checkArguments(of: route, &findings)
        }
    }

    // MARK: Association files

    private func check(
        _ claims: AssociationClaims, of entry: Links.Entry, _ file: String, _ findings: inout Findings
    ) {
        for note in claims.notes {
            let severity: ConfigurationProblem.Severity = note.isHarmless ? .note : .warning
            findings.add(severity, .notClaimed, at: note.position, "\(note.place): \(note.sentence)", in: file)
        }
        guard claims.rules.contains(where: { !$0.excludes }) else {
            let others = claims.namedAppIDs.filter { $0 != claims.appID }
            let named = others.isEmpty ? "it names no other app" : "it names \(others.joined(separator: ", "))"
            findings.add(
                .warning, .notClaimed, at: entry.position,
                "The association file \(file) claims no link of \(entry.name) for \(claims.appID); \(named).")
            return
        }
        var coverage = CoverageIndex(claims.rules)
        var claimsSome = false
        for (index, rule) in claims.rules.enumerated() {
            defer { claimsSome = claimsSome || !rule.excludes }
            if let earlier = coverage.takeCovering(of: index) {
                findings.add(
                    .warning, .neverReached, at: rule.position,
                    "The rule \(rule.place) is never reached: \(earlier.place) takes all that it could take; "
                        + "move it before that rule, or remove it.", in: file)
            } else if rule.excludes, rule.takesEverything, !claimsSome {
                findings.add(
                    .warning, .notClaimed, at: rule.position,
                    "The rule \(rule.place) keeps every link out of the app; a query item or fragment that must be "
                        + "there is written ?*, since * takes an absent one too.", in: file)
            }
        }
        if !coverage.isComplete {
            findings.add(
                .note, .neverReached, at: .start,
                "The association file has too many rules of wildcards alone to compare all of them; some that are never "
                    + "reached may not be named.", in: file)
        }
    }

    // MARK: Routes

    /// Whether an association rule may claim a link that the route takes, as far as literal text shows.
    private func canBeClaimed(_ route: LinkRoute) -> Bool {
        guard links.schemes.isEmpty else { return true }
        let prefix = LinkTexts.withoutOuterSlashes(route.pattern.literalPrefix[...])
        return links.entries.contains { entry in
            guard case .file(let claims, _) = entry.claim else { return true }
            return claims.rules.contains { !$0.excludes && $0.mayTakePaths(beginningWith: prefix) }
        }
    }

    private func checkArguments(of route: LinkRoute, _ findings: inout Findings) {
        guard case .command(let command) = route.action else { return }
        for variable in command.arguments.variables {
            guard case .capture(let index) = variable.source, index < route.pattern.names.count,
                route.pattern.isOptional(group: index)
            else { continue }
            findings.add(
                .note, .maybeMissing, at: variable.position,
                "$\(variable.name) may have no value; such a link is answered missingValue.")
        }
    }
}

extension LinkRoute {
    /// Whether the route takes every link that the other one could.
    fileprivate func takesAll(of other: LinkRoute) -> Bool {
        pattern.covers(other.pattern)
            && query.allSatisfy { own in
                other.query.contains { $0.name == own.name && own.pattern.takesAll(of: $0.pattern) }
            }
    }
}

extension AssociationRule {
    /// False where the literal text at a pattern's start differs from every such path.
    fileprivate func mayTakePaths(beginningWith prefix: [UInt8]) -> Bool {
        guard let path, form == Form() else { return true }
        return path.contains { pattern in
            guard case .literal(let literal) = pattern.tokens.first else { return true }
            return zip(literal, prefix).allSatisfy { $0 == $1 }
        }
    }
}
