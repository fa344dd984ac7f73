internal import Activities
internal import PersistentStore

/// Decides about one activity by the rules: first what can be said without a store, then what an object leads to.
///
/// Belongs to one thread.
final class Router {
    /// How many types of activities an entity has forms of answers for.
    private static let formsOfEntity = 8

    private let configuration: Configuration
    private let knownStores: KnownStores
    private let parser = JSONParser()
    /// The last forms of answers, some for each of the entity rules.
    private var forms: [AnswerForm?]

    init(_ configuration: Configuration, knowing stores: KnownStores) {
        self.configuration = configuration
        knownStores = stores
        forms = Array(repeating: nil, count: configuration.entityRules.count * Self.formsOfEntity)
    }

    // MARK: Without a store

    /// What the activity leads to; `captured` is a buffer.
    func step(_ activity: Activity, captured: inout [String?], _ trace: Trace?) -> Step {
        if let item = activity.searchableItemIdentifier {
            trace?.classified(.searchResult)
            let identifier = Identifier.read(item, parser, knowing: knownStores)
            trace?.identified(identifier, text: item.string ?? "")
            return step(identifier, of: activity, Route(kind: .searchResult), &captured, trace)
        }
        var rejection: (reason: NotHandledReason, message: String)?
        if configuration.links != nil, activity.isLink, let links = configuration.links {
            switch links.outcome(of: activity, capturing: &captured, trace) {
            case .route(let rule):
                return step(rule.action, activity, captured, Route(kind: .userActivity, rule: rule.path), trace)
            case .rejected(let reason, let message): rejection = (reason, message)
            }
        }
        let rules = activity.withType { configuration.activityRuleIndex.rules(of: $0) }
        if let index = firstMatch(among: rules, activity, &captured, trace) {
            let rule = configuration.activityRules[index]
            return step(rule.action, activity, captured, Route(kind: .userActivity, rule: rule.path), trace)
        }
        let route = Route(kind: .userActivity)
        if let related = activity.relatedUniqueIdentifier {
            let identifier = Identifier(related, parser)
            trace?.identified(identifier, text: related)
            return step(identifier, of: activity, route, &captured, trace)
        }
        if let rejection { return .answered(route.notHandled(activity, rejection.reason, rejection.message)) }
        return .answered(unrouted(activity, route, rules: rules.count))
    }

    private func firstMatch(
        among rules: [Int], _ activity: Activity, _ captured: inout [String?], _ trace: Trace?
    ) -> Int? {
        var failures: [(rule: Int, condition: Int)] = []
        var matched: Int?
        for index in rules {
            guard let condition = configuration.activityRules[index].firstFailure(of: activity, capturing: &captured)
            else {
                matched = index
                break
            }
            if trace != nil { failures.append((index, condition)) }
        }
        trace?.judged(configuration.activityRules, for: activity, matched: matched, failures: failures)
        return matched
    }

    private func unrouted(_ activity: Activity, _ route: Route, rules: Int) -> NavigationCommand {
        switch activity.activityType {
        case Activity.Name.searchableItemActionType:
            route.notHandled(activity, .missingIdentifier, Message.missingIdentifier)
        case Activity.Name.browsingWebType where activity.link.flatMap(LinkURL.init) == nil:
            route.notHandled(activity, .missingValue, Message.missingWebpageURL)
        default:
            route.notHandled(
                activity, .activityNotRouted, Message.activityNotRouted(activity.activityType, rules: rules))
        }
    }

    /// What the identifier of a searchable item leads to.
    private func step(
        _ identifier: consuming Identifier, of activity: Activity, _ route: Route, _ captured: inout [String?],
        _ trace: Trace?
    ) -> Step {
        switch identifier {
        case .object(let uri): return lookUp(.object(uri), nil, route, trace)
        case .malformedURI:
            return .answered(route.notHandled(activity, .malformedIdentifier, Message.malformedURI))
        case .other(let text):
            for (index, rule) in configuration.searchResultRules.enumerated() {
                captured.removeAll(keepingCapacity: true)
                let matches = rule.identifier.match(text, capturing: &captured)
                let why = matches ? nil : "the identifier must match \"\(rule.identifier.source)\""
                trace?.judged(rule.path, at: rule.position, matched: matches, why: why)
                guard matches else { continue }
                trace?.notReached(configuration.searchResultRules[(index + 1)...])
                return step(rule.action, activity, captured, Route(kind: route.kind, rule: rule.path), trace)
            }
            return .answered(route.notHandled(activity, .malformedIdentifier, Message.unroutedIdentifier))
        }
    }

    // MARK: Actions

    private func step(
        _ action: Action, _ activity: Activity, _ captures: [String?], _ route: Route, _ trace: Trace?
    ) -> Step {
        do throws(MissingValue) {
            switch action {
            case .command(let command):
                return .answered(route.answer(activity, command, captures: captures, object: nil))
            case .open(.matching(let predicate)):
                guard let values = try predicate.values(in: activity, captures: captures) else {
                    return .answered(route.notHandled(activity, .objectNotFound, Message.noMatch(predicate)))
                }
                return lookUp(.matching(predicate.predicate, values: values), predicate, route, trace)
            case .open(.object(let parts)):
                return try open(parts, activity, captures, route, trace)
            }
        } catch {
            return .answered(route.notHandled(activity, .missingValue, Message.missingValue(error.variable)))
        }
    }

