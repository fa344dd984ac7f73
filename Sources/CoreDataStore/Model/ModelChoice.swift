internal import PersistentStore

/// The model that fits a store best, of those that are at hand.
struct ModelChoice {
    let definition: ModelDefinition
    let source: ModelSource
    let numbered: NumberedModel
    let columns: ColumnMap

    /// Chooses: a given version that matches exactly, the store's own copy, the given version that fits best, and
    /// last the bare columns.
    static func best(
        metadata: StoreMetadata, schema: StoreSchema, own: ModelDefinition?, given: ModelFile?
    ) -> ModelChoice {
        let versions = (given?.versions ?? []).map { version in
            Candidate(version, metadata: metadata, schema: schema, path: version.path)
        }
        if let exact = versions.filter(\.isExact).min() { return exact.choice }
        if let own, metadata.entityHashes.isEmpty || own.isModel(of: metadata) {
            return ModelChoice(own, source: .store, schema: schema, metadata)
        }
        if let near = versions.filter(\.isUsable).min() { return near.choice.completed(by: schema, metadata) }
        if let own, let candidate = ModelChoice(own, source: .store, schema: schema, metadata).ifUsable {
            return candidate.completed(by: schema, metadata)
        }
        return ModelChoice(ColumnModel.definition(of: schema), source: .columns, schema: schema, metadata)
    }

    init(_ definition: ModelDefinition, source: ModelSource, schema: StoreSchema, _ metadata: StoreMetadata) {
        self.definition = definition
        self.source = source
        numbered = NumberedModel(definition, schema: schema, isStores: definition.isModel(of: metadata))
        columns = ColumnMap(numbered, schema: schema)
    }

    /// The choice, if it has at least one entity with a table.
    private var ifUsable: ModelChoice? { columns.tables.contains { $0 != nil } ? self : nil }

    /// The same model with what else is in the store: the columns that it does not know, by their lower-cased names.
    private func completed(by schema: StoreSchema, _ metadata: StoreMetadata) -> ModelChoice {
        guard !columns.unclaimed.isEmpty else { return self }
        var definition = definition
        for (index, entity) in numbered.entities.enumerated() where numbered.parents[index] == nil {
            guard let table = columns.tables[index], let rest = columns.unclaimed[table],
                let position = definition.entities.firstIndex(where: { $0.name == entity.name })
            else { continue }
            ColumnModel.add(rest, of: table, to: &definition.entities[position], schema)
        }
        return ModelChoice(definition, source: source, schema: schema, metadata)
    }
}

extension ModelDefinition {
    /// Whether the entities are those that the store's metadata names.
    fileprivate func isModel(of metadata: StoreMetadata) -> Bool {
        !metadata.entityHashes.isEmpty && Set(entities.map(\.name)) == Set(metadata.entityHashes.keys)
    }
}

/// A given version with the marks by which it is compared to others.
private struct Candidate: Comparable {
    let choice: ModelChoice
    let isExact: Bool
    let isUsable: Bool
    private let marks: [Int]

    init(_ version: ModelFile.Version, metadata: StoreMetadata, schema: StoreSchema, path: String) {
        choice = ModelChoice(
            version.definition, source: .file(path: path, version: version.name), schema: schema, metadata)
        let names = Set(version.definition.entities.map(\.name))
        let stored =
            metadata.entityHashes.isEmpty ? Set(schema.entities.map(\.name)) : Set(metadata.entityHashes.keys)
        let misfit = choice.columns.misfit
        let hasIdentifier = metadata.versionIdentifiers.contains { !$0.isEmpty }
        let isOther =
            hasIdentifier
            && Set(version.definition.versionIdentifiers).isDisjoint(with: metadata.versionIdentifiers)
        let hashesMatch = !version.entityHashes.isEmpty && version.entityHashes == metadata.entityHashes
        if version.entityHashes.isEmpty || metadata.entityHashes.isEmpty {
            isExact = names == stored && misfit == 0 && !isOther
        } else {
            isExact = hashesMatch
        }
        isUsable = !names.isDisjoint(with: stored) && choice.columns.tables.contains { $0 != nil }
        marks = [
            hashesMatch ? 0 : 1, names.symmetricDifference(stored).count, misfit, isOther ? 1 : 0,
            version.isCurrent ? 0 : 1,
        ]
    }

    static func < (left: Candidate, right: Candidate) -> Bool {
        left.marks.lexicographicallyPrecedes(right.marks)
    }

    static func == (left: Candidate, right: Candidate) -> Bool { left.marks == right.marks }
}
