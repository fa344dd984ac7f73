internal import Items
internal import PersistentStore
internal import PostgreSQL

/// Writes to a catalog in a PostgreSQL database.
///
/// Writers take turns, each for a transaction, so that what one has read holds until it has written.
final class PostgreSQLCatalogWriter: CatalogWriter {
    /// How often marks of old deletions are looked for.
    private static let markInterval: Duration = .seconds(60)

    private let session: PostgreSQLSession
    private let location: String
    private let purpose: WritePurpose
    private let reader = AttributeReaderBox()
    /// The catalog as the last batch left it.
    private var state = CatalogState()
    private var marksRemoved: ContinuousClock.Instant?
    private var work: Work?

    /// The batch that is under way.
    private struct Work {
        let operations: [ItemOperation]
        var batch: WriteBatch
        /// Whether it was begun again after its connection was lost, or after a conflict.
        var isRepeated = false
    }

    init(_ session: PostgreSQLSession, _ location: String, _ purpose: WritePurpose) {
        self.session = session
        self.location = location
        self.purpose = purpose
    }

    func begin(_ operations: [ItemOperation]) -> WriteProgress {
        precondition(work == nil, "a writer works on one batch at a time")
        return start(operations, isRepeated: false)
    }

    func resume() -> WriteProgress {
        guard let work else { preconditionFailure("there is no batch to resume") }
        return goOn(work, session.resume())
    }

    /// Lets the server count what was imported, for the plans of whoever asks it.
    func finish() throws(StoreError) {
        guard purpose == .bulk else { return }
        do throws(PostgreSQLError) {
            for table in ["object", "match"] {
                _ = try session.perform(
                    Round(
                        [Statement("ANALYZE deeplink.\(table)")], frame: .writing,
                        statementTimeout: PostgreSQLMigrations.time))
            }
        } catch { throw error.storeError(location) }
    }

    private func start(_ operations: [ItemOperation], isRepeated: Bool) -> WriteProgress {
        let isTime = marksRemoved.map { .now - $0 > Self.markInterval } ?? true
        if isTime { marksRemoved = .now }
        var batch = WriteBatch(
            operations, state, location, reader: reader, copies: purpose == .bulk, removesMarks: isTime)
        let round = batch.begin()
        return goOn(Work(operations: operations, batch: batch, isRepeated: isRepeated), session.begin(round))
    }

    private func goOn(_ work: Work, _ progress: PostgreSQLSession.Progress) -> WriteProgress {
        var work = work
        var progress = progress
        while true {
            switch progress {
            case .waiting(let wait):
                self.work = work
                return .pending(descriptor: wait.descriptor, forWriting: wait.forWriting, deadline: wait.deadline)
            case .failed(let error): return failed(work, error)
            case .finished(let results):
                switch work.batch.take(results) {
                case .ask(let round): progress = session.begin(round)
                case .finished(let outcomes):
                    state.header = work.batch.context.header
                    state.model = work.batch.context.model
                    self.work = nil
                    return .finished(outcomes)
                case .failed(let error):
                    abandon()
                    return .failed(error)
                }
            }
        }
    }

    private func failed(_ work: Work, _ error: PostgreSQLError) -> WriteProgress {
        abandon()
        // A conflict with another program, or a connection that was lost between two rounds: nothing is committed, or
        // all of it, and doing it again changes nothing then.
        if !work.isRepeated, error.isConflict || error.isLostConnection {
            return start(work.operations, isRepeated: true)
        }
        return .failed(error.storeError(location))
    }

    /// Leaves the transaction, and forgets what was learnt in it.
    private func abandon() {
        session.close()
        state = CatalogState()
        work = nil
    }
}
