internal import CSQLite

/// A connection to an SQLite file; it belongs to one thread.
@safe final class SQLiteConnection {
    /// How a file is opened.
    enum Mode {
        /// Reads only, takes no locks and leaves no file beside it; the caller makes sure that the file does not change.
        case immutable
        /// Reads and writes a private copy, to bring what is in its log into the file.
        case privateCopy
    }

    /// The largest text, blob or row that is read, in bytes.
    static let maximumLength: Int32 = 256 << 20
    /// How many virtual-machine instructions pass between two questions to the work limit.
    private static let instructionsBetweenChecks: Int32 = 20_000

    /// The page cache of a reader that looks rows up, and of one that goes through a table once, in KiB.
    static let lookupCache = 32 << 10
    static let scanCache = 1 << 10

    let handle: OpaquePointer
    private let limit: WorkLimit

    /// Opens the file at an absolute path.
    init(path: String, mode: Mode, cache: Int = lookupCache, limit: WorkLimit = WorkLimit()) throws(SQLiteError) {
        var opened: OpaquePointer?
        let uri = "file:" + Self.escaped(path) + (mode == .immutable ? "?immutable=1" : "")
        let access = mode == .immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = unsafe sqlite3_open_v2(
            uri, &opened, access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let connection = unsafe opened, code == SQLITE_OK else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close(opened)
            throw SQLiteError(code: code, message: message)
        }
        unsafe self.handle = connection
        self.limit = limit
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.maximumLength)
        unsafe sqlite3_progress_handler(
            connection, Self.instructionsBetweenChecks,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue().isReached ? 1 : 0
            }, Unmanaged.passUnretained(limit).toOpaque())
        try execute("PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0")
        if mode == .immutable {
            try execute("PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA cache_size=-\(cache)")
        }
    }

    deinit {
        // Statements that live longer keep the connection until they are finalized.
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that yield nothing of interest.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code) }
    }

    /// Prepares one statement.
    func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, on: self)
    }

    /// The first column of the first row as a whole number; nil without a row.
    func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The error for a result code, with the connection's message.
    func error(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
    }

    /// A path within an SQLite URI.
    private static func escaped(_ path: String) -> String {
        var escaped = ""
        for character in path.unicodeScalars {
            switch character {
            case "%": escaped += "%25"
            case "?": escaped += "%3f"
            case "#": escaped += "%23"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
