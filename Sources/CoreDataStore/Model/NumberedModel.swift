internal import PersistentStore

/// A model whose entities have the numbers (Z_ENT) that the store gave them.
///
/// Core Data numbers from 1 along a walk through the hierarchies, parents before children and siblings sorted without
/// regard to case. What Z_PRIMARYKEY says by name goes before that, unless its names are not the model's: an entity that
/// a migration renamed keeps its old name there, which may be another entity's name by now.
struct NumberedModel: Sendable {
    /// The entities in the order of their numbers; a parent comes before its children.
    var entities: [ModelDefinition.Entity]
    var numbers: [Int64]
    /// The index of each entity's parent.
    var parents: [Int?]
    /// Entities of the model that the store does not have.
    var absent: [String] = []

    /// Numbers a model; `isStores` says that its entities are those that the store's metadata names.
    init(_ definition: ModelDefinition, schema: StoreSchema, isStores: Bool) {
        let walk = Self.walk(definition.entities)
        let isStale = isStores && Self.isStale(schema.entities, walk)
        let rows = isStale ? Self.renamed(schema.entities, walk) : schema.entities
        let modelNames = Set(walk.map(\.name))
        let byName = Dictionary(rows.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
        let byNumber = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        var numbered: [(entity: ModelDefinition.Entity, number: Int64)] = []
        for (position, entity) in walk.enumerated() {
            let computed = Int64(position + 1)
            if let number = byName[entity.name] {
                numbered.append((entity, number))
            } else if let former = byNumber[computed], !modelNames.contains(former) {
                numbered.append((entity, computed))
            } else {
                absent.append(entity.name)
            }
        }
        numbered.sort { $0.number < $1.number }
        entities = numbered.map(\.entity)
        numbers = numbered.map(\.number)
        let indexes = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        parents = entities.map { $0.parent.flatMap { indexes[$0] } }
    }

    /// Whether rows of Z_PRIMARYKEY have names that the model does not have, though they are numbered as it is.
    private static func isStale(_ rows: [StoreSchema.EntityRow], _ walk: [ModelDefinition.Entity]) -> Bool {
        guard Set(rows.map(\.name)) != Set(walk.map(\.name)), rows.count == walk.count else { return false }
        let numbers = Dictionary(
            walk.enumerated().map { ($1.name, Int64($0 + 1)) }, uniquingKeysWith: { first, _ in first })
        return rows.sorted { $0.number < $1.number }.enumerated().allSatisfy { position, row in
            row.number == Int64(position + 1)
                && row.parent == walk[position].parent.flatMap { numbers[$0] } ?? 0
        }
    }

    /// The rows with the model's names, which are as many.
    private static func renamed(
        _ rows: [StoreSchema.EntityRow], _ walk: [ModelDefinition.Entity]
    ) -> [StoreSchema.EntityRow] {
        rows.map { row in
            StoreSchema.EntityRow(number: row.number, name: walk[Int(row.number) - 1].name, parent: row.parent)
        }
    }

    /// The root of an entity's hierarchy.
    func root(of index: Int) -> Int {
        var current = index
        while let parent = parents[current] { current = parent }
        return current
    }

    /// Whether any entity descends from this one.
    func hasChildren(_ index: Int) -> Bool { parents.contains(index) }

    private static func walk(_ entities: [ModelDefinition.Entity]) -> [ModelDefinition.Entity] {
        let sorted = entities.map { (key: $0.name.lowercased(), entity: $0) }.sorted {
            ($0.key, $0.entity.name) < ($1.key, $1.entity.name)
        }.map(\.entity)
        let children = Dictionary(grouping: sorted.filter { $0.parent != nil }, by: { $0.parent ?? "" })
        var walk: [ModelDefinition.Entity] = []
        var waiting = Array(sorted.filter { $0.parent == nil }.reversed())
        while let next = waiting.popLast() {
            walk.append(next)
            waiting += (children[next.name] ?? []).reversed()
        }
        return walk
    }
}
