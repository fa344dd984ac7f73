internal import PersistentStore
internal import SQLite

/// Finds the objects that a predicate matches, through the table `match`.
struct MatchQueries {
    /// Up to this many candidates are compared one by one.
    static let fewCandidates: Int64 = 64

    private let connection: SQLiteConnection
    private let candidates: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        candidates = try connection.prepare(
            "SELECT object FROM match WHERE attribute = ?1 AND hash = ?2 LIMIT \(Self.fewCandidates + 1)")
    }

    /// The objects that match.
    func tally(
        _ matcher: PredicateMatcher, _ sought: PredicateMatcher.Sought, in session: SQLiteReadSession
    ) throws(SQLiteError) -> MatchTally {
        var tally = MatchTally()
        for key in sought.keys where key.hash != nil {
            guard let few = try few(key) else { continue }
            for candidate in few { try compare(candidate, matcher, sought, session, &tally) }
            return tally
        }
        if sought.keys.allSatisfy({ $0.hash == nil }) {
            try walk(matcher, sought, session, &tally)
        } else if sought.keys.count == 1, sought.keys[0].isDecisive {
            try count(sought.keys[0], matcher, session, &tally)
        } else {
            try join(matcher, sought, session, &tally)
        }
        return tally
    }

    /// The objects that may have a value; nil where they are many.
    private func few(_ key: PredicateMatcher.Sought.Key) throws(SQLiteError) -> [ObjectKey]? {
        candidates.bind(Int64(key.attribute), at: 1)
        candidates.bind(key.hash, at: 2)
        defer { candidates.reset() }
        var keys: [ObjectKey] = []
        while try candidates.step() { keys.append(ObjectKey(rawValue: candidates.integer(0))) }
        return keys.count > Self.fewCandidates ? nil : keys
    }

    private func compare(
        _ key: ObjectKey, _ matcher: PredicateMatcher, _ sought: PredicateMatcher.Sought,
        _ session: SQLiteReadSession, _ tally: inout MatchTally
    ) throws(SQLiteError) {
        guard let row = try session.foundRow(key),
            let isExact = matcher.compare(row, session.reader.attributes(of: row), with: sought, at: session.time)
        else { return }
        tally.add(key, isExact: isExact)
    }

    /// Counts the many objects of one value by the index alone.
    private func count(
        _ key: PredicateMatcher.Sought.Key, _ matcher: PredicateMatcher, _ session: SQLiteReadSession,
        _ tally: inout MatchTally
    ) throws(SQLiteError) {
        var condition = "attribute = ?1 AND hash = ?2 AND exact BETWEEN ?4 AND ?5 AND (expires IS NULL OR expires > ?3)"
        if !matcher.isWholeRoot {
            condition += " AND entity IN (\(matcher.family.sorted().map(String.init).joined(separator: ",")))"
        }
        let statement = try connection.prepare(
            "SELECT COUNT(*), MIN(object), MIN(CASE WHEN exact = ?6 THEN object END) FROM match WHERE \(condition)")
        statement.bind(Int64(key.attribute), at: 1)
        statement.bind(key.hash, at: 2)
        statement.bind(session.time, at: 3)
        statement.bind(key.forms.lowerBound, at: 4)
        statement.bind(key.forms.upperBound, at: 5)
        statement.bind(key.exact, at: 6)
        guard try statement.step(), statement.integer(0) > 0 else { return }
        let isExact = statement.storage(2) != .null
        tally.add(
            ObjectKey(rawValue: statement.integer(isExact ? 2 : 1)), isExact: isExact, count: Int(statement.integer(0)))
    }

    /// Compares the many objects that have all values.
    private func join(
        _ matcher: PredicateMatcher, _ sought: PredicateMatcher.Sought, _ session: SQLiteReadSession,
        _ tally: inout MatchTally
    ) throws(SQLiteError) {
        let keys = sought.keys.filter { $0.hash != nil }
        var sql = "SELECT m0.object FROM match m0"
        for index in keys.indices.dropFirst() {
            sql +=
                " CROSS JOIN match m\(index) ON m\(index).attribute = ?\(index * 2 + 1)"
                + " AND m\(index).hash = ?\(index * 2 + 2) AND m\(index).object = m0.object"
        }
        let statement = try connection.prepare(sql + " WHERE m0.attribute = ?1 AND m0.hash = ?2")
        for (index, key) in keys.enumerated() {
            statement.bind(Int64(key.attribute), at: Int32(index * 2 + 1))
            statement.bind(key.hash, at: Int32(index * 2 + 2))
        }
        while try statement.step() {
            try compare(ObjectKey(rawValue: statement.integer(0)), matcher, sought, session, &tally)
        }
    }

    /// Compares every object of the root: what has no value has no row in `match`.
    private func walk(
        _ matcher: PredicateMatcher, _ sought: PredicateMatcher.Sought, _ session: SQLiteReadSession,
        _ tally: inout MatchTally
    ) throws(SQLiteError) {
        let query = try ObjectQuery("WHERE id >= ?1 AND id < ?2 AND deleted IS NULL", on: connection)
        try query.forEach { statement in
            statement.bind(Int64(matcher.root) << 48, at: 1)
            statement.bind(Int64(matcher.root + 1) << 48, at: 2)
        } _: { row throws(SQLiteError) in
            let attributes = session.reader.attributes(of: row)
            if let isExact = matcher.compare(row, attributes, with: sought, at: session.time) {
                tally.add(row.key, isExact: isExact)
            }
            return true
        }
    }
}
