internal import SQLite

/// The values of a row, by the numbers of the columns that were asked for, from 0.
protocol RowValues {
    func storage(_ column: Int32) -> SQLiteStatement.Storage
    func integer(_ column: Int32) -> Int64
    func real(_ column: Int32) -> Double
    func text(_ column: Int32) -> String
    func blob(_ column: Int32) -> [UInt8]
}

extension SQLiteStatement: RowValues {}

/// Reads some columns of a table's rows by their key: from the table's pages where that can be done, else through SQLite.
final class RowReader {
    private let statement: SQLiteStatement
    private let table: TableReader?
    private var isInPages = false

    init(_ table: String, columns: [String], in catalog: SessionCatalog) throws(SQLiteError) {
        let selected = columns.map(\.quotedForSQL).joined(separator: ", ")
        statement = try catalog.connection.prepare(
            "SELECT \(selected) FROM \(table.quotedForSQL) WHERE Z_PK = ?1")
        self.table = try catalog.tableReader(table, columns: columns)
    }

    /// The table at the row of a key, where its pages alone show it; nil says nothing.
    ///
    /// No other row of the store may be read until this one has been.
    func pages(at key: Int64) -> TableReader? {
        guard let table, table.find(key) else { return nil }
        return table
    }

    /// Goes to the row of a key; false where there is none.
    ///
    /// `leave` ends the reading of the row. Until then no other row of the store may be read.
    func find(_ key: Int64) throws(SQLiteError) -> Bool {
        isInPages = table?.find(key) ?? false
        if isInPages { return true }
        statement.bind(key, at: 1)
        return try statement.step()
    }

    func leave() {
        if !isInPages { statement.reset() }
    }
}

extension RowReader: RowValues {
    func storage(_ column: Int32) -> SQLiteStatement.Storage {
        if isInPages, let table { table.storage(column) } else { statement.storage(column) }
    }

    func integer(_ column: Int32) -> Int64 {
        if isInPages, let table { table.integer(column) } else { statement.integer(column) }
    }

    func real(_ column: Int32) -> Double {
        if isInPages, let table { table.real(column) } else { statement.real(column) }
    }

    func text(_ column: Int32) -> String {
        if isInPages, let table { table.text(column) } else { statement.text(column) }
    }

    func blob(_ column: Int32) -> [UInt8] {
        if isInPages, let table { table.blob(column) } else { statement.blob(column) }
    }
}
