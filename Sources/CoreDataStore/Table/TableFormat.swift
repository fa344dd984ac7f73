internal import SQLite

/// How the rows of a table lie in its file, as far as they can be read without SQLite.
struct TableFormat {
    /// A column, in the order in which rows hold them.
    struct Column {
        let name: String
        /// Whether it is the key of the rows, which is not among their values.
        let isKey: Bool
        /// Whether numbers in it are real, though whole ones are kept as integers.
        let isReal: Bool
    }

    /// The page at which the table begins.
    let root: UInt32
    let columns: [Column]

    /// Looks a table up; nil where its rows are not found by their key Z_PK, or where columns are computed.
    init?(_ table: String, on connection: SQLiteConnection) throws(SQLiteError) {
        let name = "'" + table.replacing("'", with: "''") + "'"
        guard
            let root = try connection.integer(
                "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = \(name)"),
            let page = UInt32(exactly: root), page > 1,
            // With a key of another order or type the rows have a number beside it, and the key has an index.
            try connection.integer("SELECT count(*) FROM pragma_index_list(\(name)) WHERE origin = 'pk'") == 0,
            try connection.integer("SELECT wr FROM pragma_table_list(\(name)) WHERE schema = 'main'") == 0
        else { return nil }
        var columns: [Column] = []
        let statement = try connection.prepare(
            "SELECT name, upper(type), pk, hidden FROM pragma_table_xinfo(\(name)) ORDER BY cid")
        while try statement.step() {
            guard statement.integer(3) == 0 else { return nil }
            let isKey = statement.integer(2) != 0
            let name = statement.text(0), type = statement.text(1)
            guard !isKey || (name == "Z_PK" && type == "INTEGER") else { return nil }
            columns.append(Column(name: name, isKey: isKey, isReal: Self.isReal(type)))
        }
        guard columns.contains(where: \.isKey) else { return nil }
        self.root = page
        self.columns = columns
    }

    /// Whether a column declared so has the affinity REAL, by the rules in SQLite's documentation of data types.
    private static func isReal(_ type: String) -> Bool {
        if ["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) { return false }
        return ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
    }
}
