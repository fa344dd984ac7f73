public import PersistentStore
internal import SQLite

/// A catalog in an SQLite file.
///
/// The file is in write-ahead mode: one writer at a time, any number of readers beside it, in any number of processes of
/// one machine. Readers see a commit with their next batch.
public final class SQLiteCatalog: Catalog {
    /// The path of the file.
    public let path: String
    /// `sqlite:` and the path, for messages.
    public let location: String

    /// Opens a catalog; a schema that is older is brought up to date.
    ///
    /// With `creating`, the file is made where there is none. Throws `.missing` where there is no file, `.invalid` for
    /// one that is no catalog, and `.unsupported` for one of a newer program.
    public init(path: String, creating: Bool = false) throws(StoreError) {
        self.path = path
        location = "sqlite:" + path
        guard creating || FileIdentity(path: path) != nil else { throw Self.missing(path) }
        let connection: SQLiteConnection
        do throws(SQLiteError) {
            connection = try SQLiteConnection(
                path: path, mode: .writer(creating: creating), busyTime: Self.openingTime)
        } catch { throw error.storeError(path) }
        try SQLiteMigrations(path: path, connection: connection).run(creating: creating)
    }

    /// How long opening waits for others that make or migrate the catalog, in milliseconds.
    static let openingTime: Int32 = 10_000

    static func missing(_ path: String) -> StoreError {
        StoreError(.missing, "There is no catalog at \(path). \(SQLiteMigrations.remedy)")
    }

    /// A reader for the calling thread.
    public func makeReader() throws(StoreError) -> any CatalogReader { try SQLiteCatalogReader(path: path) }

    /// A writer for the calling thread.
    public func makeWriter(for purpose: WritePurpose) throws(StoreError) -> any CatalogWriter {
        try SQLiteCatalogWriter(path: path, purpose: purpose)
    }
}
