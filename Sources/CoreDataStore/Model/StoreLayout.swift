internal import PersistentStore

/// Everything about a store that its rows do not say: entities, numbers, tables, columns, history.
final class StoreLayout: Sendable {
    let metadata: StoreMetadata
    /// The row that the metadata was read from, and the version of the schema: while both stay, the layout does.
    let metadataRow: StoreMetadata.Row
    let schemaVersion: Int64
    let schema: StoreSchema
    /// Where the model came from.
    let source: ModelSource
    /// The identifiers of the model that is used.
    let modelVersionIdentifiers: [String]
    /// The entities in the order of their numbers.
    let model: ObjectModel
    /// The number (Z_ENT) of each entity.
    let numbers: [Int64]
    /// The table of each entity.
    let tables: [String?]
    /// The properties of each entity, inherited ones included.
    let properties: [[String: ColumnMap.Place]]
    /// Each entity and its descendants.
    let families: [[Int]]
    /// What was not found as the rules say: columns and entities.
    let unverified: [String]
    /// Whether the store keeps a history of changes.
    let hasHistory: Bool
    private let indexes: [Int64: Int]

    init(
        metadata: StoreMetadata, metadataRow: StoreMetadata.Row, schema: StoreSchema, schemaVersion: Int64,
        choice: ModelChoice
    ) {
        self.metadata = metadata
        self.metadataRow = metadataRow
        self.schemaVersion = schemaVersion
        self.schema = schema
        source = choice.source
        modelVersionIdentifiers = choice.definition.versionIdentifiers
        let numbered = choice.numbered
        let columns = choice.columns
        model = ObjectModel(
            entities: numbered.entities.enumerated().map { index, entity in
                EntityDescription(
                    name: entity.name, className: entity.className, parent: numbered.parents[index],
                    isAbstract: entity.isAbstract, attributes: entity.attributes.map(\.description),
                    relationships: entity.relationships)
            })
        numbers = numbered.numbers
        tables = columns.tables
        indexes = Dictionary(
            numbered.numbers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var properties: [[String: ColumnMap.Place]] = []
        var families: [[Int]] = numbered.entities.indices.map { [$0] }
        for index in numbered.entities.indices {
            var all = columns.own[index]
            for ancestor in model.lineage(of: index).dropFirst() {
                all.merge(columns.own[ancestor]) { own, _ in own }
                families[ancestor].append(index)
            }
            properties.append(all)
        }
        self.properties = properties
        self.families = families
        unverified = columns.missing.sorted() + numbered.absent.map { "the entity \($0)" }
        hasHistory =
            schema.has("ACHANGE", ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"])
            && schema.has("ATRANSACTION", ["Z_PK", "ZTIMESTAMP"])
    }

    /// The index of the entity with a number (Z_ENT).
    func entity(numbered number: Int64) -> Int? { indexes[number] }

    /// The properties of an entity by name, sorted.
    func sortedProperties(of entity: Int) -> [(name: String, place: ColumnMap.Place)] {
        properties[entity].sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// Where the model of a store came from.
public enum ModelSource: Sendable, Equatable {
    /// The copy that Core Data keeps in the store.
    case store
    /// A version in the model file that was given.
    case file(path: String, version: String)
    /// There is none: names are lower-cased column names.
    case columns
}
