public import PersistentStore
internal import PostgreSQL
internal import Synchronization

/// A catalog in a PostgreSQL database, which workers on many machines share.
///
/// It lies in the schema `deeplink`; a database has one catalog. Readers only select, so that they may read from a standby,
/// and need no more rights than that. Writers take turns by an advisory lock. All of it works behind PgBouncer in
/// transaction mode: nothing is kept in a session but on servers that are certain to be the client's own.
public final class PostgreSQLCatalog: Catalog {
    /// The catalog's URL without secrets, for messages.
    public let location: String
    private let url: PostgreSQLURL
    private let creates: Bool
    /// What the last reader to be made has seen, so that further ones need no server to be made.
    private let known = Mutex<CatalogState?>(nil)
    private let isChecked = Mutex(false)
    /// Why the last attempt to make a reader has failed.
    private let failure = Mutex<(error: StoreError, time: ContinuousClock.Instant)?>(nil)
    /// How long a failure is told again without another attempt: who asks several times at once waits once.
    private static let failureTime: Duration = .milliseconds(100)

    /// Takes the URL of a database; nothing is connected yet.
    ///
    /// With `creating`, the first writer makes a catalog where there is none. Throws `.unsupported` for a URL that is not
    /// valid.
    public init(url: String, creating: Bool = false) throws(StoreError) {
        do throws(PostgreSQLError) { self.url = try PostgreSQLURL(url) } catch {
            throw StoreError(.unsupported, error.message)
        }
        location = self.url.description
        creates = creating
    }

    /// A reader for the calling thread; the first one waits until it has seen the catalog.
    ///
    /// Throws `.unavailable` where the database cannot be reached or has no catalog yet, `.denied` where it refuses the
    /// access, and `.unsupported` for a catalog of a newer program.
    public func makeReader() throws(StoreError) -> any CatalogReader {
        let session = PostgreSQLSession(url)
        if let state = known.withLock({ $0 }) { return PostgreSQLCatalogReader(session, location, state) }
        if let failure = failure.withLock({ $0 }), .now - failure.time < Self.failureTime { throw failure.error }
        do throws(StoreError) {
            try check(url)
            let reader = PostgreSQLCatalogReader(session, location, CatalogState())
            let state = try reader.load()
            known.withLock { $0 = state }
            return reader
        } catch {
            failure.withLock { $0 = (error, .now) }
            throw error
        }
    }

    /// A writer for the calling thread; the first one waits until the schema is there.
    ///
    /// It goes to the server that takes writes, whatever the URL asks for look-ups.
    public func makeWriter(for purpose: WritePurpose) throws(StoreError) -> any CatalogWriter {
        try check(url.forWriting)
        return PostgreSQLCatalogWriter(PostgreSQLSession(url.forWriting), location, purpose)
    }

    /// Brings an older schema up to date, once.
    private func check(_ url: PostgreSQLURL) throws(StoreError) {
        guard !isChecked.withLock({ $0 }) else { return }
        // A session of its own: its statements may take long.
        let migrating = PostgreSQLSession(url)
        try PostgreSQLMigrations(session: migrating, location: location).run(creating: creates)
        migrating.close()
        isChecked.withLock { $0 = true }
    }
}
