internal import PersistentStore
internal import SQLite

/// Builds indexes from a store's tables.
struct IndexBuilder {
    /// Up to this many rows of a table an index is built at once, which takes some milliseconds.
    static let smallTable = 20_000

    let connection: SQLiteConnection
    let layout: StoreLayout

    /// Whether a table is so small that the caller may wait for its index.
    func isSmall(_ table: String) throws(SQLiteError) -> Bool {
        try connection.integer("SELECT 1 FROM \(table.quotedForSQL) LIMIT 1 OFFSET \(Self.smallTable)") == nil
    }

    /// Builds the index of a predicate.
    func index(_ matcher: Matcher) throws(SQLiteError) -> MatchIndex {
        let source = "FROM \(matcher.table.quotedForSQL) WHERE \(matcher.entityCondition(layout))"
        let size = try connection.prepare("SELECT COUNT(*), MAX(Z_PK) \(source)")
        guard try size.step() else { return MatchIndex(rows: 0, largestKey: 0) }
        var index = MatchIndex(rows: Int(size.integer(0)), largestKey: size.integer(1))
        size.reset()
        let columns = matcher.columns.map(\.quotedForSQL).joined(separator: ", ")
        let rows = try connection.prepare("SELECT Z_PK, \(columns) \(source) ORDER BY Z_PK")
        let codecs = matcher.terms.map { AttributeCodec($0.attribute, externalData: "") }
        while try rows.step() { Self.add(rows, matcher, codecs, to: &index) }
        return index
    }

    private static func add(
        _ row: SQLiteStatement, _ matcher: Matcher, _ codecs: [AttributeCodec], to index: inout MatchIndex
    ) {
        var folded = Hasher()
        var exact = Hasher()
        for (position, term) in matcher.terms.enumerated() {
            let value = codecs[position].value(row, Int32(position + 1))
            let type = term.attribute.type
            guard let key = MatchKey(stored: value, type: type, folding: term.folding) else { return }
            folded.combine(key)
            guard matcher.folds else { continue }
            guard let key = MatchKey(stored: value, type: type, folding: Matcher.exactly) else { return }
            exact.combine(key)
        }
        let hash = UInt64(bitPattern: Int64(folded.finalize()))
        let exactHash = matcher.folds ? UInt64(bitPattern: Int64(exact.finalize())) : hash
        index.add(row.integer(0), hash: hash, exact: exactHash)
    }
}
