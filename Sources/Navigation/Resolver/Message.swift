internal import Activities
import FoundationEssentials
internal import PersistentStore

/// The sentences of commands that are not handled.
enum Message {
    static let missingIdentifier =
        "The search result has no identifier: userInfo holds no text under kCSSearchableItemActivityIdentifier."
    static let missingWebpageURL = "The activity has no webpageURL that is an http or https URL."
    static let malformedURL = "The url of the activity is no URL with a scheme."
    static let malformedURI = "The identifier is not an object URI; one is written x-coredata://STORE/ENTITY/pNUMBER."
    static let unroutedIdentifier = "The identifier is not an object URI, and no rule under searchResults takes it."
    static let temporary = "The object of this URI had not been saved when its identifier was taken."

    static func unknownApp(_ requestAppID: String?, _ appID: String?) -> String {
        let names = [requestAppID, appID].compactMap(\.self).filter { !$0.isEmpty }
        guard let name = names.first else {
            return "The request names no app: it has neither the property app_id nor an appID in its body."
        }
        let other = names.dropFirst().first.map { " or \(brief($0))" } ?? ""
        return "No app \(brief(name))\(other) is configured under apps."
    }

    static func unknownStore(_ uri: ObjectURI) -> String { "No open store has the identifier \(brief(uri.store))." }

    static func unknownEntity(_ uri: ObjectURI) -> String {
        "The store \(brief(uri.store)) has no entity \(brief(uri.entity))."
    }

    static func entityNotRouted(_ entity: String) -> String {
        "No rule under entities takes the entity \(entity) or an ancestor of it."
    }

    static func activityNotRouted(_ type: String, rules: Int) -> String {
        switch rules {
        case 0: "No rule under activities takes the activity type \(brief(type))."
        case 1: "The one rule for the activity type \(type) does not match."
        default: "None of the \(rules) rules for the activity type \(type) matches."
        }
    }

    static func missingValue(_ variable: Variable, of object: FetchedObject? = nil) -> String {
        guard case .attribute(let index) = variable.source, let value = object?.values[index] else {
            return "The variable $\(variable.name) has no value."
        }
        return switch value {
        case .externalDataMissing(let file):
            "The variable $\(variable.name) has no value here: its data lies in the external file \(file), which is "
                + "missing."
        case .number, .date: "The variable $\(variable.name) has a value that JSON cannot express."
        default: "The variable $\(variable.name) has no value."
        }
    }

    static func notFound(_ absence: Absence, _ uri: ObjectURI) -> String {
        let entity = brief(uri.entity)
        let key = if case .permanent(let number) = uri.key { String(number) } else { "" }
        switch absence {
        case .deleted(let date):
            let time = date.flatMap { ISO8601.text(seconds: $0.timeIntervalSinceReferenceDate) }
            return "The \(entity) with primary key \(key) was deleted\(time.map { " at \($0)" } ?? "")."
        case .expired(let date):
            let time = ISO8601.text(seconds: date.timeIntervalSinceReferenceDate)
            return "The \(entity) with primary key \(key) expired\(time.map { " at \($0)" } ?? "")."
        case .otherEntity(let other): return "The object with primary key \(key) is a \(other), not a \(entity)."
        case .noRow, .noMatch: return "The store has no \(entity) with primary key \(key)."
        }
    }

    static func noMatch(_ predicate: PredicateTemplate) -> String {
        "No store has a \(predicate.predicate.entity) for which \(predicate.text) holds."
    }

    static func unknownEntity(_ predicate: PredicateTemplate) -> String {
        "No open store has the entity \(predicate.predicate.entity)."
    }

    /// Text from a request, at a length that a sentence can hold.
    static func brief(_ text: String) -> String {
        text.utf8.count <= 120 || text.count <= 120 ? text : "\(text.prefix(120))..."
    }
}
