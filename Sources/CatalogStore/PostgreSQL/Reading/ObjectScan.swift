internal import PersistentStore
internal import PostgreSQL

/// Reads the very many objects that may match a search, page by page.
///
/// They are those that have all its values, or, where it has none that leads to candidates, all objects of its root. Each
/// page is a round of its own, so that neither the server nor the worker is kept for long.
struct ObjectScan {
    /// How many keys one page looks at.
    private static let pageSize = 5_000

    /// The search that it is for.
    let search: Int
    private let values: [LookupStatement.Value]
    private var next: Int64
    private let end: Int64

    init(search: Int, _ matcher: PredicateMatcher, _ sought: PredicateMatcher.Sought) {
        self.search = search
        values = sought.keys.compactMap { key in
            key.hash.map { LookupStatement.Value(attribute: key.attribute, hash: $0) }
        }
        next = Int64(matcher.root) << 48
        end = Int64(matcher.root + 1) << 48
    }

    /// The statement for the next page: its objects, and a row that says how far it went.
    var statement: Statement {
        var parameters: [Parameter] = [.integer(next), .integer(end)]
        func place(_ parameter: Parameter) -> String {
            parameters.append(parameter)
            return "$\(parameters.count)"
        }
        func condition(_ value: LookupStatement.Value) -> String {
            "m.attribute = \(place(.smallIntegers([Int32(value.attribute)])))[1] AND m.hash = \(place(.integer(value.hash)))"
        }
        let keys =
            values.isEmpty
            ? "SELECT id AS object FROM deeplink.object WHERE id >= $1 AND id < $2"
            : "SELECT object FROM deeplink.match m WHERE object >= $1 AND object < $2 AND \(condition(values[0]))"
        let others = values.dropFirst().map { value in
            " AND EXISTS (SELECT FROM deeplink.match m WHERE m.object = o.id AND \(condition(value)))"
        }
        return Statement(
            """
            WITH page AS MATERIALIZED (\(keys) ORDER BY 1 LIMIT \(Self.pageSize))
            SELECT true, \(ObjectRow.columns(of: "o")) FROM page CROSS JOIN LATERAL (
              SELECT * FROM deeplink.object o WHERE o.id = page.object AND o.deleted IS NULL\(others.joined()) OFFSET 0) o
            UNION ALL
            SELECT false, max(object), count(*)::integer, NULL, NULL, 0, NULL, NULL, '' FROM page
            """, parameters)
    }

    /// Takes a page; `more` is false when it was the last one.
    mutating func take(_ result: ServerResult) -> (rows: [ObjectRow], more: Bool) {
        var rows: [ObjectRow] = []
        var more = false
        for row in 0..<result.rowCount {
            if result.boolean(row, 0) {
                rows.append(ObjectRow(result, row, column: 1))
            } else {
                next = result.integer(row, 1) + 1
                more = result.integer(row, 2) >= Self.pageSize
            }
        }
        return (rows, more)
    }
}
