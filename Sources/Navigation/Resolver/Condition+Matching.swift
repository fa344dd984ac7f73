internal import Activities

extension ActivityRule {
    /// The index of the first condition that does not hold; nil where the rule takes the activity.
    ///
    /// The type is not looked at again. What the patterns capture is put into `captured`.
    func firstFailure(of activity: Activity, capturing captured: inout [String?]) -> Int? {
        captured.removeAll(keepingCapacity: true)
        return conditions.indices.first { !conditions[$0].holds(for: activity, capturing: &captured) }
    }
}

extension Condition {
    fileprivate func holds(for activity: Activity, capturing captured: inout [String?]) -> Bool {
        switch self {
        case .title(let pattern): return pattern.match(activity.title, capturing: &captured)
        case .persistentIdentifier(let pattern):
            return pattern.match(activity.persistentIdentifier, capturing: &captured)
        case .targetContentIdentifier(let pattern):
            return pattern.match(activity.targetContentIdentifier, capturing: &captured)
        case .userInfo(let key, let pattern):
            guard let value = key.value(in: activity.userInfo), value.kind != .object, value.kind != .array else {
                return false
            }
            return pattern.match(Value.json(value).text, capturing: &captured)
        case .contextIdentifierPath(let patterns):
            guard let path = activity.contextIdentifierPath, path.count == patterns.count else { return false }
            for (pattern, step) in zip(patterns, path) where !pattern.match(step, capturing: &captured) {
                return false
            }
            return true
        }
    }

    /// What the condition asks, for people.
    var phrase: String {
        switch self {
        case .title(let pattern): "title must match \"\(pattern.source)\""
        case .persistentIdentifier(let pattern): "persistentIdentifier must match \"\(pattern.source)\""
        case .targetContentIdentifier(let pattern): "targetContentIdentifier must match \"\(pattern.source)\""
        case .userInfo(let key, let pattern): "userInfo.\(key.name) must match \"\(pattern.source)\""
        case .contextIdentifierPath(let patterns):
            "contextIdentifierPath must match \"\(patterns.map(\.source).joined(separator: "\", \""))\""
        }
    }
}

extension TextPattern {
    fileprivate func match(_ text: String?, capturing captured: inout [String?]) -> Bool {
        guard let text else { return false }
        return match(text, capturing: &captured)
    }
}
