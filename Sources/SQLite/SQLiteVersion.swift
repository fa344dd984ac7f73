internal import CSQLite

/// The version of SQLite that the program runs with.
public enum SQLiteVersion {
    /// For example `3.40.1`.
    public static var text: String { unsafe String(cString: sqlite3_libversion()) }
}
