internal import Items
internal import PostgreSQL

/// One part of a batch of operations: a run of items, or one operation of another kind.
///
/// It says what it must read, takes the answers, and leaves what it changes in the context; several times where needed.
protocol WriteStep {
    /// The questions to ask first; none where nothing must be read.
    mutating func begin(_ context: inout WriteContext) -> [Statement]

    /// Takes the answers, in the order of the questions, and says what to do next.
    mutating func take(_ results: ArraySlice<ServerResult>, _ context: inout WriteContext) -> WriteStepProgress
}

/// How far a step is.
enum WriteStepProgress {
    /// Ask this; what the step has changed so far is done before.
    case ask([Statement])
    /// What became of the step's operations.
    case done([ItemOutcome])
}

/// What the steps of a batch have in common: the catalog as they know it, and the changes that are not sent yet.
struct WriteContext {
    /// Something that changes the catalog.
    enum Change {
        case statement(Statement)
        case copy(CopyIn)
    }

    var header: CatalogState.Header
    var model: CatalogModel
    /// In seconds since 2001-01-01T00:00:00Z.
    let now: Double
    let reader: AttributeReaderBox
    /// Whether the table `object` is empty.
    var hasNoObjects = false
    /// What changes the catalog and is not sent yet, in its order.
    private(set) var changes: [Change] = []
    /// Whether new rows go by COPY, which is cheaper for many of them.
    let copies: Bool
    /// Whether all rows were removed.
    var isCleared = false
    /// The keys of the rows that were changed.
    var touched: Set<ObjectKey> = []

    init(_ state: CatalogState, now: Double, reader: AttributeReaderBox, copies: Bool) {
        header = state.header
        model = state.model
        self.now = now
        self.reader = reader
        self.copies = copies
    }

    /// Puts statements among the changes.
    mutating func change(_ statements: [Statement]) { changes += statements.map { .statement($0) } }

    /// Puts new rows among the changes.
    mutating func change(_ copy: CopyIn) {
        if copy.rowCount > 0 { changes.append(.copy(copy)) }
    }

    /// Takes the changes over.
    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    /// Puts what the model has learnt among the changes.
    mutating func storeAdditions() {
        let additions = model.takeAdditions()
        guard !additions.isEmpty else { return }
        change(ModelStatements.store(additions, of: model))
        countGeneration()
    }

    /// Makes the catalog stand for a store; false where it has objects of another one.
    mutating func adopt(_ store: String) -> Bool {
        if store == header.identifier { return true }
        guard hasNoObjects else { return false }
        header.identifier = store
        change([Statement("UPDATE deeplink.catalog SET identifier = $1", [.text(store)])])
        countGeneration()
        return true
    }

    private mutating func countGeneration() {
        header.generation = max(model.generation, header.generation + 1)
        change([Statement("UPDATE deeplink.catalog SET generation = $1", [.integer(header.generation)])])
    }

    /// Deletes objects, and what leads to them.
    mutating func delete(_ rows: [ObjectRow], version: Int64) {
        replace(rows, by: rows.map { $0.deleted(at: now, version: version) })
    }

    /// Removes objects that are past their expiration date.
    mutating func remove(_ rows: [ObjectRow]) {
        replace(rows, by: rows.map { $0.removed(at: now) })
    }

    private mutating func replace(_ rows: [ObjectRow], by marks: [ObjectRow]) {
        guard !rows.isEmpty else { return }
        var matches: [MatchRow] = []
        for row in rows {
            matches += model.matchRows(of: row, reader.attributes(of: row))
            touched.insert(row.key)
        }
        change(MatchStatements.remove(matches))
        change(ObjectStatements.store(marks))
    }
}
