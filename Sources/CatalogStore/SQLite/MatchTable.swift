internal import SQLite

/// Gathers changes of the table `match`, and writes them in the table's order: each page is then touched once.
final class MatchTable {
    /// A row to add or, without its entity, to remove.
    private struct Change {
        let attribute: Int32
        let entity: Int32
        let hash: Int64
        let object: Int64
        let exact: Int64
        let expires: Double?
        /// Counts up: of two changes of one row the later one counts.
        let order: Int32

        static func precedes(_ left: Change, _ right: Change) -> Bool {
            if left.attribute != right.attribute { return left.attribute < right.attribute }
            if left.hash != right.hash { return left.hash < right.hash }
            if left.object != right.object { return left.object < right.object }
            return left.order < right.order
        }

        func isSameRow(as other: Change) -> Bool {
            attribute == other.attribute && hash == other.hash && object == other.object
        }
    }

    /// How many rows one statement adds: half of what a row costs is the statement.
    private static let rowsAtOnce = 16

    private let connection: SQLiteConnection
    private let adding: SQLiteStatement
    private let addingMany: SQLiteStatement
    private let removing: SQLiteStatement
    private var changes: [Change] = []

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        let row = "(?, ?, ?, ?, ?, ?)"
        let rows = Array(repeating: row, count: Self.rowsAtOnce).joined(separator: ", ")
        adding = try connection.prepare("INSERT OR REPLACE INTO match VALUES \(row)")
        addingMany = try connection.prepare("INSERT OR REPLACE INTO match VALUES \(rows)")
        removing = try connection.prepare("DELETE FROM match WHERE attribute = ?1 AND hash = ?2 AND object = ?3")
    }

    /// How many changes are gathered.
    var count: Int { changes.count }

    func add(_ rows: [MatchRow]) {
        for row in rows { gather(row, entity: Int32(row.entity)) }
    }

    func remove(_ rows: [MatchRow]) {
        for row in rows { gather(row, entity: 0) }
    }

    func removeAll() { changes.removeAll() }

    private func gather(_ row: MatchRow, entity: Int32) {
        changes.append(
            Change(
                attribute: Int32(row.attribute), entity: entity, hash: row.hash, object: row.object.rawValue,
                exact: row.exact, expires: row.expires, order: Int32(changes.count)))
    }

    /// Writes what was gathered.
    func flush() throws(SQLiteError) {
        changes.sort(by: Change.precedes)
        var added: [Change] = []
        added.reserveCapacity(Self.rowsAtOnce)
        for index in changes.indices {
            if index + 1 < changes.count, changes[index].isSameRow(as: changes[index + 1]) { continue }
            guard changes[index].entity != 0 else {
                try remove(changes[index])
                continue
            }
            added.append(changes[index])
            guard added.count == Self.rowsAtOnce else { continue }
            for (place, change) in added.enumerated() { bind(change, to: addingMany, at: Int32(place * 6)) }
            try addingMany.run()
            added.removeAll(keepingCapacity: true)
        }
        for change in added {
            bind(change, to: adding, at: 0)
            try adding.run()
        }
        changes.removeAll(keepingCapacity: true)
    }

    private func remove(_ change: Change) throws(SQLiteError) {
        removing.bind(Int64(change.attribute), at: 1)
        removing.bind(change.hash, at: 2)
        removing.bind(change.object, at: 3)
        try removing.run()
    }

    /// Binds a row to the parameters after the first `offset`.
    private func bind(_ change: Change, to statement: SQLiteStatement, at offset: Int32) {
        statement.bind(Int64(change.attribute), at: offset + 1)
        statement.bind(change.hash, at: offset + 2)
        statement.bind(change.object, at: offset + 3)
        statement.bind(Int64(change.entity), at: offset + 4)
        statement.bind(change.exact, at: offset + 5)
        statement.bind(change.expires, at: offset + 6)
    }

    /// Removes every row.
    func clear() throws(SQLiteError) { try connection.execute("DELETE FROM match") }
}
