internal import PersistentStore
internal import SQLite

/// What the queries of one open state share: its connection, its layout, and small queries that all need.
final class SessionCatalog {
    let connection: SQLiteConnection
    let layout: StoreLayout
    /// The folder of the store's external data.
    let externalData: String
    /// The file's pages; nil where they are read by SQLite alone.
    private let pages: StorePages?
    private var formats: [String: TableFormat?] = [:]
    private var entityStatements: [String: SQLiteStatement] = [:]

    /// Opens the file of a state.
    init(_ snapshot: StoreSnapshot) throws(SQLiteError) {
        pages = StorePages(path: snapshot.path)
        connection = try SQLiteConnection(
            path: snapshot.path, mode: .immutable,
            cache: pages == nil ? SQLiteConnection.lookupCache : SQLiteConnection.scanCache)
        // The read transaction stays open: an immutable file has no locks, and beginning one costs reads.
        try connection.execute("BEGIN")
        layout = snapshot.layout
        externalData = snapshot.files.externalData
    }

    /// What reads columns of a table straight from its pages; nil where SQLite has to.
    func tableReader(_ table: String, columns: [String]) throws(SQLiteError) -> TableReader? {
        guard let pages else { return nil }
        let format: TableFormat?
        if let known = formats[table] {
            format = known
        } else {
            format = try TableFormat(table, on: connection)
            formats[table] = .some(format)
        }
        return format.flatMap {
            TableReader($0, columns: columns, pages: pages.cache, reservedSize: pages.reservedSize)
        }
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
