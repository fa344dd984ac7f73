public import CSQLite

/// A prepared statement; it belongs to its connection's thread.
///
/// What reads rows is inlined into its callers: they read a handful of columns for each request.
@safe public final class SQLiteStatement {
    /// The storage class of a value in a row.
    public enum Storage: Sendable {
        case null, integer, real, text, blob
    }

    @usableFromInline let handle: OpaquePointer
    @usableFromInline let connection: SQLiteConnection

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
}

// MARK: - Running

extension SQLiteStatement {
    /// Goes to the next row; false after the last one.
    @inlinable @inline(__always)
    public func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw connection.error(code)
    }

    /// Makes the statement ready to be run again; what is bound stays.
    @inlinable @inline(__always)
    public func reset() {
        unsafe sqlite3_reset(handle)
    }

    /// Runs a statement that yields no rows, and makes it ready to be run again.
    public func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }
}

// MARK: - Parameters, counted from 1

extension SQLiteStatement {
    /// Binds a whole number.
    @inlinable @inline(__always)
    public func bind(_ value: Int64, at parameter: Int32) {
        unsafe sqlite3_bind_int64(handle, parameter, value)
    }

    /// Binds a number; NaN becomes null.
    public func bind(_ value: Double, at parameter: Int32) {
        unsafe sqlite3_bind_double(handle, parameter, value)
    }

    /// Binds text, which is copied.
    public func bind(_ text: String, at parameter: Int32) {
        var text = text
        _ = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty text has no address; without one SQLite would bind null.
                guard let start = characters.baseAddress else {
                    return unsafe csqlite_bind_text(handle, parameter, "", 0)
                }
                return unsafe csqlite_bind_text(handle, parameter, start, Int32(characters.count))
            }
        }
    }

    /// Binds bytes, which are copied.
    public func bind(_ bytes: [UInt8], at parameter: Int32) {
        _ = unsafe bytes.withUnsafeBytes { bytes in
            unsafe csqlite_bind_blob(handle, parameter, bytes.baseAddress, Int32(bytes.count))
        }
    }

    /// Binds null.
    public func bindNull(at parameter: Int32) {
        unsafe sqlite3_bind_null(handle, parameter)
    }

    /// Binds a whole number, or null.
    public func bind(_ value: Int64?, at parameter: Int32) {
        if let value { bind(value, at: parameter) } else { bindNull(at: parameter) }
    }

    /// Binds text, or null.
    public func bind(_ text: String?, at parameter: Int32) {
        if let text { bind(text, at: parameter) } else { bindNull(at: parameter) }
    }
}

// MARK: - Columns of the current row, counted from 0

extension SQLiteStatement {
    /// The storage class of a column.
    @inlinable @inline(__always)
    public func storage(_ column: Int32) -> Storage {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// A column as a whole number.
    @inlinable @inline(__always)
    public func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    /// A column as a number.
    @inlinable @inline(__always)
    public func real(_ column: Int32) -> Double {
        unsafe sqlite3_column_double(handle, column)
    }

    /// A column as text; bytes that are not UTF-8 are replaced.
    @inlinable
    public func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as bytes.
    @inlinable
    public func blob(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Calls `body` with the bytes of a column's text or blob, which costs no copy.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return try body(Span()) }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        let bytes = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
        return try unsafe body(Span(_unsafeElements: bytes))
    }

    /// The text of a column, or nil where it is of another storage class.
    @inlinable
    public func textIfText(_ column: Int32) -> String? {
        storage(column) == .text ? text(column) : nil
    }
}
