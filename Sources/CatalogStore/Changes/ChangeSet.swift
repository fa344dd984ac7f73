/// What a run of operations makes of the rows it concerns: what a writer stores.
///
/// A writer stores `released` first, then removes and adds match rows, then the rest, in one transaction.
public struct ChangeSet: Sendable {
    /// A row to store in place of the one with its key.
    public struct Change: Sendable {
        /// The row as it shall be.
        public var row: ObjectRow
        /// Whether there is no row of that key yet.
        public var isNew: Bool
        /// Whether nothing but `version` differs from the row that is there.
        public var isVersionOnly: Bool
    }

    /// Rows that give up their unique identifier, perhaps to another row of this set: it is set to null first.
    public var released: [ObjectKey] = []
    /// Rows to store, in the order of their keys.
    public var rows: [Change] = []
    /// Rows of `match` to delete.
    public var removedMatches: [MatchRow] = []
    /// Rows of `match` to add; where one with the same key is there, it is replaced.
    public var addedMatches: [MatchRow] = []
    /// Marks of deleted identifiers that no object has, to store: version by identifier.
    public var identifierMarks: [String: Int64] = [:]
    /// Marks of identifiers to remove, since an object has them now.
    public var removedIdentifierMarks: [String] = []
    /// The next key to allot of each root that it changed for.
    public var nextKeys: [Int: Int64] = [:]

    /// Makes an empty set.
    public init() {}
}
