internal import PersistentStore
internal import SQLite

extension SQLiteError {
    /// What an error means for a catalog.
    func storeError(_ path: String) -> StoreError {
        switch kind {
        case .damage:
            StoreError(
                .invalid,
                "\(path) is not a catalog or is damaged: SQLite says \"\(message)\". Restore it from a copy, or import it anew."
            )
        case .cannotOpen:
            StoreError(
                .missing, "The catalog \(path) cannot be opened: SQLite says \"\(message)\". \(SQLiteMigrations.remedy)"
            )
        case .permission:
            StoreError(
                .denied,
                "The catalog \(path) cannot be written to. Its file and folder must be writable, as readers write, too: "
                    + "they note what they read in the file's -shm.")
        case .busy:
            StoreError(.unavailable, "The catalog \(path) is locked by another process; it is tried again.")
        case .other:
            StoreError(
                .unavailable, "The catalog \(path) cannot be used: SQLite says \"\(message)\". It is tried again.")
        }
    }
}