    private func open(
        _ parts: [Template.TextPart], _ activity: Activity, _ captures: [String?], _ route: Route, _ trace: Trace?
    ) throws(MissingValue) -> Step {
        let identifier: Identifier
        if parts.count == 1, case .variable(let variable) = parts[0],
            case .json(let value) = variable.value(in: activity, captures: captures, attributes: []),
            value.kind == .object
        {
            identifier = Identifier.persistentIdentifier(value) ?? .malformedURI
        } else {
            identifier = Identifier(try parts.text(activity: activity, captures: captures, attributes: []), parser)
        }
        guard case .object(let uri) = identifier else {
            return .answered(route.notHandled(activity, .malformedIdentifier, Message.malformedURI))
        }
        return lookUp(.object(uri), nil, route, trace)
    }

    private func lookUp(
        _ query: StoreCoordinator.Query, _ predicate: PredicateTemplate?, _ route: Route, _ trace: Trace?
    ) -> Step {
        trace?.asked(query, predicate)
        return .lookUp(query, predicate, route)
    }

    // MARK: With an object

    /// What a store's answer other than an object leads to; `predicate` is that of the query.
    func outcome(
        _ answer: StoreCoordinator.Answer, to query: StoreCoordinator.Query, _ predicate: PredicateTemplate?,
        _ route: Route, _ activity: Activity
    ) -> Resolver.Outcome {
        switch answer {
        case .deferred: return .deferred
        case .unavailable(let error): return .unavailable(error)
        case .found, .notFound, .temporary, .unknownStore, .unknownEntity:
            let (reason, message) = reason(answer, query, predicate)
            return .command(route.notHandled(activity, reason, message))
        }
    }

    /// What an object leads to.
    func command(
        opening object: FetchedObject, _ route: Route, _ activity: Activity, _ trace: Trace?
    ) -> NavigationCommand {
        trace?.judged(configuration.entityRules, for: object)
        guard let entry = object.planEntry else {
            return route.notHandled(activity, .entityNotRouted, Message.entityNotRouted(object.entity), object)
        }
        let rule = configuration.entityRules[entry]
        var route = route
        if route.rule == nil { route.rule = rule.path }
        return route.answer(activity, rule.command, captures: [], object: object)
    }

    /// Writes the answer that opens an object, by the form of earlier ones; false where the object alone does not fill it.
    func write(
        opening object: FetchedObject, _ route: Route, _ activity: Activity, to writer: inout JSONWriter
    ) -> Bool {
        guard let entry = object.planEntry, object.matches == 1 else { return false }
        // Types mostly differ in their length.
        let place = entry * Self.formsOfEntity + activity.typeByteCount % Self.formsOfEntity
        if let form = forms[place], form.fits(object, route, activity) { return form.write(to: &writer, object) }
        let command = configuration.entityRules[entry].command
        guard let attributes = command.attributes, command.isFilled(by: object) else { return false }
        let form = AnswerForm(
            self.command(opening: object, route, activity, nil), command, attributes, object, route)
        forms[place] = form
        return form.write(to: &writer, object)
    }

    private func reason(
        _ answer: StoreCoordinator.Answer, _ query: StoreCoordinator.Query, _ predicate: PredicateTemplate?
    ) -> (NotHandledReason, String) {
        if case .object(let uri) = query, let failure = URIFailure(answer, for: uri) {
            return (failure.reason, failure.message)
        }
        guard let predicate else { preconditionFailure("an answer without an object") }
        if case .unknownEntity = answer { return (.objectNotFound, Message.unknownEntity(predicate)) }
        return (.objectNotFound, Message.noMatch(predicate))
    }
}

extension PredicateTemplate {
    /// The values to compare with; nil where one is an array or object, which no attribute equals.
    fileprivate func values(in activity: Activity, captures: [String?]) throws(MissingValue) -> [PredicateValue]? {
        // One value is the rule, and a literal its cheapest array.
        if operands.count == 1 { return try value(of: operands[0], in: activity, captures: captures).map { [$0] } }
        var values: [PredicateValue] = []
        for operand in operands {
            guard let value = try value(of: operand, in: activity, captures: captures) else { return nil }
            values.append(value)
        }
        return values
    }

    /// The value of one operand; nil where it is an array or object.
    private func value(of operand: Operand, in activity: Activity, captures: [String?]) throws(MissingValue)
        -> PredicateValue?
    {
        switch operand {
        case .literal(let value): return value
        case .variable(let variable):
            guard let value = variable.value(in: activity, captures: captures, attributes: []) else {
                throw MissingValue(variable: variable)
            }
            return value.predicateValue
        }
    }
}
