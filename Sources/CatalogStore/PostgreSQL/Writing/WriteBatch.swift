internal import Items
internal import PersistentStore
internal import PostgreSQL

internal import struct FoundationEssentials.Date

/// One batch of operations on its way, in one transaction: which round comes next, and the outcomes after the last one.
///
/// The first round takes the writers' lock, looks whether the model is still the catalog's, and reads what the first part
/// needs, as if it were; the last one commits. So an ordinary batch of items is two rounds.
struct WriteBatch {
    /// What to do next.
    enum Next {
        case ask(Round)
        /// It is committed.
        case finished([ItemOutcome])
        case failed(StoreError)
    }

    private enum Stage {
        case opening, loading, working, committing
    }

    /// How long the server may work on a statement, and wait for another writer.
    static let statementTime: Duration = .seconds(30)
    /// How long it may take to copy rows.
    static let copyTime: Duration = .seconds(600)

    private let operations: [ItemOperation]
    private let location: String
    private let removesMarks: Bool
    private var stage = Stage.opening
    private(set) var context: WriteContext
    private var runs: OperationRuns
    private var step: (any WriteStep)?
    /// Rounds that come before the one whose answers are waited for.
    private var queue: [Round] = []
    private var questionCount = 0
    private var openingCount = 0
    /// The first part as it would be if nothing has changed.
    private var guessed: (step: ChangesStep, context: WriteContext)?
    private var outcomes: [ItemOutcome] = []
    private var expired: [ObjectRow] = []

    /// Plans a batch for the state in which the writer left the catalog.
    ///
    /// `copies` for large batches, `removesMarks` when it is time for that.
    init(
        _ operations: [ItemOperation], _ state: CatalogState, _ location: String, reader: AttributeReaderBox,
        copies: Bool, removesMarks: Bool
    ) {
        self.operations = operations
        self.location = location
        self.removesMarks = removesMarks
        context = WriteContext(state, now: Date().timeIntervalSinceReferenceDate, reader: reader, copies: copies)
        runs = OperationRuns(operations, identifier: state.header.identifier)
    }

    /// The first round.
    mutating func begin() -> Round {
        var opening = [
            Statement("SELECT pg_catalog.pg_advisory_xact_lock($1)", [.integer(PostgreSQLMigrations.lock)]),
            Statement(
                "SELECT \(CatalogState.headerColumns), NOT EXISTS (SELECT FROM deeplink.object) FROM deeplink.catalog",
                name: "deeplink_header"),
            Housekeeping.expired(at: context.now),
        ]
        // What is imported is safe after the writer's last commit, which waits for all before it.
        if context.copies { opening.append(Statement("SET LOCAL synchronous_commit = off")) }
        openingCount = opening.count
        opening += guess()
        return Round(opening, frame: .begins, statementTimeout: Self.statementTime)
    }

    /// The questions of the first part, if the catalog is still as the writer left it.
    private mutating func guess() -> [Statement] {
        guard case .changes(let range)? = runs.next(), context.header.generation >= 0 else { return [] }
        var context = context
        var step = ChangesStep(operations[range])
        let questions = step.begin(&context)
        guessed = (step, context)
        return questions
    }

    /// Takes the answers to the last round.
    mutating func take(_ results: [ServerResult]) -> Next {
        if !queue.isEmpty { return .ask(queue.removeFirst()) }
        switch stage {
        case .opening: return opened(results)
        case .loading:
            guard let state = CatalogState(results[...]) else { return .failed(missing) }
            (context.header, context.model) = (state.header, state.model)
            runs = OperationRuns(operations, identifier: state.header.identifier)
            stage = .working
            return nextStep()
        case .working:
            guard let progress = step?.take(results.suffix(questionCount), &context) else { return nextStep() }
            return advance(progress)
        case .committing: return .finished(outcomes)
        }
    }

    private mutating func opened(_ results: [ServerResult]) -> Next {
        guard let header = CatalogState.Header(results[1]) else { return .failed(missing) }
        guard header.version <= CatalogSchema.version else { return .failed(PostgreSQLMigrations.newer(location)) }
        context.hasNoObjects = results[1].boolean(0, 4)
        expired = ObjectRow.all(results[2])
        let isCurrent = header.hasModel(of: context.header)
        if isCurrent, var (step, guessed) = guessed {
            guessed.header.deletedVersion = header.deletedVersion
            guessed.hasNoObjects = context.hasNoObjects
            context = guessed
            stage = .working
            return advance(step.take(results[openingCount...], &context))
        }
        context.header = header
        runs = OperationRuns(operations, identifier: header.identifier)
        if isCurrent { return nextStep() }
        stage = .loading
        return ask(CatalogState.statements)
    }

    private var missing: StoreError {
        PostgreSQLError(state: "42P01", "its table catalog is empty").storeError(location)
    }

    /// Begins the next part of the batch, or commits.
    private mutating func nextStep() -> Next {
        while let run = runs.next() {
            if case .adoption(let store) = run {
                _ = context.adopt(store)
                continue
            }
            var step = Self.step(for: run, of: operations)
            let questions = step.begin(&context)
            guard questions.isEmpty else {
                self.step = step
                return ask(questions)
            }
            if case .done(let outcomes) = step.take([], &context) { self.outcomes += outcomes }
        }
        return commit()
    }

    private mutating func advance(_ progress: WriteStepProgress) -> Next {
        switch progress {
        case .ask(let questions): return ask(questions)
        case .done(let outcomes):
            self.outcomes += outcomes
            step = nil
            return nextStep()
        }
    }

    private static func step(for run: OperationRuns.Run, of operations: [ItemOperation]) -> any WriteStep {
        switch run {
        case .adoption: preconditionFailure("a catalog adopts a store between the steps")
        case .changes(let range): return ChangesStep(operations[range])
        case .single(let index):
            if let reason = TextLimit.refusal(of: operations[index]) { return RefusedStep(reason: reason) }
            switch operations[index] {
            case .declare(let declarations): return DeclareStep(declarations)
            case .adopt(let store): return AdoptStep(store: store)
            case .deleteDomains(let domains, let version): return DeleteDomainsStep(domains, version)
            case .deleteAll(let version): return DeleteAllStep(version)
            case .index, .deleteIdentifiers: return ChangesStep(operations[index...index])
            }
        }
    }

    /// Sends what has changed, and after it what must be known next.
    private mutating func ask(_ questions: [Statement]) -> Next {
        if stage != .loading { stage = .working }
        questionCount = questions.count
        return send(then: questions)
    }

    private mutating func commit() -> Next {
        let context = context
        let rest = context.isCleared ? [] : expired.filter { !context.touched.contains($0.key) }
        self.context.remove(rest)
        if removesMarks { self.context.change(Housekeeping.removeMarks(at: context.now)) }
        stage = .committing
        return send(then: [Statement("COMMIT")])
    }

    /// Makes rounds of the changes and of what follows them: one, but for COPY, which stands alone.
    private mutating func send(then last: [Statement]) -> Next {
        var statements: [Statement] = []
        func round() -> Round { Round(statements, frame: .continues, statementTimeout: Self.statementTime) }
        for change in context.takeChanges() {
            switch change {
            case .statement(let statement): statements.append(statement)
            case .copy(let copy):
                if !statements.isEmpty { queue.append(round()) }
                statements = []
                queue.append(Round(copy, statementTimeout: Self.copyTime))
            }
        }
        statements += last
        queue.append(round())
        return .ask(queue.removeFirst())
    }
}
