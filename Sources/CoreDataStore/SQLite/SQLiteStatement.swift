internal import CSQLite

/// A prepared statement; it belongs to its connection's thread.
@safe final class SQLiteStatement {
    /// The storage class of a value in a row.
    enum Storage {
        case null, integer, real, text, blob
    }

    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ sql: String, on connection: SQLiteConnection) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let statement = unsafe prepared else {
            throw connection.error(code == SQLITE_OK ? SQLITE_MISUSE : code)
        }
        unsafe self.handle = statement
        self.connection = connection
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Binds a whole number to a parameter, counted from 1.
    @inline(__always)
    func bind(_ value: Int64, at parameter: Int32) {
        unsafe sqlite3_bind_int64(handle, parameter, value)
    }

    /// Goes to the next row; false after the last one.
    @inline(__always)
    func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw connection.error(code)
    }

    /// Makes the statement ready to be run again.
    @inline(__always)
    func reset() {
        unsafe sqlite3_reset(handle)
    }

    /// The storage class of a column of the current row.
    @inline(__always)
    func storage(_ column: Int32) -> Storage {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// A column as a whole number.
    @inline(__always)
    func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    /// A column as a number.
    @inline(__always)
    func real(_ column: Int32) -> Double {
        unsafe sqlite3_column_double(handle, column)
    }

    /// A column as text; bytes that are not UTF-8 are replaced.
    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as bytes.
    func blob(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The text of a column, or nil where it is of another storage class.
    func textIfText(_ column: Int32) -> String? {
        storage(column) == .text ? text(column) : nil
    }
}
