public import PersistentStore
import Synchronization

internal import class Foundation.Thread

/// The file of a Core Data or SwiftData store, opened once for all threads that read it.
///
/// It holds what they share: the current state of the file, its model, and the indexes of predicates. Each thread
/// makes a `CoreDataStore` of its own. Nothing is ever written beside the user's file.
public final class CoreDataFile: Sendable {
    /// How often a private copy is made anew while the app keeps writing.
    static let copyInterval: Duration = .milliseconds(250)
    /// How long a state may answer after the files were last seen to be in it, so that a change shows within a second.
    static let unnoticedMax: Duration = .milliseconds(700)
    /// How often it is noted that the files are as they were; `unnoticedMax` is long against it.
    private static let seenInterval: Duration = .milliseconds(50)
    /// How long the file may be locked or changing before it counts as unavailable.
    static let patience: Duration = .seconds(2)

    /// The state of the file for a reader.
    enum Availability {
        case ready(StoreSnapshot)
        /// Ask again soon.
        case later
        case failed(StoreError)
    }

    fileprivate struct State {
        var snapshot: StoreSnapshot? {
            didSet { if let snapshot { layout = snapshot.layout } }
        }
        /// The layout of the last state that could be read.
        var layout: StoreLayout?
        var generation = 0
        var isRefreshing = false
        /// When the files last were as the snapshot shows them.
        var lastSeen: ContinuousClock.Instant
        /// Since when no state can be had.
        var troubleSince: ContinuousClock.Instant?
        var failure: StoreError?
        /// The files with which it failed: there is no use in trying before they change.
        var failedSignature: FileSignature?
    }

    /// The store's path, as given.
    public let path: String
    /// The store's URL for messages.
    public let location: String
    /// The store's identifier (UUID).
    public let identifier: String
    let indexes = IndexShelf()
    private let given: ModelFile?
    private let state: Mutex<State>

    /// Opens a store and reads its model.
    ///
    /// `model` is the path of an `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`; it is used where it matches the
    /// store, or where the store has no model of its own.
    public init(path: String, model: String? = nil, location: String? = nil) throws(StoreError) {
        given = if let model { try ModelFile(path: model) } else { nil }
        let snapshot = try Self.firstSnapshot(SnapshotTaker(path: path, given: given))
        self.path = path
        self.location = location ?? "coredata:" + path
        identifier = snapshot.layout.metadata.identifier
        state = Mutex(State(snapshot: snapshot, layout: snapshot.layout, lastSeen: snapshot.taken))
    }

    deinit { indexes.close() }

    /// A reader for the calling thread.
    public func makeStore() -> CoreDataStore { CoreDataStore(file: self) }

    /// The current state as far as it is known, without looking at the file.
    var latest: StoreSnapshot? { state.withLock { $0.snapshot } }

    private static func firstSnapshot(_ taker: SnapshotTaker) throws(StoreError) -> StoreSnapshot {
        let deadline = ContinuousClock.now + patience
        while true {
            do throws(SnapshotTaker.Failure) {
                return try taker.take(generation: 0)
            } catch {
                if case .store(let error) = error { throw error }
                if ContinuousClock.now >= deadline { throw busy(taker.path) }
            }
        }
    }

    private static func busy(_ path: String) -> StoreError {
        StoreError(
            .unavailable,
            "\(path) has been locked or changed by another process for more than \(patience.components.seconds) "
                + "seconds; it is read again as soon as that ends.")
    }
}

extension CoreDataFile {
    /// The state to read now.
    ///
    /// Looks at the files; takes a new state where they have changed, at once for a plain file
    /// and in the background where a copy is needed.
    func availability() -> Availability {
        let now = ContinuousClock.now
        let (known, isRefreshing, failure) = state.withLock { ($0.snapshot, $0.isRefreshing, $0) }
        let files = known?.files ?? StoreFiles(path: path)
        let signature = FileSignature(files)
        guard signature.database != nil else {
            return .failed(
                StoreError(.unavailable, "\(path) has vanished; it is read again as soon as it is back."))
        }
        if let known, known.signature == signature {
            if !known.isCopy || known.signature.isSettled || now - known.taken < Self.copyInterval {
                if now - failure.lastSeen > Self.seenInterval { state.withLock { $0.lastSeen = now } }
                return .ready(known)
            }
        }
        if failure.failedSignature == signature, let error = failure.failure { return .failed(error) }
        if isRefreshing { return interim(known, lastSeen: failure.lastSeen, now) }
        if signature.log == nil, FileSignature.entry(files.journal)?.size ?? 0 == 0, known?.isCopy != true {
            guard begin() else { return .later }
            return refresh(attempts: 1)
        }
        let pause = max(Self.copyInterval, (known?.duration ?? .zero) * 3)
        if let known, known.isCopy, now - known.taken < pause { return interim(known, lastSeen: failure.lastSeen, now) }
        if begin() { Thread.detachNewThread { [self] in _ = refresh(attempts: 4) } }
        return interim(known, lastSeen: failure.lastSeen, now)
    }

