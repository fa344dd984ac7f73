public import PersistentStore
internal import SQLite

/// A reader of a Core Data or SwiftData file, for one thread.
///
/// `CoreDataFile.makeStore` makes one. A batch is answered at once: from the user's file as it was when the batch
/// began, or from a private copy where the app is writing. A change by others is seen within a second.
public final class CoreDataStore: PersistentStore {
    /// How often a batch is tried again because the file changed under it.
    private static let attempts = 3

    /// The file, shared with other threads.
    public let file: CoreDataFile
    private var session: Session?
    private var plan = FetchPlan()
    private var predicates: [Predicate] = []
    /// The model of the last state that was read.
    private var lastModel: ObjectModel

    init(file: CoreDataFile) {
        self.file = file
        lastModel = file.latest?.layout.model ?? ObjectModel(entities: [])
    }

    /// The store's identifier, as in Z_METADATA.
    public var identifier: String { file.identifier }

    /// The entities, in the order of their numbers.
    public var model: ObjectModel { lastModel }

    /// The store's URL for messages.
    public var location: String { file.location }

    /// Says what look-ups will ask for; indexes of small tables are built here, others in the background.
    public func prepare(_ plan: FetchPlan, predicates: [Predicate]) {
        self.plan = plan
        self.predicates = predicates
        session = nil
        if case .ready(let session) = acquire() {
            session.refreshIndexes()
            _ = session.end()
        }
    }

    /// Answers a batch; never pending.
    public func begin(_ lookups: [Lookup]) -> LookupProgress {
        for _ in 0..<Self.attempts {
            switch acquire() {
            case .later: return .finished(lookups.map { _ in .deferred })
            case .failed(let error): return .finished(lookups.map { _ in .unavailable(error) })
            case .ready(let session):
                session.refreshIndexes()
                var results: [LookupResult] = []
                results.reserveCapacity(lookups.count)
                for lookup in lookups { results.append(session.answer(lookup)) }
                if session.end() { return .finished(results) }
                self.session = nil
            }
        }
        return .finished(lookups.map { _ in .deferred })
    }

    /// Never called, as no batch is pending.
    public func resume() -> LookupProgress { .finished([]) }
}

extension CoreDataStore {
    /// A state of the store that is ready to be read, or why there is none.
    enum Acquisition {
        case ready(Session)
        case later
        case failed(StoreError)
    }

    /// The session on the file's current state, with its lock held until `end`.
    func acquire() -> Acquisition {
        for _ in 0..<Self.attempts {
            switch file.availability() {
            case .later: return .later
            case .failed(let error):
                session = nil
                return .failed(error)
            case .ready(let snapshot):
                do throws(SQLiteError) {
                    let session = try self.session(on: snapshot)
                    switch session.begin() {
                    case .usable:
                        file.noteReadable()
                        return .ready(session)
                    case .busy: return Self.acquisition(file.noteBusy())
                    case .outdated:
                        file.discard(snapshot)
                        self.session = nil
                    }
                } catch {
                    session = nil
                    file.discard(snapshot)
                    return .failed(
                        StoreError(
                            .unavailable,
                            "\(file.path) cannot be read: SQLite says \"\(error.message)\". It is tried again."))
                }
            }
        }
        return .later
    }

    private static func acquisition(_ availability: CoreDataFile.Availability) -> Acquisition {
        if case .failed(let error) = availability { return .failed(error) }
        return .later
    }

    private func session(on snapshot: StoreSnapshot) throws(SQLiteError) -> Session {
        if let session, session.snapshot.generation == snapshot.generation { return session }
        let opened = try Session(snapshot, plan: plan, predicates: predicates, indexes: file.indexes)
        session = opened
        lastModel = snapshot.layout.model
        return opened
    }
}
