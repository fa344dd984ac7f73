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
        } else if case .literal(let value) = template.operands[index],
            MatchKey(sought: value, type: attribute.type, folding: comparison.folding) == nil
        {
            findings.add(
                .error, .neverHolds, at: template.operandPositions[index],
                "The attribute \(name) is of the type \(attribute.type.rawValue), which \(value.phrase) never equals; "
                    + "write a value of that type.")
        }
    }

    private static let incomparable: Set<AttributeType> = [.binary, .transformable, .objectID, .composite]
}
