internal import PostgreSQL

extension ObjectRow {
    /// The columns of the table `object`, in the order in which rows are read and written.
    static let columns = "id, entity, unique_identifier, domain_identifier, version, expires, deleted, attributes"

    /// The same, of a table's alias.
    static func columns(of alias: String) -> String {
        columns.split(separator: ", ").map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    /// Reads a row whose columns begin at `column`.
    init(_ result: ServerResult, _ row: Int, column: Int = 0) {
        self.init(
            key: ObjectKey(rawValue: result.integer(row, column)), entity: Int(result.integer(row, column + 1)),
            uniqueIdentifier: result.text(row, column + 2), domainIdentifier: result.text(row, column + 3),
            version: result.integer(row, column + 4), expires: result.double(row, column + 5),
            deleted: result.double(row, column + 6), attributes: result.bytes(row, column + 7) ?? [])
    }

    /// All rows of a result.
    static func all(_ result: ServerResult, column: Int = 0) -> [ObjectRow] {
        (0..<result.rowCount).map { ObjectRow(result, $0, column: column) }
    }
}
