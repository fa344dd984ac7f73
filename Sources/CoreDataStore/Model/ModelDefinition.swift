internal import PersistentStore

/// A data model as its source says it, before it is fitted to a store.
struct ModelDefinition: Sendable {
    /// An entity, by names.
    struct Entity: Sendable {
        var name: String
        var className: String?
        var parent: String?
        var isAbstract = false
        /// Own attributes and, from some sources, inherited ones.
        var attributes: [Attribute] = []
        /// Own relationships and, from some sources, inherited ones.
        var relationships: [RelationshipDescription] = []
    }

    /// An attribute and what its column is named after.
    struct Attribute: Sendable {
        var description: AttributeDescription
        /// The name that the column is made of; nil where there is none (transient, composite).
        var columnName: String?

        /// Makes a plain attribute.
        init(_ description: AttributeDescription) {
            self.description = description
            let isStored = !description.isTransient && description.type != .composite
            columnName = isStored ? description.name : nil
        }

        /// Makes an element of a composite attribute: its column is named after the element alone.
        init(element: Attribute, of composite: AttributeDescription) {
            description = element.description
            description.name = composite.name + "." + element.description.name
            description.isTransient = description.isTransient || composite.isTransient
            columnName = composite.isTransient ? nil : element.columnName
        }
    }

    static let maximumEntities = 10_000
    static let maximumProperties = 100_000
    /// How long a chain of parents may be.
    static let maximumDepth = 64

    /// The identifiers that the app's author gave this version; often none.
    var versionIdentifiers: [String] = []
    var entities: [Entity]

    /// The model with every property at the entity that declares it, and every parent a known entity without a cycle.
    func normalized() -> ModelDefinition {
        var unique: [String: Int] = [:]
        var result = self
        result.entities = []
        for entity in entities where unique[entity.name] == nil {
            unique[entity.name] = result.entities.count
            result.entities.append(entity)
        }
        result.breakCycles(unique)
        let declared = result.entities.map { entity in
            Set(entity.attributes.map(\.description.name) + entity.relationships.map(\.name))
        }
        for index in result.entities.indices {
            var inherited: Set<String> = []
            for ancestor in result.ancestors(of: index, unique) { inherited.formUnion(declared[ancestor]) }
            result.entities[index].attributes.removeAll { inherited.contains($0.description.name) }
            result.entities[index].relationships.removeAll { inherited.contains($0.name) }
        }
        return result
    }

    /// Cuts parents that are unknown, or part of a cycle or of a chain deeper than any real one.
    private mutating func breakCycles(_ indexes: [String: Int]) {
        for index in entities.indices {
            var depth = 0
            var next = entities[index].parent.flatMap { indexes[$0] }
            if next == nil { entities[index].parent = nil }
            while let current = next, depth <= Self.maximumDepth {
                depth += 1
                next = entities[current].parent.flatMap { indexes[$0] }
            }
            if depth > Self.maximumDepth { entities[index].parent = nil }
        }
    }

    private func ancestors(of index: Int, _ indexes: [String: Int]) -> [Int] {
        var ancestors: [Int] = []
        var next = entities[index].parent.flatMap { indexes[$0] }
        while let current = next {
            ancestors.append(current)
            next = entities[current].parent.flatMap { indexes[$0] }
        }
        return ancestors
    }
}
