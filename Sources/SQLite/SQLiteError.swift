internal import CSQLite

/// What SQLite reported: its result code and its sentence.
public struct SQLiteError: Error, Sendable {
    /// What a caller can tell errors apart by.
    public enum Kind: Sendable {
        /// The file is no database, is damaged, or was changed while it was read.
        case damage
        /// The file cannot be opened: it does not exist, or its folder cannot be written to.
        case cannotOpen
        /// The file must not be written to, or not be read.
        case permission
        /// Another connection holds a lock.
        case busy
        /// Anything else.
        case other
    }

    /// The extended result code.
    public let code: Int32
    /// SQLite's own message.
    public let message: String

    /// The primary result code: the low byte of the extended one.
    public var primary: Int32 { code & 0xff }

    /// What kind of error it is.
    public var kind: Kind {
        switch primary {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damage
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .permission
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        default: .other
        }
    }

    /// Whether the file itself is at fault, or was changed while it was read.
    public var isDamage: Bool { kind == .damage }

    /// Whether another connection holds a lock.
    public var isBusy: Bool { kind == .busy }

    /// Whether the work was ended by its `WorkLimit`.
    public var isInterruption: Bool { primary == SQLITE_INTERRUPT }
}
