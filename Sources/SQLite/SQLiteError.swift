internal import CSQLite

/// What SQLite reported: its result code and its sentence.
public struct SQLiteError: Error, Sendable {
    /// The extended result code.
    public let code: Int32
    /// SQLite's own message.
    public let message: String

    /// The primary result code: the low byte of the extended one.
    public var primary: Int32 { code & 0xff }

    /// Whether the file itself is at fault, or was changed while it was read.
    public var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_FORMAT }

    /// Whether the work was ended by its `WorkLimit`.
    public var isInterruption: Bool { primary == SQLITE_INTERRUPT }
}
