internal import PersistentStore
internal import SQLite

/// The rows that a store's history says were deleted, and when.
struct DeletionIndex: Sendable {
    private struct Row: Hashable {
        let entity: Int64
        let key: Int64
    }

    /// How many deletions are kept at most: the last ones.
    static let maximumCount = 1_000_000

    private var times: [Row: Double] = [:]

    /// Reads the history's deletions.
    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        let statement = try connection.prepare(
            "SELECT c.ZENTITY, c.ZENTITYPK, t.ZTIMESTAMP FROM ACHANGE c LEFT JOIN ATRANSACTION t "
                + "ON t.Z_PK = c.ZTRANSACTIONID WHERE c.ZCHANGETYPE = 2 ORDER BY c.Z_PK DESC LIMIT \(Self.maximumCount)"
        )
        while try statement.step() {
            let row = Row(entity: statement.integer(0), key: statement.integer(1))
            if times[row] == nil {
                times[row] = statement.storage(2) == .null ? .nan : statement.real(2)
            }
        }
    }

    /// When the row of one of these entity numbers was deleted; nil where it was not, NaN where the time is unknown.
    func time(of key: Int64, entities: some Sequence<Int64>) -> Double? {
        if times.isEmpty { return nil }
        for entity in entities {
            if let time = times[Row(entity: entity, key: key)] { return time }
        }
        return nil
    }
}
