internal import PersistentStore
internal import PostgreSQL

internal import struct FoundationEssentials.UUID

/// Makes catalogs in PostgreSQL databases, and brings older ones to the current schema.
///
/// A migration is a transaction under the lock that writers take, so that of several processes one migrates, and the
/// others wait and find it done.
struct PostgreSQLMigrations {
    /// The number of the advisory lock that writers and migrations take, within a database: "dlct".
    static let lock: Int64 = 0x646C_6374
    /// How long a migration may take.
    static let time: Duration = .seconds(3600)
    /// How a catalog is made.
    static let remedy = "Make one with 'deeplink-worker store import' or 'store index'."

    let session: PostgreSQLSession
    let location: String

    /// Makes sure that the database has a catalog of the current schema, and waits for it.
    ///
    /// With `creating`, one is made where there is none.
    func run(creating: Bool) throws(StoreError) {
        do throws(PostgreSQLError) {
            // What is there needs neither the lock nor the right to create.
            let version = try version(.reading)
            if version == CatalogSchema.version || version == 0 && !creating { return }
            if version < CatalogSchema.version { return try migrate() }
        } catch {
            session.close()
            throw error.storeError(location)
        }
        throw Self.newer(location)
    }

    private func migrate() throws(PostgreSQLError) {
        try ask([Statement("SELECT pg_catalog.pg_advisory_xact_lock($1)", [.integer(Self.lock)])], .begins)
        // Another process may have done it while the lock was waited for.
        for migration in Self.migrations.dropFirst(try version(.continues)) {
            try ask(migration().map { Statement($0) })
        }
        try ask([Statement("UPDATE deeplink.catalog SET version = \(CatalogSchema.version)"), Statement("COMMIT")])
    }

    /// The schema's version; 0 without a catalog.
    private func version(_ frame: Round.Frame) throws(PostgreSQLError) -> Int {
        // Read from the table, for names are looked up in a cache that does not see what was made since BEGIN.
        let isThere = try ask([Statement(Self.presence)], frame)
        guard isThere[0].boolean(0, 0) else { return 0 }
        let result = try ask([Statement("SELECT version FROM deeplink.catalog")], frame)[0]
        return result.rowCount == 0 ? 0 : Int(result.integer(0, 0))
    }

    private static let presence = """
        SELECT EXISTS (
          SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = 'deeplink' AND c.relname = 'catalog')
        """

    @discardableResult
    private func ask(_ statements: [Statement], _ frame: Round.Frame = .continues) throws(PostgreSQLError)
        -> [ServerResult]
    {
        try session.perform(Round(statements, frame: frame, statementTimeout: Self.time))
    }

    /// The error for a catalog of a newer program.
    static func newer(_ location: String) -> StoreError {
        StoreError(
            .unsupported,
            "The catalog \(location) was made by a newer version of this program: this program knows schemas up to "
                + "\(CatalogSchema.version). Use the newer program.")
    }

    /// What leads from each version of the schema to the next.
    private static let migrations: [@Sendable () -> [String]] = [
        {
            [
                "CREATE SCHEMA IF NOT EXISTS deeplink",
                """
                CREATE TABLE deeplink.catalog (
                  id integer PRIMARY KEY CHECK (id = 1), version integer NOT NULL, identifier text NOT NULL,
                  generation bigint NOT NULL, deleted_version bigint)
                """,
                "INSERT INTO deeplink.catalog VALUES (1, 1, '\(UUID().uuidString)', 0, NULL)",
                """
                CREATE TABLE deeplink.entity (
                  number integer PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, parent integer,
                  root integer NOT NULL, class_name text, is_abstract boolean NOT NULL, next_key bigint NOT NULL)
                """,
                """
                CREATE TABLE deeplink.attribute (
                  number integer PRIMARY KEY, root integer NOT NULL, name text COLLATE "C" NOT NULL, UNIQUE (root, name))
                """,
                """
                CREATE TABLE deeplink.property (
                  entity integer NOT NULL, name text COLLATE "C" NOT NULL, type text NOT NULL, destination text,
                  is_declared boolean NOT NULL, PRIMARY KEY (entity, name))
                """,
                """
                CREATE TABLE deeplink.object (
                  id bigint PRIMARY KEY, version bigint NOT NULL, expires double precision, deleted double precision,
                  entity integer NOT NULL, unique_identifier text COLLATE "C", domain_identifier text COLLATE "C",
                  attributes text NOT NULL)
                """,
                """
                CREATE UNIQUE INDEX object_unique_identifier ON deeplink.object (unique_identifier)
                  WHERE unique_identifier IS NOT NULL
                """,
                """
                CREATE INDEX object_domain_identifier ON deeplink.object (domain_identifier)
                  WHERE domain_identifier IS NOT NULL AND deleted IS NULL
                """,
                "CREATE INDEX object_expires ON deeplink.object (expires) WHERE expires IS NOT NULL AND deleted IS NULL",
                "CREATE INDEX object_deleted ON deeplink.object (deleted) WHERE deleted IS NOT NULL",
                """
                CREATE TABLE deeplink.match (
                  hash bigint NOT NULL, object bigint NOT NULL, attribute integer NOT NULL, entity integer NOT NULL,
                  exact bigint NOT NULL, expires double precision, PRIMARY KEY (attribute, hash, object))
                """,
                """
                CREATE TABLE deeplink.identifier_deletion (
                  unique_identifier text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
                  deleted double precision NOT NULL)
                """,
                """
                CREATE TABLE deeplink.domain_deletion (
                  domain_identifier text COLLATE "C" PRIMARY KEY, version bigint NOT NULL,
                  deleted double precision NOT NULL)
                """,
            ]
        }
    ]
}
