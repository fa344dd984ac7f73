internal import SQLite

/// Reads rows of the table `object`.
struct ObjectQuery {
    static let columns =
        "id, entity, unique_identifier, domain_identifier, version, expires, deleted, attributes"

    private let statement: SQLiteStatement

    /// A query for rows; its condition follows FROM object.
    init(_ condition: String, on connection: SQLiteConnection) throws(SQLiteError) {
        statement = try connection.prepare("SELECT \(Self.columns) FROM object \(condition)")
    }

    /// The row of a whole number as the only parameter.
    func row(_ parameter: Int64) throws(SQLiteError) -> ObjectRow? {
        statement.bind(parameter, at: 1)
        defer { statement.reset() }
        return try statement.step() ? current : nil
    }

    /// The row of a text as the only parameter.
    func row(_ parameter: String) throws(SQLiteError) -> ObjectRow? {
        statement.bind(parameter, at: 1)
        defer { statement.reset() }
        return try statement.step() ? current : nil
    }

    /// Calls `body` with each row, until it says false.
    func forEach(
        binding bind: (SQLiteStatement) -> Void, _ body: (ObjectRow) throws(SQLiteError) -> Bool
    ) throws(SQLiteError) {
        bind(statement)
        defer { statement.reset() }
        while try statement.step() {
            if try !body(current) { return }
        }
    }

    /// All rows.
    func rows(binding bind: (SQLiteStatement) -> Void) throws(SQLiteError) -> [ObjectRow] {
        var rows: [ObjectRow] = []
        try forEach(binding: bind) { row in
            rows.append(row)
            return true
        }
        return rows
    }

    private var current: ObjectRow {
        ObjectRow(
            key: ObjectKey(rawValue: statement.integer(0)), entity: Int(statement.integer(1)),
            uniqueIdentifier: statement.textIfText(2), domainIdentifier: statement.textIfText(3),
            version: statement.integer(4), expires: statement.storage(5) == .null ? nil : statement.real(5),
            deleted: statement.storage(6) == .null ? nil : statement.real(6), attributes: statement.blob(7))
    }
}
