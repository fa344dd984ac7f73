internal import Items
internal import SQLite

/// Writes the table `object`.
final class ObjectTable {
    /// How many rows a deletion takes at a time.
    private static let pageSize = 1_000

    let reader = AttributeReader()
    private let connection: SQLiteConnection
    private let largestKey: SQLiteStatement
    private let byKey: ObjectQuery
    private let byIdentifier: ObjectQuery
    private let releasing: SQLiteStatement
    private let storing: SQLiteStatement
    private let versioning: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        largestKey = try connection.prepare("SELECT MAX(id) FROM object")
        byKey = try ObjectQuery("WHERE id = ?1", on: connection)
        byIdentifier = try ObjectQuery("WHERE unique_identifier = ?1", on: connection)
        releasing = try connection.prepare("UPDATE object SET unique_identifier = NULL WHERE id = ?1")
        versioning = try connection.prepare("UPDATE object SET version = ?2 WHERE id = ?1")
        storing = try connection.prepare(
            """
            INSERT INTO object (\(ObjectQuery.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (id) DO UPDATE SET entity = ?2, unique_identifier = ?3, domain_identifier = ?4, version = ?5,
              expires = ?6, deleted = ?7, attributes = ?8
            """)
    }

    /// The rows of keys and of identifiers; one may come twice.
    func rows(keys: Set<ObjectKey>, identifiers: Set<String>) throws(SQLiteError) -> [ObjectRow] {
        var rows: [ObjectRow] = []
        // New objects commonly have the largest keys, and then need no look.
        let largest = try largest()
        for key in keys.sorted() where key.rawValue <= largest {
            if let row = try byKey.row(key.rawValue) { rows.append(row) }
        }
        for identifier in identifiers {
            if let row = try byIdentifier.row(identifier) { rows.append(row) }
        }
        return rows
    }

    private func largest() throws(SQLiteError) -> Int64 {
        defer { largestKey.reset() }
        return try largestKey.step() && largestKey.storage(0) == .integer ? largestKey.integer(0) : -1
    }

    func release(_ keys: [ObjectKey]) throws(SQLiteError) {
        for key in keys {
            releasing.bind(key.rawValue, at: 1)
            try releasing.run()
        }
    }

    func store(_ changes: [ChangeSet.Change]) throws(SQLiteError) {
        for change in changes {
            let row = change.row
            if change.isVersionOnly {
                versioning.bind(row.key.rawValue, at: 1)
                versioning.bind(row.version, at: 2)
                try versioning.run()
                continue
            }
            storing.bind(row.key.rawValue, at: 1)
            storing.bind(Int64(row.entity), at: 2)
            storing.bind(row.uniqueIdentifier, at: 3)
            storing.bind(row.domainIdentifier, at: 4)
            storing.bind(row.version, at: 5)
            storing.bind(row.expires, at: 6)
            storing.bind(row.deleted, at: 7)
            storing.bind(text: row.attributes, at: 8)
            try storing.run()
        }
    }
}

// MARK: - Many rows

extension ObjectTable {
    func isEmpty() throws(SQLiteError) -> Bool { try connection.integer("SELECT 1 FROM object LIMIT 1") == nil }

    /// How many objects are there.
    func count() throws(SQLiteError) -> Int {
        Int(try connection.integer("SELECT COUNT(*) FROM object WHERE deleted IS NULL") ?? 0)
    }

    func hasRows(ofEntity number: Int) throws(SQLiteError) -> Bool {
        try connection.integer("SELECT 1 FROM object WHERE entity = \(number) LIMIT 1") != nil
    }

    /// Whether an object is there that a deletion of a version leaves.
    func hasNewer(than version: ItemVersion) throws(SQLiteError) -> Bool {
        let condition = version.isGiven ? ">=" : ">"
        return try connection.integer("SELECT 1 FROM object WHERE version \(condition) \(version.number) LIMIT 1")
            != nil
    }

    /// Some objects that a deletion of a version takes, after a key, in the order of keys.
    func page(olderThan version: ItemVersion, after key: ObjectKey?) throws(SQLiteError) -> [ObjectRow] {
        let condition =
            "WHERE id > ?2 AND deleted IS NULL AND version \(version.isGiven ? "<" : "<=") ?1 ORDER BY id "
            + "LIMIT \(Self.pageSize)"
        return try ObjectQuery(condition, on: connection).rows {
            $0.bind(version.number, at: 1)
            $0.bind(key?.rawValue ?? -1, at: 2)
        }
    }

    /// Some objects of the domains from one on and below another, after an object, in the order of domains and keys.
    func page(
        domains: Range<String>, after last: ObjectRow?
    ) throws(SQLiteError) -> [ObjectRow] {
        try ObjectQuery(
            """
            WHERE (domain_identifier, id) > (?1, ?2) AND domain_identifier < ?3 AND deleted IS NULL
            ORDER BY domain_identifier, id LIMIT \(Self.pageSize)
            """, on: connection
        ).rows {
            $0.bind(last?.domainIdentifier ?? domains.lowerBound, at: 1)
            $0.bind(last?.key.rawValue ?? -1, at: 2)
            $0.bind(domains.upperBound, at: 3)
        }
    }

    /// Objects past their expiration date.
    func expired(at time: Double, limit: Int) throws(SQLiteError) -> [ObjectRow] {
        try ObjectQuery("WHERE expires <= ?1 AND deleted IS NULL LIMIT \(limit)", on: connection)
            .rows { $0.bind(time, at: 1) }
    }

    /// Removes marks of deletions before a time.
    func removeMarks(before time: Double, limit: Int) throws(SQLiteError) {
        let statement = try connection.prepare(
            "DELETE FROM object WHERE id IN (SELECT id FROM object WHERE deleted < ?1 LIMIT \(limit))")
        statement.bind(time, at: 1)
        try statement.run()
    }

    /// Removes every row.
    func clear() throws(SQLiteError) { try connection.execute("DELETE FROM object") }
}
