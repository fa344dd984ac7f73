internal import CSQLite

/// A connection to an SQLite file; it belongs to one thread.
///
/// No statement can run for longer than its `WorkLimit` says, views and triggers of the file cannot call functions with
/// side effects, and no row of more than `maximumLength` bytes is read.
@safe public final class SQLiteConnection {
    /// How a file is opened.
    public enum Mode: Sendable {
        /// Reads only, takes no locks and leaves no file beside it; the caller makes sure that the file does not change.
        case immutable
        /// Reads and writes a private copy, to bring what is in its log into the file.
        case privateCopy
        /// Reads a file that others write.
        case reader
        /// Reads and writes; with `creating`, makes the file where there is none.
        case writer(creating: Bool)
    }

    /// The largest text, blob or row that is read, in bytes.
    public static let maximumLength: Int32 = 256 << 20
    /// How many virtual-machine instructions pass between two questions to the work limit.
    private static let instructionsBetweenChecks: Int32 = 20_000

    /// The page cache of a reader that looks rows up, in KiB.
    public static let lookupCache = 32 << 10
    /// The page cache of a reader that goes through a table once, in KiB.
    public static let scanCache = 1 << 10

    @usableFromInline let handle: OpaquePointer
    private let limit: WorkLimit

    /// Opens the file at an absolute path; `cache` is in KiB.
    ///
    /// Opening waits for locks of others for `busyTime` milliseconds, and so does each statement after it.
    public init(
        path: String, mode: Mode, cache: Int = lookupCache, busyTime: Int32 = 0, limit: WorkLimit = WorkLimit()
    ) throws(SQLiteError) {
        var opened: OpaquePointer?
        let uri = "file:" + Self.escaped(path) + (mode.isImmutable ? "?immutable=1" : "")
        let code = unsafe sqlite3_open_v2(
            uri, &opened, mode.access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let connection = unsafe opened, code == SQLITE_OK else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close(opened)
            throw SQLiteError(code: code, message: message)
        }
        unsafe self.handle = connection
        self.limit = limit
        unsafe sqlite3_busy_timeout(connection, busyTime)
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.maximumLength)
        unsafe sqlite3_progress_handler(
            connection, Self.instructionsBetweenChecks,
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue().isReached ? 1 : 0
            }, Unmanaged.passUnretained(limit).toOpaque())
        try execute("PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0")
        switch mode {
        case .immutable:
            try execute("PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA cache_size=-\(cache)")
        // What this program has written itself is not doubted each time that a page is read: with many pages, as large
        // files have them, that takes a quarter of a look-up.
        case .reader: try execute("PRAGMA query_only=ON; PRAGMA cache_size=-\(cache)")
        case .writer: try execute("PRAGMA cache_size=-\(cache)")
        case .privateCopy: break
        }
    }

    deinit {
        // Statements that live longer keep the connection until they are finalized.
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that yield nothing of interest.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code) }
    }

    /// Prepares one statement.
    public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, on: self)
    }

    /// The first column of the first row as a whole number; nil without a row.
    public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Sets how long a statement waits for a lock that another connection holds.
    public func setBusyTimeout(milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    public var changes: Int64 { unsafe sqlite3_changes64(handle) }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// The error for a result code, with the connection's message.
    public func error(_ code: Int32) -> SQLiteError {
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

extension SQLiteConnection.Mode {
    fileprivate var isImmutable: Bool {
        if case .immutable = self { true } else { false }
    }

    fileprivate var access: Int32 {
        switch self {
        case .immutable: SQLITE_OPEN_READONLY
        // Also a reader takes part in the locks of a write-ahead log, which is written to.
        case .privateCopy, .reader, .writer(creating: false): SQLITE_OPEN_READWRITE
        case .writer(creating: true): SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}
