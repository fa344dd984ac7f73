internal import PostgreSQL

/// Removes a few objects whose time is up, and marks that nobody needs any more.
enum Housekeeping {
    /// Objects past their expiration date.
    static func expired(at time: Double) -> Statement {
        Statement(
            """
            SELECT \(ObjectRow.columns) FROM deeplink.object WHERE expires <= $1 AND deleted IS NULL
            LIMIT \(CatalogSchema.housekeepingCount)
            """, name: "deeplink_expired", [.double(time)])
    }

    /// Removes marks of old deletions.
    static func removeMarks(at time: Double) -> [Statement] {
        let limit = CatalogSchema.housekeepingCount
        let before = Parameter.double(time - CatalogSchema.markLifetime)
        return [
            ("object", "id"), ("identifier_deletion", "unique_identifier"), ("domain_deletion", "domain_identifier"),
        ].map { table, key in
            Statement(
                """
                DELETE FROM deeplink.\(table) WHERE \(key) IN (
                  SELECT \(key) FROM deeplink.\(table) WHERE deleted < $1 LIMIT \(limit))
                """, [before])
        }
    }
}
