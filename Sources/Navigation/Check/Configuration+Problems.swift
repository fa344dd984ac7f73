public import PersistentStore
internal import Spelling

extension Configuration {
    /// Judges the configuration against the models of its stores, in the stores' order.
    ///
    /// In the order of the file. `identifiers` are those of the stores; without them aliases are not judged. Rules of one
    /// activity type are compared with one another, so this is for `check`, not for a start.
    public func problems(
        against models: [ObjectModel], identifiers: [String]? = nil
    ) -> [ConfigurationProblem] {
        var findings = Findings(file: file)
        let models = ModelSearch(models: models)
        for rule in entityRules { EntityRuleCheck(rule: rule, models: models).run(&findings) }
        for template in predicateTemplates { PredicateCheck(template: template, models: models).run(&findings) }
        checkOpenedEntities(models, &findings)
        checkUnroutedEntities(models, &findings)
        checkUnusedEntityRules(models, &findings)
        for rule in activityRules { ActivityArgumentCheck(rule: rule).run(&findings) }
        RuleOrderCheck(configuration: self).run(&findings)
        AmbiguityCheck(configuration: self).run(&findings)
        if let identifiers { AliasCheck(aliases: aliases, identifiers: identifiers).run(&findings) }
        if let links { LinksCheck(links: links).run(&findings) }
        return findings.problems
    }

    /// Entities and attributes that no store has: what `run` and `resolve` warn of, since a store may come later.
    public func unknownNames(against models: [ObjectModel]) -> [ConfigurationProblem] {
        var findings = Findings(file: file)
        let models = ModelSearch(models: models)
        for rule in entityRules { EntityRuleCheck(rule: rule, models: models).run(&findings) }
        for template in predicateTemplates { PredicateCheck(template: template, models: models).run(&findings) }
        return findings.problems.filter { $0.kind == .unknownEntity || $0.kind == .unknownAttribute }
    }

    /// The activity rules, those of one type together, in their order.
    var activityRulesByType: [[ActivityRule]] {
        var places: [String: Int] = [:]
        var groups: [[ActivityRule]] = []
        for rule in activityRules {
            if let place = places[rule.activityType] {
                groups[place].append(rule)
            } else {
                places[rule.activityType] = groups.count
                groups.append([rule])
            }
        }
        return groups
    }

    /// Rules that open an entity which, with all its descendants, no entity rule takes.
    private func checkOpenedEntities(_ models: ModelSearch, _ findings: inout Findings) {
        let routed = Set(entityRules.map(\.entity))
        for template in predicateTemplates {
            let entity = template.predicate.entity
            guard !models.places(of: entity).isEmpty, !models.family(of: entity).contains(where: routed.contains)
            else { continue }
            findings.add(
                .error, .notRouted, at: template.entityPosition,
                "No rule under entities takes \(entity); add one, so that the object that is found can be opened.")
        }
    }

    /// Rules of abstract entities whose descendants all have rules of their own.
    private func checkUnusedEntityRules(_ models: ModelSearch, _ findings: inout Findings) {
        let routed = Set(entityRules.map(\.entity))
        for rule in entityRules {
            let places = models.places(of: rule.entity)
            let isUsed = places.contains { model, index in
                model.entities.indices.contains { candidate in
                    guard !model.entities[candidate].isAbstract else { return false }
                    let nearest = model.lineage(of: candidate).first { routed.contains(model.entities[$0].name) }
                    return nearest == index
                }
            }
            guard !places.isEmpty, !isUsed else { continue }
            findings.add(
                .warning, .neverReached, at: rule.position,
                "The rule \(rule.path) is never reached: \(rule.entity) is abstract, and every entity that descends "
                    + "from it has a rule of its own; remove the rule.")
        }
    }

    private func checkUnroutedEntities(_ models: ModelSearch, _ findings: inout Findings) {
        let routed = Set(entityRules.map(\.entity))
        let unrouted = models.concreteEntities.filter { !models.lineage(of: $0).contains(where: routed.contains) }
        guard !unrouted.isEmpty else { return }
        findings.add(
            .note, .notRouted, at: .start,
            "No rule under entities takes \(unrouted.joined(separator: ", ")); their objects are answered entityNotRouted."
        )
    }
}

/// Collects problems.
struct Findings {
    let file: String
    private var found: [ConfigurationProblem] = []
    private var known: Set<ConfigurationProblem> = []
    private var comparisonsLeft = 1 << 21

    init(file: String) {
        self.file = file
    }

    mutating func add(
        _ severity: ConfigurationProblem.Severity, _ kind: ConfigurationProblem.Kind, at position: TextPosition,
        _ sentence: String, in other: String? = nil
    ) {
        let problem = ConfigurationProblem(
            severity: severity, kind: kind, place: ConfigurationError(file: other ?? file, at: position, sentence))
        if known.insert(problem).inserted { found.append(problem) }
    }

    /// Whether two rules may still be compared; `cost` says how much of an effort it is.
    ///
    /// Thousands of rules of one kind would else keep `check` busy for minutes.
    mutating func mayCompare(cost: Int = 1) -> Bool {
        guard comparisonsLeft > 0 else { return false }
        comparisonsLeft -= cost
        if comparisonsLeft <= 0 {
            add(
                .note, .neverReached, at: .start,
                "There are too many rules to compare each with every other; some that are never reached may not be named."
            )
        }
        return true
    }

    /// The problems, in the order of the file; those of files that it names come last.
    var problems: [ConfigurationProblem] {
        found.enumerated()
            .sorted {
                let isOwn = ($0.element.file == file, $1.element.file == file)
                if isOwn.0 != isOwn.1 { return isOwn.0 }
                if $0.element.file != $1.element.file { return $0.element.file < $1.element.file }
                return ($0.element.line, $0.element.column, $0.offset)
                    < ($1.element.line, $1.element.column, $1.offset)
            }
            .map(\.element)
    }
}

/// Finds entities in the models of several stores.
struct ModelSearch {
    let models: [ObjectModel]

    /// Each model that has the entity, with the entity's index there.
    func places(of entity: String) -> [(model: ObjectModel, index: Int)] {
        models.compactMap { model in model.index(of: entity).map { (model, $0) } }
    }

    /// The names of an entity and its ancestors, in all models.
    func lineage(of entity: String) -> [String] {
        places(of: entity).flatMap { model, index in model.lineage(of: index).map { model.entities[$0].name } }
    }

    /// The names of an entity, its ancestors and its descendants, in all models.
    func family(of entity: String) -> [String] {
        places(of: entity).flatMap { model, index in
            lineage(of: entity)
                + model.entities.indices.filter { model.entity($0, isKindOf: index) }.map { model.entities[$0].name }
        }
    }

    /// The names of all entities whose objects can exist, each once.
    var concreteEntities: [String] {
        Set(models.flatMap(\.entities).filter { !$0.isAbstract }.map(\.name)).sorted()
    }

    /// A sentence about an entity that no store has.
    func unknownEntity(_ entity: String) -> String {
        let nearest = NearestWord.to(entity, among: models.flatMap(\.entities).map(\.name))
        let advice = nearest.map { "did you mean \($0)?" } ?? "correct the name, or add the store that has it."
        return "No store has the entity \(entity); \(advice)"
    }
}
