internal import Activities
internal import PersistentStore

/// Notes how an answer comes about, for `Explanation`; where nobody asks, there is none and nothing is noted.
final class Trace {
    var explanation = Explanation()

    func classified(_ kind: NavigationCommand.Kind) { explanation.kind = kind }

    func identified(_ identifier: Identifier, text: String) {
        explanation.identifier = text
        explanation.identifierForm =
            switch identifier {
            case .object: "an object URI"
            case .malformedURI: "a malformed object URI"
            case .other: "text for the rules under searchResults"
            }
    }

    /// Notes how a rule was judged; `why` says what failed.
    func judged(_ rule: String, at position: TextPosition, matched: Bool, why: String? = nil) {
        note(rule, at: position, matched ? .matched : .failed, why: why)
    }

    /// Notes how each activity rule was judged: `matched` and `failures` by the rules' indexes.
    ///
    /// A rule for another type fails by its type; it is not even looked at to find the answer.
    func judged(
        _ rules: [ActivityRule], for activity: Activity, matched: Int?, failures: [(rule: Int, condition: Int)]
    ) {
        for (index, rule) in rules.enumerated() {
            if let matched, index >= matched {
                note(rule.path, at: rule.position, index == matched ? .matched : .notReached)
            } else if let failure = failures.first(where: { $0.rule == index }) {
                note(rule.path, at: rule.position, .failed, why: rule.conditions[failure.condition].phrase)
            } else {
                note(rule.path, at: rule.position, .failed, why: "activityType must be \(rule.activityType)")
            }
        }
    }

    /// Notes how each entity's rule was judged: of those that take the object, the nearest ancestor's decides.
    func judged(_ rules: [EntityRule], for object: FetchedObject) {
        for (index, rule) in rules.enumerated() {
            let matched = index == object.planEntry
            judged(
                rule.path, at: rule.position, matched: matched, why: matched ? nil : "the object is a \(object.entity)")
        }
    }

    func notReached(_ routes: some Sequence<LinkRoute>) {
        for route in routes { note(route.path, at: route.position, .notReached) }
    }

    func notReached(_ rules: some Sequence<SearchResultRule>) {
        for rule in rules { note(rule.path, at: rule.position, .notReached) }
    }

    private func note(
        _ rule: String, at position: TextPosition, _ outcome: Explanation.Judgement.Outcome, why: String? = nil
    ) {
        explanation.rules.append(.init(rule: rule, line: position.line, outcome: outcome, why: why))
    }

    func asked(_ query: StoreCoordinator.Query, _ predicate: PredicateTemplate?) {
        let text =
            switch (query, predicate) {
            case (.matching(_, let values), .some(let template)):
                "\(template.predicate.entity) where \(template.text), with \(values.map(\.phrase).joined(separator: ", "))"
            case (.object(let uri), _): uri.description
            case (.matching(let predicate, _), _): predicate.entity
            }
        explanation.lookUp = .init(query: text, answer: "no answer yet")
    }

    func answered(_ answer: StoreCoordinator.Answer) {
        explanation.lookUp?.answer =
            switch answer {
            case .found(let object):
                object.matches > 1 ? "\(object.uri), the best of \(object.matches)" : "\(object.uri)"
            case .notFound(.noRow): "no such row"
            case .notFound(.deleted): "the row was deleted"
            case .notFound(.expired): "the object expired"
            case .notFound(.otherEntity(let entity)): "the row is a \(entity)"
            case .notFound(.noMatch): "nothing matches"
            case .temporary: "the object was never saved"
            case .unknownStore: "no open store has this identifier"
            case .unknownEntity: "no such entity"
            case .deferred: "an index is being built"
            case .unavailable(let error): error.description
            }
    }
}

extension PredicateValue {
    /// The value as a predicate writes it.
    var phrase: String {
        switch self {
        case .null: "nil"
        case .boolean(let flag): String(flag)
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .string(let text): "\"\(text)\""
        }
    }
}
