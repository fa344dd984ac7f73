internal import SQLite

/// Writes the marks of deletions, and the keys to allot.
final class MarkTables {
    private let connection: SQLiteConnection
    private let identifierMark: SQLiteStatement
    private let domainMark: SQLiteStatement
    private let nextKey: SQLiteStatement
    private let storingIdentifier: SQLiteStatement
    private let removingIdentifier: SQLiteStatement
    private let storingKey: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        identifierMark = try connection.prepare("SELECT version FROM identifier_deletion WHERE unique_identifier = ?1")
        domainMark = try connection.prepare("SELECT version FROM domain_deletion WHERE domain_identifier = ?1")
        nextKey = try connection.prepare("SELECT next_key FROM entity WHERE number = ?1")
        storingIdentifier = try connection.prepare("INSERT OR REPLACE INTO identifier_deletion VALUES (?1, ?2, ?3)")
        removingIdentifier = try connection.prepare("DELETE FROM identifier_deletion WHERE unique_identifier = ?1")
        storingKey = try connection.prepare("UPDATE entity SET next_key = ?2 WHERE number = ?1")
    }

    /// The versions of the marks that these identifiers have.
    func identifierMarks(_ identifiers: Set<String>) throws(SQLiteError) -> [String: Int64] {
        guard try connection.integer("SELECT 1 FROM identifier_deletion LIMIT 1") != nil else { return [:] }
        return try versions(identifiers, identifierMark)
    }

    /// The versions of the marks that these domains have.
    func domains(_ domains: Set<String>) throws(SQLiteError) -> [String: Int64] {
        guard try connection.integer("SELECT 1 FROM domain_deletion LIMIT 1") != nil else { return [:] }
        return try versions(domains, domainMark)
    }

    private func versions(_ names: Set<String>, _ query: SQLiteStatement) throws(SQLiteError) -> [String: Int64] {
        var versions: [String: Int64] = [:]
        for name in names {
            query.bind(name, at: 1)
            defer { query.reset() }
            if try query.step() { versions[name] = query.integer(0) }
        }
        return versions
    }

    /// The next key to allot of each root.
    func nextKeys(_ roots: Set<Int>) throws(SQLiteError) -> [Int: Int64] {
        var keys: [Int: Int64] = [:]
        for root in roots {
            nextKey.bind(Int64(root), at: 1)
            defer { nextKey.reset() }
            if try nextKey.step() { keys[root] = nextKey.integer(0) }
        }
        return keys
    }

    /// Stores the marks and keys of a set of changes.
    func store(_ changes: ChangeSet, at time: Double) throws(SQLiteError) {
        for (name, version) in changes.identifierMarks {
            storingIdentifier.bind(name, at: 1)
            storingIdentifier.bind(version, at: 2)
            storingIdentifier.bind(time, at: 3)
            try storingIdentifier.run()
        }
        for name in changes.removedIdentifierMarks {
            removingIdentifier.bind(name, at: 1)
            try removingIdentifier.run()
        }
        for (root, key) in changes.nextKeys {
            storingKey.bind(Int64(root), at: 1)
            storingKey.bind(key, at: 2)
            try storingKey.run()
        }
    }

    /// Marks a domain as deleted; false where a mark is not older, and stays.
    func mark(domain: String, version: Int64, at time: Double) throws(SQLiteError) -> Bool {
        let statement = try connection.prepare(
            """
            INSERT INTO domain_deletion VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET version = ?2, deleted = ?3 WHERE version < ?2
            """)
        statement.bind(domain, at: 1)
        statement.bind(version, at: 2)
        statement.bind(time, at: 3)
        try statement.run()
        return connection.changes > 0
    }

    /// Removes marks that a deletion of everything makes needless.
    func clear(upTo version: Int64) throws(SQLiteError) {
        for table in ["identifier_deletion", "domain_deletion"] {
            try connection.execute("DELETE FROM \(table) WHERE version <= \(version)")
        }
    }

    /// Removes marks of deletions before a time.
    func removeMarks(before time: Double, limit: Int) throws(SQLiteError) {
        for (table, key) in [
            ("identifier_deletion", "unique_identifier"), ("domain_deletion", "domain_identifier"),
        ] {
            let statement = try connection.prepare(
                "DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) WHERE deleted < ?1 LIMIT \(limit))")
            statement.bind(time, at: 1)
            try statement.run()
        }
    }
}
