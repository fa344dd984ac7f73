internal import PersistentStore
internal import SQLite

/// Reads the layout of a store through an open connection.
struct LayoutReader {
    private static let maximumCachedModel = 16 << 20

    let connection: SQLiteConnection
    let path: String

    /// Reads metadata, schema and model; `former` is taken again where none of them has changed.
    func layout(given: ModelFile?, former: StoreLayout?) throws -> StoreLayout {
        let version = try connection.integer("PRAGMA schema_version") ?? 0
        if let former, former.schemaVersion == version, let row = try? metadataRow(), row == former.metadataRow {
            return former
        }
        let schema = try StoreSchema(connection)
        guard schema.has("Z_METADATA", ["Z_UUID", "Z_PLIST"]), schema.has("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME"]) else {
            throw StoreError(
                .invalid,
                "\(path) is an SQLite database but not a Core Data or SwiftData store: it has no tables Z_METADATA "
                    + "and Z_PRIMARYKEY. Name the store file of the app.")
        }
        let row = try metadataRow()
        let metadata = StoreMetadata(identifier: row.identifier, propertyList: row.propertyList)
        let own = schema.has("Z_MODELCACHE", ["Z_CONTENT"]) ? try ownModel() : nil
        return StoreLayout(
            metadata: metadata, metadataRow: row, schema: schema, schemaVersion: version,
            choice: ModelChoice.best(metadata: metadata, schema: schema, own: own, given: given))
    }

    private func metadataRow() throws -> StoreMetadata.Row {
        let statement = try connection.prepare(
            "SELECT Z_UUID, CASE WHEN length(Z_PLIST) <= \(StoreMetadata.maximumSize) THEN Z_PLIST END "
                + "FROM Z_METADATA LIMIT 1")
        guard try statement.step(), let identifier = statement.textIfText(0), !identifier.isEmpty,
            !identifier.contains("/")
        else {
            throw StoreError(
                .invalid, "\(path) has no store identifier in its table Z_METADATA; let the app open it once.")
        }
        return StoreMetadata.Row(identifier: identifier, propertyList: statement.blob(1))
    }

    private func ownModel() throws -> ModelDefinition? {
        let statement = try connection.prepare(
            "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE length(Z_CONTENT) BETWEEN 1 AND \(Self.maximumCachedModel) LIMIT 1"
        )
        guard try statement.step() else { return nil }
        return ArchivedModel.read(statement.blob(0))
    }
}
