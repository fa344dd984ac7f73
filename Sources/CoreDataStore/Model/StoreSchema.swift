internal import SQLite

/// The tables of a store as SQLite knows them, and the list of entities that Core Data keeps in Z_PRIMARYKEY.
struct StoreSchema: Sendable {
    /// A column of a table.
    struct Column: Sendable, Equatable {
        let name: String
        /// The declared type, upper-case.
        let type: String
    }

    /// A row of Z_PRIMARYKEY.
    struct EntityRow: Sendable, Equatable {
        let number: Int64
        let name: String
        let parent: Int64
    }

    static let maximumTables = 20_000
    static let maximumColumns = 200_000
    /// Entities from this number on are Core Data's own bookkeeping (history).
    static let firstBookkeepingNumber: Int64 = 16_000

    /// The columns of each ordinary table whose name begins with Z, and of the history's tables.
    var tables: [String: [Column]] = [:]
    /// The columns that have an index of their own, as `TABLE.COLUMN`, by Core Data's naming.
    var indexedColumns: Set<String> = []
    /// The model's entities, without bookkeeping ones.
    var entities: [EntityRow] = []

    /// Reads the schema; views and virtual tables are left out, as reading them could run anything.
    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        var names: [String] = []
        let statement = try connection.prepare(
            "SELECT type, name, tbl_name FROM sqlite_schema WHERE rootpage > 0 LIMIT \(Self.maximumTables)")
        while try statement.step() {
            let (type, name, table) = (statement.text(0), statement.text(1), statement.text(2))
            if type == "table", name.hasPrefix("Z") || name == "ACHANGE" || name == "ATRANSACTION" {
                names.append(name)
            } else if type == "index", name.hasPrefix(table + "_"), name.hasSuffix("_INDEX") {
                indexedColumns.insert(table + "." + name.dropFirst(table.count + 1).dropLast(6))
            }
        }
        var left = Self.maximumColumns
        for name in names where left > 0 {
            let columns = try Self.columns(of: name, connection)
            left -= columns.count
            tables[name] = columns
        }
        guard has("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER"]) else { return }
        let rows = try connection.prepare(
            "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY LIMIT \(ModelDefinition.maximumEntities)")
        while try rows.step() {
            guard rows.integer(0) < Self.firstBookkeepingNumber, let name = rows.textIfText(1) else { continue }
            entities.append(EntityRow(number: rows.integer(0), name: name, parent: rows.integer(2)))
        }
    }

    /// Whether a table exists and has these columns.
    func has(_ table: String, _ columns: [String]) -> Bool {
        guard let present = tables[table] else { return false }
        return columns.allSatisfy { column in present.contains { $0.name == column } }
    }

    private static func columns(of table: String, _ connection: SQLiteConnection) throws(SQLiteError) -> [Column] {
        let statement = try connection.prepare("PRAGMA table_info(\(table.quotedForSQL))")
        var columns: [Column] = []
        while try statement.step() {
            columns.append(Column(name: statement.text(1), type: statement.text(2).uppercased()))
        }
        return columns
    }
}
