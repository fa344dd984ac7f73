internal import Items
internal import PostgreSQL

/// Statements on the table `object`.
enum ObjectStatements {
    /// How many rows a deletion takes at a time.
    static let pageSize = 1_000

    /// The rows of keys and of identifiers; one may come twice.
    static func rows(keys: Set<ObjectKey>, identifiers: Set<String>) -> Statement {
        Statement(
            """
            SELECT \(ObjectRow.columns(of: "o")) FROM unnest($1::bigint[]) q (id)
            CROSS JOIN LATERAL (SELECT * FROM deeplink.object o WHERE o.id = q.id OFFSET 0) o
            UNION ALL
            SELECT \(ObjectRow.columns(of: "o")) FROM unnest($2::text[]) q (name)
            CROSS JOIN LATERAL (
              SELECT * FROM deeplink.object o WHERE o.unique_identifier = q.name COLLATE "C" OFFSET 0) o
            """, name: "deeplink_write_rows",
            [.integers(keys.sorted().map(\.rawValue)), .texts(identifiers.sorted())])
    }

    /// Takes their unique identifier from rows.
    static func release(_ keys: [ObjectKey]) -> [Statement] {
        guard !keys.isEmpty else { return [] }
        return [
            Statement(
                "UPDATE deeplink.object SET unique_identifier = NULL WHERE id = ANY ($1::bigint[])",
                name: "deeplink_release", [.integers(keys.map(\.rawValue))])
        ]
    }

    /// New rows for COPY.
    static func copy(_ rows: some Sequence<ObjectRow>) -> CopyIn {
        var copy = CopyIn(
            table: "deeplink.object", columns: ObjectRow.columns.split(separator: ", ").map(String.init))
        for row in rows {
            copy.beginRow()
            copy.append(row.key.rawValue)
            copy.append(Int32(row.entity))
            copy.append(row.uniqueIdentifier)
            copy.append(row.domainIdentifier)
            copy.append(row.version)
            copy.append(row.expires)
            copy.append(row.deleted)
            copy.append(utf8: row.attributes)
        }
        return copy
    }

    /// Stores rows in place of those with their keys.
    static func store(_ rows: [ObjectRow]) -> [Statement] {
        guard !rows.isEmpty else { return [] }
        return [
            Statement(
                """
                INSERT INTO deeplink.object (\(ObjectRow.columns))
                SELECT * FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::bigint[],
                  $6::double precision[], $7::double precision[], $8::text[])
                ON CONFLICT (id) DO UPDATE SET entity = EXCLUDED.entity, unique_identifier = EXCLUDED.unique_identifier,
                  domain_identifier = EXCLUDED.domain_identifier, version = EXCLUDED.version,
                  expires = EXCLUDED.expires, deleted = EXCLUDED.deleted, attributes = EXCLUDED.attributes
                """, name: "deeplink_store",
                [
                    .integers(rows.map(\.key.rawValue)), .smallIntegers(rows.map { Int32($0.entity) }),
                    .texts(rows.map(\.uniqueIdentifier)), .texts(rows.map(\.domainIdentifier)),
                    .integers(rows.map(\.version)), .doubles(rows.map(\.expires)), .doubles(rows.map(\.deleted)),
                    .utf8(rows.map(\.attributes)),
                ])
        ]
    }

    /// Stores nothing but the versions of rows.
    static func storeVersions(_ rows: [ObjectRow]) -> [Statement] {
        guard !rows.isEmpty else { return [] }
        return [
            Statement(
                """
                UPDATE deeplink.object o SET version = q.version
                FROM unnest($1::bigint[], $2::bigint[]) q (id, version) WHERE o.id = q.id
                """, name: "deeplink_version", [.integers(rows.map(\.key.rawValue)), .integers(rows.map(\.version))])
        ]
    }

    /// Whether there is any row.
    static let isEmpty = Statement("SELECT NOT EXISTS (SELECT FROM deeplink.object)")

    /// The entities among these that have rows.
    static func entitiesWithRows(_ numbers: [Int], _ model: CatalogModel) -> Statement {
        let roots = numbers.map { Int64(model.entities[$0 - 1].root) }
        return Statement(
            """
            SELECT q.number FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) q (number, first, last)
            WHERE EXISTS (SELECT FROM deeplink.object WHERE id >= q.first AND id < q.last AND entity = q.number)
            """,
            [
                .smallIntegers(numbers.map { Int32($0) }), .integers(roots.map { $0 << 48 }),
                .integers(roots.map { ($0 + 1) << 48 }),
            ])
    }

    /// A page of the objects of a domain and of its sub-domains that a deletion of a version takes.
    static func page(of domain: String, olderThan version: ItemVersion) -> Statement {
        let bounds = DomainMarks.subdomains(of: domain)
        return Statement(
            """
            SELECT \(ObjectRow.columns) FROM deeplink.object
            WHERE (domain_identifier = $1 COLLATE "C" OR domain_identifier >= $2 COLLATE "C"
              AND domain_identifier < $3 COLLATE "C") AND deleted IS NULL AND version \(version.isGiven ? "<" : "<=") $4
            LIMIT \(pageSize)
            """, [.text(domain), .text(bounds.lower), .text(bounds.upper), .integer(version.number)])
    }

    /// A page of the objects that a deletion of everything takes.
    static func page(olderThan version: ItemVersion) -> Statement {
        Statement(
            """
            SELECT \(ObjectRow.columns) FROM deeplink.object
            WHERE deleted IS NULL AND version \(version.isGiven ? "<" : "<=") $1 LIMIT \(pageSize)
            """, [.integer(version.number)])
    }

    /// How many objects are there, and whether one of them is newer than a deletion of a version.
    static func count(newerThan version: ItemVersion) -> Statement {
        Statement(
            """
            SELECT (SELECT count(*) FROM deeplink.object WHERE deleted IS NULL),
              EXISTS (SELECT FROM deeplink.object WHERE version \(version.isGiven ? ">=" : ">") $1)
            """, [.integer(version.number)])
    }
}
