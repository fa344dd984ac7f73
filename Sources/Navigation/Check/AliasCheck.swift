/// Judges the aliases of stores against the stores that are open.
struct AliasCheck {
    let aliases: [StoreAlias]
    /// The identifiers of the open stores.
    let identifiers: [String]

    func run(_ findings: inout Findings) {
        for alias in aliases {
            if identifiers.contains(alias.current) {
                guard identifiers.contains(alias.former) else { continue }
                findings.add(
                    .warning, .alias, at: alias.position,
                    "The alias \(alias.former) is never followed, for an open store has this identifier; remove the line."
                )
            } else if let next = aliases.first(where: { $0.former == alias.current }) {
                findings.add(
                    .warning, .alias, at: alias.position,
                    "The alias \(alias.former) leads to \(alias.current), which is an alias itself; an alias is followed "
                        + "once, so name \(next.current) here.")
            } else {
                let known = identifiers.isEmpty ? "no store is open" : "open are \(identifiers.joined(separator: ", "))"
                findings.add(
                    .warning, .alias, at: alias.position,
                    "The alias \(alias.former) leads to \(alias.current), which is no open store's identifier; \(known)."
                )
            }
        }
    }
}
