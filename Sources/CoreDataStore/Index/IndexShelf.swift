internal import PersistentStore
internal import SQLite
import Synchronization

internal import class Foundation.Thread

/// The indexes of one store's file, built once and shared by all threads.
final class IndexShelf: Sendable {
    /// What an index is for.
    enum Subject: Hashable, Sendable {
        case predicate(Predicate)
        case deletions
    }

    /// A finished index.
    enum Index: Sendable {
        case match(MatchIndex)
        case deletions(DeletionIndex)
    }

    /// How an index stands.
    struct Shelved: Sendable {
        /// The latest that was finished, and the state of the store that it shows.
        var index: Index?
        var generation = -1
        /// When it was finished, and how long it took to build.
        var finished = ContinuousClock.now
        var duration: Duration = .zero
        /// When the store was last seen to be in that state; nil where it still may be.
        var lastRight: ContinuousClock.Instant?
        /// Why it could not be built for `failedGeneration`.
        var failure: StoreError?
        var failedGeneration = -1
        fileprivate var builder: WorkLimit?

        /// Until when the index of a former state may say that nothing matches.
        ///
        /// So long that a change shows within a second. Where indexes take their time to build and the app keeps
        /// writing, the latest one answers for as long as it took to build.
        var validUntil: ContinuousClock.Instant? {
            lastRight.map { max($0 + CoreDataFile.unnoticedMax, finished + duration) }
        }
    }

    /// How many former states are remembered; an index of an older one has been out of date for long.
    private static let endCountMax = 256

    private let shelf = Mutex<[Subject: Shelved]>([:])
    /// When the store was last seen in its former states, by their generations.
    private let ends = Mutex<[Int: ContinuousClock.Instant]>([:])
    private let changes = Atomic<Int>(0)

    /// Grows whenever an index changes: a thread that has seen a version need not look again.
    var version: Int { changes.load(ordering: .acquiring) }

    subscript(subject: Subject) -> Shelved {
        var shelved = shelf.withLock { $0[subject] ?? Shelved() }
        if shelved.index != nil { shelved.lastRight = ends.withLock { $0[shelved.generation] } }
        return shelved
    }

    /// Remembers when the store was last seen in a state that it has left.
    func note(endOf generation: Int, at moment: ContinuousClock.Instant) {
        ends.withLock { ends in
            ends[generation] = moment
            ends[generation - Self.endCountMax] = nil
        }
    }

    /// Sees to it that an index for a state of the store exists or is on its way.
    ///
    /// Indexes of small tables are built right here, through the caller's connection.
    func provide(_ subject: Subject, for snapshot: StoreSnapshot, through connection: SQLiteConnection) {
        let limit = WorkLimit()
        let isNeeded = shelf.withLock { shelf in
            var shelved = shelf[subject] ?? Shelved()
            if shelved.builder != nil || shelved.generation >= snapshot.generation
                || shelved.failedGeneration >= snapshot.generation
            {
                return false
            }
            shelved.builder = limit
            shelf[subject] = shelved
            return true
        }
        guard isNeeded else { return }
        let work = IndexWork(subject: subject, snapshot: snapshot)
        do throws(SQLiteError) {
            if try work.isSmall(connection) {
                return finish(work, .success(try work.build(connection)), started: .now)
            }
        } catch { return finish(work, .failure(error), started: .now) }
        Thread.detachNewThread { [self] in
            let started = ContinuousClock.now
            do throws(SQLiteError) {
                let own = try SQLiteConnection(
                    path: snapshot.path, mode: .immutable, cache: SQLiteConnection.scanCache, limit: limit)
                finish(work, .success(try work.build(own)), started: started)
            } catch { finish(work, .failure(error), started: started) }
        }
    }

    /// Ends all building, when nobody needs the indexes any more.
    func close() {
        shelf.withLock { shelf in shelf.values.forEach { $0.builder?.cancel() } }
    }

    private func finish(_ work: IndexWork, _ result: Result<Index, SQLiteError>, started: ContinuousClock.Instant) {
        shelf.withLock { shelf in
            var shelved = shelf[work.subject] ?? Shelved()
            shelved.builder = nil
            // What was read while the file changed may be of no state at all.
            if work.snapshot.isUnchanged {
                switch result {
                case .success(let index):
                    shelved.index = index
                    shelved.generation = work.snapshot.generation
                    shelved.finished = .now
                    shelved.duration = shelved.finished - started
                    shelved.failure = nil
                case .failure(let error):
                    shelved.failedGeneration = work.snapshot.generation
                    shelved.failure = StoreError(
                        .invalid,
                        "\(work.snapshot.files.path) is damaged: SQLite says \"\(error.message)\". Copy the store again."
                    )
                }
            }
            shelf[work.subject] = shelved
        }
        changes.add(1, ordering: .releasing)
    }
}

/// The building of one index of one state.
private struct IndexWork: Sendable {
    let subject: IndexShelf.Subject
    let snapshot: StoreSnapshot

    private var matcher: Matcher? {
        guard case .predicate(let predicate) = subject, let entity = snapshot.layout.model.index(of: predicate.entity)
        else { return nil }
        return Matcher(predicate, entity: entity, layout: snapshot.layout)
    }

    func isSmall(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        guard let table = subject == .deletions ? "ACHANGE" : matcher?.table else { return true }
        return try IndexBuilder(connection: connection, layout: snapshot.layout).isSmall(table)
    }

    func build(_ connection: SQLiteConnection) throws(SQLiteError) -> IndexShelf.Index {
        if subject == .deletions { return .deletions(try DeletionIndex(connection)) }
        guard let matcher else { return .match(MatchIndex(rows: 0, largestKey: 0)) }
        try connection.execute("SAVEPOINT build")
        defer { try? connection.execute("RELEASE build") }
        return .match(try IndexBuilder(connection: connection, layout: snapshot.layout).index(matcher))
    }
}
