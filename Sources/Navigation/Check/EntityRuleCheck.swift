internal import PersistentStore
internal import Spelling

/// Judges what an entity's rule reads of its objects.
struct EntityRuleCheck {
    let rule: EntityRule
    let models: ModelSearch

    func run(_ findings: inout Findings) {
        let places = models.places(of: rule.entity)
        guard !places.isEmpty else {
            findings.add(.error, .unknownEntity, at: rule.position, models.unknownEntity(rule.entity))
            return
        }
        for variable in rule.command.arguments.variables {
            guard case .attribute(let index) = variable.source else { continue }
            for place in places { check(rule.objectPaths[index], of: variable, from: place, &findings) }
        }
    }

    /// Follows a path from the rule's entity.
    private func check(
        _ path: [String], of variable: Variable, from place: (model: ObjectModel, index: Int),
        _ findings: inout Findings
    ) {
        var entity = place.index
        var isOptional = false
        for (step, name) in path.enumerated() {
            let isLast = step == path.count - 1
            if let relationship = place.model.relationship(name, of: entity) {
                guard !relationship.isToMany else {
                    let sentence =
                        "$\(variable.name) follows \(name), which leads to any number of objects; only to-one relationships can be followed."
                    findings.add(.error, .unknownAttribute, at: variable.position, sentence)
                    return
                }
                isOptional = isOptional || relationship.isOptional
                if isLast { break }
                guard let next = place.model.index(of: relationship.destination) else { return }
                entity = next
            } else if let attribute = place.model.attribute(name, of: entity) {
                guard isLast else {
                    let sentence =
                        "$\(variable.name) goes on after \(name), which is an attribute and not a relationship; end the path there."
                    findings.add(.error, .unknownAttribute, at: variable.position, sentence)
                    return
                }
                guard !attribute.isTransient else {
                    let sentence =
                        "$\(variable.name) is computed by the app and not stored, so that every object is answered "
                        + "missingValue; name a stored attribute."
                    findings.add(.error, .neverHolds, at: variable.position, sentence)
                    return
                }
                isOptional = isOptional || attribute.isOptional
            } else {
                unknown(name, of: entity, in: place.model, variable, &findings)
                return
            }
        }
        guard isOptional else { return }
        findings.add(
            .note, .maybeMissing, at: variable.position,
            "$\(variable.name) may have no value; such an object is answered missingValue.")
    }

    private func unknown(
        _ name: String, of entity: Int, in model: ObjectModel, _ variable: Variable, _ findings: inout Findings
    ) {
        let sentence =
            "The entity \(model.entities[entity].name) has no attribute or to-one relationship \(name); "
            + model.advice(for: name, of: entity, withRelationships: true)
        findings.add(.error, .unknownAttribute, at: variable.position, sentence)
    }
}

extension ObjectModel {
    /// What may have been meant by a name that the entity does not have.
    func advice(for name: String, of entity: Int, withRelationships: Bool) -> String {
        let lineage = lineage(of: entity).map { entities[$0] }
        var known = lineage.flatMap(\.attributes).map(\.name)
        if withRelationships { known += lineage.flatMap(\.relationships).filter { !$0.isToMany }.map(\.name) }
        if let nearest = NearestWord.to(name, among: known) { return "did you mean \(nearest)?" }
        return known.isEmpty ? "it has none." : "it has \(known.sorted().joined(separator: ", "))."
    }
}
