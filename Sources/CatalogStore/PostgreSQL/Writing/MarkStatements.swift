internal import PostgreSQL

/// Statements on the marks of deletions, and on the keys to allot.
enum MarkStatements {
    /// The versions of the marks that identifiers have.
    static func identifiers(_ names: Set<String>) -> Statement {
        Statement(
            """
            SELECT unique_identifier, version FROM deeplink.identifier_deletion
            WHERE unique_identifier = ANY ($1::text[])
            """, name: "deeplink_identifier_marks", [.texts(names.sorted())])
    }

    /// The versions of the marks that domains have.
    static func domains(_ names: Set<String>) -> Statement {
        Statement(
            "SELECT domain_identifier, version FROM deeplink.domain_deletion WHERE domain_identifier = ANY ($1::text[])",
            name: "deeplink_domain_marks", [.texts(names.sorted())])
    }

    /// The next key to allot of each root.
    static func nextKeys(_ roots: Set<Int>) -> Statement {
        Statement(
            "SELECT number, next_key FROM deeplink.entity WHERE number = ANY ($1::integer[])",
            name: "deeplink_next_keys", [.smallIntegers(roots.sorted().map { Int32($0) })])
    }

    /// Reads versions by name.
    static func versions(_ result: ServerResult) -> [String: Int64] {
        let rows = (0..<result.rowCount).map { (result.text($0, 0) ?? "", result.integer($0, 1)) }
        return Dictionary(rows, uniquingKeysWith: max)
    }

    /// Stores the marks and keys of a set of changes.
    static func store(_ changes: ChangeSet, at time: Double) -> [Statement] {
        var statements: [Statement] = []
        if !changes.identifierMarks.isEmpty {
            let marks = changes.identifierMarks.sorted { $0.key < $1.key }
            statements.append(
                Statement(
                    """
                    INSERT INTO deeplink.identifier_deletion (unique_identifier, version, deleted)
                    SELECT name, version, $3 FROM unnest($1::text[], $2::bigint[]) q (name, version)
                    ON CONFLICT (unique_identifier) DO UPDATE SET version = EXCLUDED.version, deleted = EXCLUDED.deleted
                    """, [.texts(marks.map(\.key)), .integers(marks.map(\.value)), .double(time)]))
        }
        if !changes.removedIdentifierMarks.isEmpty {
            statements.append(
                Statement(
                    "DELETE FROM deeplink.identifier_deletion WHERE unique_identifier = ANY ($1::text[])",
                    [.texts(changes.removedIdentifierMarks.sorted())]))
        }
        if !changes.nextKeys.isEmpty {
            let keys = changes.nextKeys.sorted { $0.key < $1.key }
            statements.append(
                Statement(
                    """
                    UPDATE deeplink.entity e SET next_key = q.next_key
                    FROM unnest($1::integer[], $2::bigint[]) q (number, next_key) WHERE e.number = q.number
                    """, name: "deeplink_allot",
                    [.smallIntegers(keys.map { Int32($0.key) }), .integers(keys.map(\.value))]))
        }
        return statements
    }

    /// Marks a domain as deleted; a newer mark stays.
    static func mark(domain: String, version: Int64, at time: Double) -> Statement {
        Statement(
            """
            INSERT INTO deeplink.domain_deletion AS d (domain_identifier, version, deleted) VALUES ($1, $2, $3)
            ON CONFLICT (domain_identifier) DO UPDATE SET version = EXCLUDED.version, deleted = EXCLUDED.deleted
              WHERE d.version < EXCLUDED.version
            """, [.text(domain), .integer(version), .double(time)])
    }

    /// Removes marks that a deletion of everything makes needless.
    static func clear(upTo version: Int64) -> [Statement] {
        ["identifier_deletion", "domain_deletion"].map { table in
            Statement("DELETE FROM deeplink.\(table) WHERE version <= $1", [.integer(version)])
        }
    }
}
