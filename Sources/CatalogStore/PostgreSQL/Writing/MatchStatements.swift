internal import PostgreSQL

/// Statements on the table `match`.
///
/// Rows are sent in the order of the table's key, so that pages of its index are touched once.
enum MatchStatements {
    /// New rows for COPY.
    static func copy(_ rows: some Sequence<MatchRow>) -> CopyIn {
        var copy = CopyIn(
            table: "deeplink.match", columns: ["attribute", "hash", "object", "entity", "exact", "expires"])
        for row in rows {
            copy.beginRow()
            copy.append(Int32(row.attribute))
            copy.append(row.hash)
            copy.append(row.object.rawValue)
            copy.append(Int32(row.entity))
            copy.append(row.exact)
            copy.append(row.expires)
        }
        return copy
    }

    /// Adds rows, each key once; where one with the same key is there, it is replaced.
    static func add(_ rows: [MatchRow]) -> [Statement] {
        guard !rows.isEmpty else { return [] }
        return [
            Statement(
                """
                INSERT INTO deeplink.match (attribute, hash, object, entity, exact, expires)
                SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::integer[], $5::bigint[],
                  $6::double precision[])
                ON CONFLICT (attribute, hash, object) DO UPDATE SET entity = EXCLUDED.entity, exact = EXCLUDED.exact,
                  expires = EXCLUDED.expires
                """, name: "deeplink_match",
                keys(rows) + [
                    .smallIntegers(rows.map { Int32($0.entity) }), .integers(rows.map(\.exact)),
                    .doubles(rows.map(\.expires)),
                ])
        ]
    }

    /// Removes rows by their keys.
    static func remove(_ rows: [MatchRow]) -> [Statement] {
        guard !rows.isEmpty else { return [] }
        return [
            Statement(
                """
                DELETE FROM deeplink.match m
                USING unnest($1::integer[], $2::bigint[], $3::bigint[]) q (attribute, hash, object)
                WHERE m.attribute = q.attribute AND m.hash = q.hash AND m.object = q.object
                """, name: "deeplink_unmatch", keys(rows.sorted(by: precedes)))
        ]
    }

    private static func keys(_ rows: [MatchRow]) -> [Parameter] {
        [
            .smallIntegers(rows.map { Int32($0.attribute) }), .integers(rows.map(\.hash)),
            .integers(rows.map(\.object.rawValue)),
        ]
    }

    /// The rows in the order of their keys; of two with one key the later one.
    ///
    /// Two attributes of an object cannot have one key, but a statement must not touch a row twice whatever it is given.
    static func unique(_ rows: [MatchRow]) -> [MatchRow] {
        var unique: [MatchRow] = []
        unique.reserveCapacity(rows.count)
        for (_, row) in rows.enumerated().sorted(by: { left, right in
            precedes(left.element, right.element)
                || !precedes(right.element, left.element) && left.offset < right.offset
        }) {
            if let last = unique.last, !precedes(last, row) { unique.removeLast() }
            unique.append(row)
        }
        return unique
    }

    static func precedes(_ left: MatchRow, _ right: MatchRow) -> Bool {
        if left.attribute != right.attribute { return left.attribute < right.attribute }
        if left.hash != right.hash { return left.hash < right.hash }
        return left.object < right.object
    }
}
