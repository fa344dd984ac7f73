internal import CSQLite

/// What SQLite reported: its result code and its sentence.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's own message.
    let message: String

    /// The primary result code: the low byte of the extended one.
    var primary: Int32 { code & 0xff }

    /// Whether the file itself is at fault, or was changed while it was read.
    var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_FORMAT }

    /// Whether the work was ended by its `WorkLimit`.
    var isInterruption: Bool { primary == SQLITE_INTERRUPT }
}