    /// What can be answered while a new state is taken: a copy stays right for the moment when it was last seen to be.
    ///
    /// It answers no longer than changes may go unnoticed. Where copies take their time to be made and the app keeps
    /// writing, the latest one answers for as long as it took to make.
    /// `lastSeen` is of the state that `known` is: another thread may have taken a newer one meanwhile.
    private func interim(
        _ known: StoreSnapshot?, lastSeen: ContinuousClock.Instant, _ now: ContinuousClock.Instant
    ) -> Availability {
        let (failure, since) = state.withLock { ($0.failure, $0.troubleSince) }
        if let since, now - since > Self.patience { return .failed(failure ?? Self.busy(path)) }
        guard let known, known.isCopy else { return .later }
        if now - lastSeen < Self.unnoticedMax { return .ready(known) }
        // The first copy was not waited for because of a change.
        return known.generation > 0 && now - known.taken < known.duration * 2 ? .ready(known) : .later
    }

    private func begin() -> Bool {
        state.withLock { state in
            if state.isRefreshing { return false }
            state.isRefreshing = true
            return true
        }
    }

    /// Tells that the state that was read is no longer the file's, although its times do not show it.
    func discard(_ snapshot: StoreSnapshot) {
        state.withLock { state in
            if state.snapshot?.generation == snapshot.generation { state.snapshot = nil }
        }
    }

    /// Tells that the file is locked at this moment.
    func noteBusy() -> Availability {
        state.withLock { $0.note(busySince: .now) }
        return interim(nil, lastSeen: .now, .now)
    }

    /// Tells that the file could be read.
    func noteReadable() {
        state.withLock { $0.troubleSince = nil }
    }

    private func refresh(attempts: Int) -> Availability {
        let (generation, former, lastSeen) = state.withLock { state in
            state.generation += 1
            return (state.generation, state.layout, state.lastSeen)
        }
        let outcome = Result { () throws(SnapshotTaker.Failure) in
            try SnapshotTaker(path: path, given: given, former: former, attempts: attempts).take(generation: generation)
        }
        indexes.note(endOf: generation - 1, at: lastSeen)
        return state.withLock { state in
            state.isRefreshing = false
            return state.take(outcome, identifier: identifier, path: path, busy: Self.busy(path))
        }
    }
}

extension CoreDataFile.State {
    fileprivate mutating func note(busySince now: ContinuousClock.Instant) {
        if troubleSince == nil { troubleSince = now }
    }

    fileprivate mutating func take(
        _ outcome: Result<StoreSnapshot, SnapshotTaker.Failure>, identifier: String, path: String, busy: StoreError
    ) -> CoreDataFile.Availability {
        switch outcome {
        case .success(let taken) where taken.layout.metadata.identifier == identifier:
            snapshot = taken
            lastSeen = taken.taken
            troubleSince = nil
            failure = nil
            failedSignature = nil
            return .ready(taken)
        case .success(let other):
            failure = StoreError(
                .unavailable,
                "\(path) is now another store: its identifier is \(other.layout.metadata.identifier) and no longer "
                    + "\(identifier). Put the former store back, or restart with the new one.")
            failedSignature = other.signature.isSettled ? other.signature : nil
        case .failure(.busy):
            note(busySince: .now)
            if let since = troubleSince, .now - since > CoreDataFile.patience { return .failed(busy) }
            return .later
        case .failure(.store(let error)):
            failure = StoreError(.unavailable, error.description)
            let signature = FileSignature(StoreFiles(path: path))
            failedSignature = signature.isSettled ? signature : nil
        }
        note(busySince: .now)
        return .failed(failure ?? busy)
    }
}
