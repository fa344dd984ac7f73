internal import Activities
internal import PersistentStore

/// A variable that a template or a predicate needs has no value.
struct MissingValue: Error {
    let variable: Variable
}

extension Variable {
    /// The value for an activity; nil where it is absent or null.
    func value(in activity: Activity, captures: [String?], attributes: [AttributeValue]) -> Value? {
        switch source {
        case .title: return activity.title.map { .text($0) }
        case .activityType: return .text(activity.activityType)
        case .webpageURL: return activity.usableWebpageURL.map { .text($0) }
        case .persistentIdentifier: return activity.persistentIdentifier.map { .text($0) }
        case .targetContentIdentifier: return activity.targetContentIdentifier.map { .text($0) }
        case .userInfo(let key): return key.value(in: activity.userInfo).map { .json($0) }
        case .query(let name):
            return activity.link.flatMap { WebQuery.value(of: name, in: $0) }.map { .text($0) }
        case .capture(let index): return captures[index].map { .text($0) }
        case .attribute(let index):
            if case .null = attributes[index] { return nil }
            return .attribute(attributes[index])
        }
    }
}

extension UserInfoKey {
    /// The value; nil where it is absent or null.
    func value(in userInfo: JSONValue?) -> JSONValue? {
        guard let userInfo, let found = find(in: userInfo), !found.isNull else { return nil }
        return found
    }
}

extension Template {
    /// Writes the filled-in value, which stands alone; `attributes` are the object's, by its entity rule's plan.
    func write(
        to writer: inout JSONWriter, activity: Activity, captures: [String?], attributes: [AttributeValue]
    ) throws(MissingValue) {
        for piece in pieces {
            switch piece {
            case .json(let json): writer.verbatim(json)
            case .value(let variable):
                guard let value = variable.value(in: activity, captures: captures, attributes: attributes),
                    value.write(to: &writer)
                else { throw MissingValue(variable: variable) }
            case .text(let parts):
                writer.string(try parts.text(activity: activity, captures: captures, attributes: attributes))
            }
        }
    }
}

extension [Template.TextPart] {
    /// The filled-in text.
    func text(
        activity: Activity, captures: [String?], attributes: [AttributeValue]
    ) throws(MissingValue) -> String {
        var text = ""
        for part in self {
            switch part {
            case .literal(let literal): text += literal
            case .variable(let variable):
                let value = variable.value(in: activity, captures: captures, attributes: attributes)
                guard let filled = value?.text else { throw MissingValue(variable: variable) }
                text += filled
            }
        }
        return text
    }
}
