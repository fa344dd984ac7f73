internal import Glibc
internal import PersistentStore
internal import SQLite

internal import struct FoundationEssentials.UUID

/// Makes catalogs in SQLite files, and brings older ones to the current schema.
struct SQLiteMigrations {
    /// What marks an SQLite file as a catalog (`PRAGMA application_id`): "dlct".
    static let applicationID: Int64 = 0x646C_6374

    let path: String
    let connection: SQLiteConnection

    /// Makes sure that the file is a catalog of the current schema.
    ///
    /// With `creating`, an empty file becomes one. An older one is migrated under the write lock.
    func run(creating: Bool) throws(StoreError) {
        let version: Int = try attempt { () throws(SQLiteError) in try snapshot(self.version) }
        if version == CatalogSchema.version { return }
        if version < 0 { throw try foreign() }
        if version > CatalogSchema.version {
            throw StoreError(
                .unsupported,
                "The catalog \(path) was made by a newer version of this program: its schema is \(version), and this "
                    + "program knows schemas up to \(CatalogSchema.version). Use the newer program.")
        }
        if version == 0 && !creating {
            throw StoreError(.invalid, "\(path) is empty and not a catalog yet. \(Self.remedy)")
        }
        try attempt { () throws(SQLiteError) in try migrate() }
    }

    /// How a catalog is made.
    static let remedy = "Make one with 'deeplink-worker store import' or 'store index'."

    private func migrate() throws(SQLiteError) {
        try writeAhead()
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            // Another process may have done it while the lock was waited for.
            for migration in Self.migrations.dropFirst(max(0, try version())) { try connection.execute(migration()) }
            try connection.execute(
                "PRAGMA application_id=\(Self.applicationID); PRAGMA user_version=\(CatalogSchema.version); COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Turns the write-ahead log on; SQLite does not wait by itself for others that do the same.
    private func writeAhead() throws(SQLiteError) {
        let end = ContinuousClock.now + .milliseconds(Int64(SQLiteCatalog.openingTime))
        while true {
            do throws(SQLiteError) {
                return try connection.execute("PRAGMA journal_mode=WAL")
            } catch  where error.isBusy && ContinuousClock.now < end {
                usleep(2000)
            }
        }
    }

    /// Reads from one state of the file, while others may be making it a catalog.
    private func snapshot<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try connection.execute("BEGIN")
        defer { try? connection.execute("ROLLBACK") }
        return try body()
    }

    /// The schema's version; 0 for an empty file, and -1 for one that is no catalog.
    private func version() throws(SQLiteError) -> Int {
        let application = try connection.integer("PRAGMA application_id") ?? 0
        if application == Self.applicationID { return Int(try connection.integer("PRAGMA user_version") ?? 0) }
        return try connection.integer("SELECT COUNT(*) FROM sqlite_schema") == 0 && application == 0 ? 0 : -1
    }

    /// The error for an SQLite file that is something else.
    private func foreign() throws(StoreError) -> StoreError {
        let isStore: Bool = try attempt { () throws(SQLiteError) in
            try connection.integer("SELECT COUNT(*) FROM sqlite_schema WHERE name = 'Z_METADATA'") != 0
        }
        return StoreError(
            .invalid,
            isStore
                ? "\(path) is a Core Data or SwiftData store and not a catalog. Name it coredata:FILE, or import it into a "
                    + "catalog with 'deeplink-worker store import'."
                : "\(path) is an SQLite database and not a catalog. \(Self.remedy)")
    }

    private func attempt<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteError) { return try body() } catch { throw error.storeError(path) }
    }

    /// What leads from each version of the schema to the next.
    private static let migrations: [@Sendable () -> String] = [
        {
            """
            CREATE TABLE catalog (
              id INTEGER PRIMARY KEY CHECK (id = 1), identifier TEXT NOT NULL, generation INTEGER NOT NULL,
              deleted_version INTEGER);
            INSERT INTO catalog VALUES (1, '\(UUID().uuidString)', 0, NULL);
            CREATE TABLE entity (
              number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent INTEGER, root INTEGER NOT NULL,
              class_name TEXT, is_abstract INTEGER NOT NULL, next_key INTEGER NOT NULL);
            CREATE TABLE attribute (
              number INTEGER PRIMARY KEY, root INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (root, name));
            CREATE TABLE property (
              entity INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, destination TEXT,
              is_declared INTEGER NOT NULL, PRIMARY KEY (entity, name)) WITHOUT ROWID;
            CREATE TABLE object (
              id INTEGER PRIMARY KEY, entity INTEGER NOT NULL, unique_identifier TEXT, domain_identifier TEXT,
              version INTEGER NOT NULL, expires REAL, deleted REAL, attributes TEXT NOT NULL);
            CREATE UNIQUE INDEX object_unique_identifier ON object (unique_identifier)
              WHERE unique_identifier IS NOT NULL;
            CREATE INDEX object_domain_identifier ON object (domain_identifier)
              WHERE domain_identifier IS NOT NULL AND deleted IS NULL;
            CREATE INDEX object_expires ON object (expires) WHERE expires IS NOT NULL AND deleted IS NULL;
            CREATE INDEX object_deleted ON object (deleted) WHERE deleted IS NOT NULL;
            CREATE TABLE match (
              attribute INTEGER NOT NULL, hash INTEGER NOT NULL, object INTEGER NOT NULL, entity INTEGER NOT NULL,
              exact INTEGER NOT NULL, expires REAL, PRIMARY KEY (attribute, hash, object)) WITHOUT ROWID;
            CREATE TABLE identifier_deletion (
              unique_identifier TEXT PRIMARY KEY, version INTEGER NOT NULL, deleted REAL NOT NULL) WITHOUT ROWID;
            CREATE TABLE domain_deletion (
              domain_identifier TEXT PRIMARY KEY, version INTEGER NOT NULL, deleted REAL NOT NULL) WITHOUT ROWID;
            """
        }
    ]
}
