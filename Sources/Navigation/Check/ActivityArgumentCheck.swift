internal import Activities

/// Finds arguments of activity rules that may have no value, since nothing in the rule asks for it.
struct ActivityArgumentCheck {
    let rule: ActivityRule

    func run(_ findings: inout Findings) {
        guard case .command(let command) = rule.action else { return }
        for variable in command.arguments.variables where mayBeMissing(variable.source) {
            findings.add(
                .note, .maybeMissing, at: variable.position,
                "$\(variable.name) may have no value; such an activity is answered missingValue.")
        }
    }

    private func mayBeMissing(_ source: Variable.Source) -> Bool {
        switch source {
        case .activityType, .capture, .attribute: false
        case .title: !hasCondition { if case .title = $0 { true } else { false } }
        case .persistentIdentifier: !hasCondition { if case .persistentIdentifier = $0 { true } else { false } }
        case .targetContentIdentifier: !hasCondition { if case .targetContentIdentifier = $0 { true } else { false } }
        case .userInfo(let key):
            !isAlwaysThere(key)
                && !hasCondition { if case .userInfo(let asked, _) = $0 { asked == key } else { false } }
        // A web page and its query come with links alone, whose rules are judged with them.
        case .webpageURL, .query: rule.activityType != Activity.Name.browsingWebType
        }
    }

    private func hasCondition(_ isIt: (Condition) -> Bool) -> Bool { rule.conditions.contains(where: isIt) }

    /// What the system itself puts into the activity.
    private func isAlwaysThere(_ key: UserInfoKey) -> Bool {
        rule.activityType == Activity.Name.queryContinuationActionType
            && key.name == Activity.Name.searchQueryString.description
    }
}
