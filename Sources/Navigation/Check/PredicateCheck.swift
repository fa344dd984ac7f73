internal import PersistentStore

/// Judges a predicate's entity, attributes and literal values.
struct PredicateCheck {
    let template: PredicateTemplate
    let models: ModelSearch

    func run(_ findings: inout Findings) {
        let entity = template.predicate.entity
        let places = models.places(of: entity)
        guard !places.isEmpty else {
            findings.add(.error, .unknownEntity, at: template.entityPosition, models.unknownEntity(entity))
            return
        }
        for index in template.operands.indices {
            for place in places { check(index, in: place.model, entity: place.index, &findings) }
        }
        for place in places { checkContradictions(place.model, entity: place.index, &findings) }
    }

    private func check(_ index: Int, in model: ObjectModel, entity: Int, _ findings: inout Findings) {
        let comparison = template.predicate.comparisons[index]
        let name = comparison.attribute
        guard let attribute = model.attribute(name, of: entity) else {
            let isRelationship = model.relationship(name, of: entity) != nil
            let advice =
                isRelationship
                ? "it is a relationship; compare an attribute."
                : model.advice(for: name, of: entity, withRelationships: false)
            findings.add(
                .error, .unknownAttribute, at: template.attributePositions[index],
                "The entity \(model.entities[entity].name) has no attribute \(name); \(advice)")
            return
        }
        if attribute.isTransient || Self.incomparable.contains(attribute.type) {
            let what = attribute.isTransient ? "is not stored" : "holds \(attribute.type.rawValue.lowercased()) values"
            findings.add(
                .error, .neverHolds, at: template.attributePositions[index],
                "The attribute \(name) \(what), which no value equals; compare another attribute.")
        } else if let (why, severity) = ComparisonCheck(
            attribute: attribute, comparison: comparison, operand: template.operands[index]
        ).failure {
            findings.add(severity, .neverHolds, at: template.operandPositions[index], why)
        }
    }

    /// Literal values of one attribute that differ, whatever is folded: no object has both.
    private func checkContradictions(_ model: ObjectModel, entity: Int, _ findings: inout Findings) {
        let comparisons = template.predicate.comparisons
        for index in comparisons.indices {
            for other in comparisons.indices.prefix(upTo: index)
            where comparisons[other].attribute == comparisons[index].attribute {
                guard case .literal(let one) = template.operands[other],
                    case .literal(let two) = template.operands[index],
                    let type = model.attribute(comparisons[index].attribute, of: entity)?.type,
                    let left = MatchKey(sought: one, type: type, folding: Self.broadest),
                    let right = MatchKey(sought: two, type: type, folding: Self.broadest), left != right
                else { continue }
                findings.add(
                    .error, .neverHolds, at: template.operandPositions[index],
                    "The attribute \(comparisons[index].attribute) cannot equal both \(one.phrase) and \(two.phrase); "
                        + "remove one of the comparisons.")
            }
        }
    }

    private static let broadest = TextFolding(case: true, diacritics: true)

    private static let incomparable: Set<AttributeType> = [.binary, .transformable, .objectID, .composite]
}
