internal import CSQLite

/// An SQLite file that a test writes, as an app's framework would.
@safe package final class SQLiteFile {
    package struct Failure: Error {
        let message: String
    }

    private let handle: OpaquePointer

    package init(_ path: String) throws {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let connection = unsafe opened else { throw Failure(message: "cannot open \(path)") }
        unsafe handle = connection
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs statements.
    package func run(_ sql: String) throws {
        if unsafe sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK {
            throw Failure(message: unsafe String(cString: sqlite3_errmsg(handle)) + " in " + sql.prefix(200))
        }
    }
}

extension [UInt8] {
    /// The bytes as an SQL literal.
    package var sql: String {
        "x'" + map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() + "'"
    }
}

extension String {
    /// The text as an SQL literal.
    package var sql: String { "'" + replacing("'", with: "''") + "'" }
}
