internal import PersistentStore
internal import SQLite

/// What the queries of one open state share: its connection, its layout, and small queries that all need.
final class SessionCatalog {
    let connection: SQLiteConnection
    let layout: StoreLayout
    /// The folder of the store's external data.
    let externalData: String
    private var entityStatements: [String: SQLiteStatement] = [:]

    init(connection: SQLiteConnection, layout: StoreLayout, externalData: String) {
        self.connection = connection
        self.layout = layout
        self.externalData = externalData
    }

    func uri(entity: Int, _ key: Int64) -> ObjectURI {
        ObjectURI(
            store: layout.metadata.identifier, entity: layout.model.entities[entity].name, primaryKey: key)
    }

    /// The own entity of the row that a relationship leads to; nil where there is no such row.
    func ownEntity(of key: Int64, declared: Int) throws(SQLiteError) -> Int? {
        guard layout.families[declared].count > 1 else { return declared }
        return try ownEntityOfRow(key, inTableOf: declared)
    }

    /// The own entity of a row; nil where there is no such row.
    func ownEntityOfRow(_ key: Int64, inTableOf entity: Int) throws(SQLiteError) -> Int? {
        guard let table = layout.tables[entity] else { return nil }
        let statement: SQLiteStatement
        if let known = entityStatements[table] {
            statement = known
        } else {
            statement = try connection.prepare("SELECT Z_ENT FROM \(table.quotedForSQL) WHERE Z_PK = ?1")
            entityStatements[table] = statement
        }
        statement.bind(key, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return layout.entity(numbered: statement.integer(0))
    }
}
