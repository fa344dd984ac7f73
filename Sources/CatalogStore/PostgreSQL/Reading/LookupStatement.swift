internal import PostgreSQL

/// The one statement that answers a batch of look-ups: what is sought goes there in arrays, each value once.
///
/// One statement is one state of the catalog, one way to the server and back, and one plan, whatever the batch's size.
/// Each part walks its array and an index beneath it; `OFFSET 0` keeps the planner from turning that round, which it
/// would do wherever it is wrong about the sizes.
struct LookupStatement {
    /// Of a value that more objects have, only so many are read, which shows that they are many.
    static let fewCandidates = 64

    /// A value of an attribute.
    struct Value: Hashable {
        let attribute: Int
        let hash: Int64
    }

    /// What a result holds.
    struct Answer {
        var rows: [ObjectKey: ObjectRow] = [:]
        /// The candidates for each single value; more than `fewCandidates` are a crowd.
        var singles: [[ObjectRow]]
        /// The candidates for each group of values: those that have the rarest of them.
        var groups: [[ObjectRow]]
        var header: CatalogState.Header?
    }

    private enum Part: Int64 {
        case key, single, group, header
    }

    private(set) var keys: [ObjectKey] = []
    private(set) var singles: [Value] = []
    private(set) var groups: [[Value]] = []
    private var knownKeys: Set<ObjectKey> = []
    private var knownSingles: [Value: Int] = [:]

    init() {}

    /// Asks for a row.
    mutating func add(_ key: ObjectKey) {
        if knownKeys.insert(key).inserted { keys.append(key) }
    }

    /// Asks for the objects that have a value; returns its place.
    mutating func add(_ value: Value) -> Int {
        if let place = knownSingles[value] { return place }
        knownSingles[value] = singles.count
        singles.append(value)
        return singles.count - 1
    }

    /// Asks for the objects that have the rarest of several values; returns its place.
    mutating func add(group: [Value]) -> Int {
        groups.append(group)
        return groups.count - 1
    }

    /// The statement with its values.
    var statement: Statement {
        var members: (group: [Int64], attribute: [Int32], hash: [Int64]) = ([], [], [])
        for (place, group) in groups.enumerated() {
            for value in group {
                members.group.append(Int64(place))
                members.attribute.append(Int32(value.attribute))
                members.hash.append(value.hash)
            }
        }
        return Statement(
            Self.sql, name: "deeplink_lookup",
            [
                .integers(keys.map(\.rawValue)), .smallIntegers(singles.map { Int32($0.attribute) }),
                .integers(singles.map(\.hash)), .integers(members.group), .smallIntegers(members.attribute),
                .integers(members.hash),
            ])
    }

    private static let sql = """
        SELECT \(Part.key.rawValue), 0::bigint, \(ObjectRow.columns(of: "o"))
        FROM unnest($1::bigint[]) q (id)
        CROSS JOIN LATERAL (SELECT * FROM deeplink.object o WHERE o.id = q.id OFFSET 0) o
        UNION ALL
        SELECT \(Part.single.rawValue), q.place - 1, \(ObjectRow.columns(of: "o"))
        FROM unnest($2::integer[], $3::bigint[]) WITH ORDINALITY q (attribute, hash, place)
        CROSS JOIN LATERAL (\(candidates)) m
        CROSS JOIN LATERAL (SELECT * FROM deeplink.object o WHERE o.id = m.object OFFSET 0) o
        UNION ALL
        SELECT \(Part.group.rawValue), q.place, \(ObjectRow.columns(of: "o"))
        FROM (
          SELECT DISTINCT ON (k.place) k.place, k.attribute, k.hash
          FROM unnest($4::bigint[], $5::integer[], $6::bigint[]) k (place, attribute, hash)
          CROSS JOIN LATERAL (SELECT count(*) AS count FROM (
            SELECT FROM deeplink.match m WHERE m.attribute = k.attribute AND m.hash = k.hash LIMIT \(fewCandidates + 1)
          ) f) f
          ORDER BY k.place, f.count) q
        CROSS JOIN LATERAL (\(candidates)) m
        CROSS JOIN LATERAL (SELECT * FROM deeplink.object o WHERE o.id = m.object OFFSET 0) o
        UNION ALL
        SELECT \(Part.header.rawValue), 0, c.generation, c.version, c.identifier, NULL, c.deleted_version, NULL, NULL, NULL
        FROM deeplink.catalog c
        """

    private static let candidates = """
        SELECT m.object FROM deeplink.match m WHERE m.attribute = q.attribute AND m.hash = q.hash
        ORDER BY m.object LIMIT \(fewCandidates + 1)
        """

    /// Reads a result.
    func answer(_ result: ServerResult) -> Answer {
        var answer = Answer(
            singles: Array(repeating: [], count: singles.count), groups: Array(repeating: [], count: groups.count))
        for row in 0..<result.rowCount {
            let place = Int(result.integer(row, 1))
            switch Part(rawValue: result.integer(row, 0)) {
            case .key:
                let object = ObjectRow(result, row, column: 2)
                answer.rows[object.key] = object
            case .single: answer.singles[place].append(ObjectRow(result, row, column: 2))
            case .group: answer.groups[place].append(ObjectRow(result, row, column: 2))
            case .header:
                var header = CatalogState.Header()
                header.generation = result.integer(row, 2)
                header.version = Int(result.integer(row, 3))
                header.identifier = result.text(row, 4) ?? ""
                header.deletedVersion = result.isNull(row, 6) ? nil : result.integer(row, 6)
                answer.header = header
            case nil: continue
            }
        }
        return answer
    }
}
