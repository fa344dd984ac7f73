internal import PersistentStore
internal import PostgreSQL

/// Counts the very many objects of one value by the table `match` alone.
enum CrowdCount {
    /// The statement for several searches, each with one comparison that is decisive.
    static func statement(
        _ searches: [(matcher: PredicateMatcher, sought: PredicateMatcher.Sought)], at time: Double
    ) -> Statement {
        let keys = searches.map { $0.sought.keys[0] }
        let families = searches.map { search -> String? in
            if search.matcher.isWholeRoot { return nil }
            return "{\(search.matcher.family.sorted().map(String.init).joined(separator: ","))}"
        }
        return Statement(
            sql, name: "deeplink_crowd",
            [
                .smallIntegers(keys.map { Int32($0.attribute) }), .integers(keys.map { $0.hash ?? 0 }),
                .integers(keys.map(\.exact)), .integers(keys.map(\.forms.lowerBound)),
                .integers(keys.map(\.forms.upperBound)), .texts(families), .double(time),
            ])
    }

    private static let sql = """
        SELECT q.place - 1, m.count, m.first, m.first_exact
        FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
          WITH ORDINALITY q (attribute, hash, exact, first, last, family, place)
        CROSS JOIN LATERAL (
          SELECT count(*) AS count, min(object) AS first, min(object) FILTER (WHERE exact = q.exact) AS first_exact
          FROM deeplink.match
          WHERE attribute = q.attribute AND hash = q.hash AND (expires IS NULL OR expires > $7)
            AND exact BETWEEN q.first AND q.last AND (q.family IS NULL OR entity = ANY (q.family::integer[]))
        ) m
        """

    /// The tallies of a result, by the searches' places.
    static func tallies(_ result: ServerResult) -> [(place: Int, tally: MatchTally)] {
        (0..<result.rowCount).map { row in
            var tally = MatchTally()
            let count = Int(result.integer(row, 1))
            if count > 0 {
                let isExact = !result.isNull(row, 3)
                let best = ObjectKey(rawValue: result.integer(row, isExact ? 3 : 2))
                tally.add(best, isExact: isExact, count: count)
            }
            return (Int(result.integer(row, 0)), tally)
        }
    }
}
