internal import Items
internal import PersistentStore
internal import SQLite

/// Writes to a catalog in an SQLite file.
///
/// Another writer, in this process or another, is waited for by deadlines, so that the caller's loop goes on.
final class SQLiteCatalogWriter: CatalogWriter {
    /// How long a batch waits before it asks again for the write lock.
    private static let lockInterval: Duration = .milliseconds(2)
    /// How long another writer may hold the lock before the catalog counts as unavailable.
    private static let lockPatience: Duration = .seconds(30)

    let path: String
    private let purpose: WritePurpose
    private var session: SQLiteWriteSession?
    private var waiting: (operations: [ItemOperation], since: ContinuousClock.Instant)?

    init(path: String, purpose: WritePurpose) throws(StoreError) {
        self.path = path
        self.purpose = purpose
        session = try open()
    }

    func begin(_ operations: [ItemOperation]) -> WriteProgress {
        precondition(waiting == nil, "a writer works on one batch at a time")
        return attempt(operations, since: .now)
    }

    func resume() -> WriteProgress {
        guard let waiting else { preconditionFailure("there is no batch to resume") }
        self.waiting = nil
        return attempt(waiting.operations, since: waiting.since)
    }

    func finish() throws(StoreError) {
        do throws(SQLiteError) { try session?.finish() } catch { throw error.storeError(path) }
    }

    private func attempt(_ operations: [ItemOperation], since: ContinuousClock.Instant) -> WriteProgress {
        do throws(StoreError) {
            let session = try current()
            do throws(SQLiteError) {
                guard try session.begin() else { return wait(operations, since) }
                return .finished(try session.apply(operations))
            } catch {
                session.cancel()
                throw StoreError(.unavailable, error.storeError(path).description)
            }
        } catch { return .failed(error) }
    }

    private func wait(_ operations: [ItemOperation], _ since: ContinuousClock.Instant) -> WriteProgress {
        if .now - since > Self.lockPatience {
            return .failed(
                StoreError(
                    .unavailable,
                    "Another process has been writing to the catalog \(path) for more than "
                        + "\(Self.lockPatience.components.seconds) seconds; it is tried again."))
        }
        waiting = (operations, since)
        return .pending(descriptor: -1, forWriting: false, deadline: .now + Self.lockInterval)
    }

    /// The session on the file that is there now.
    private func current() throws(StoreError) -> SQLiteWriteSession {
        if let session, FileIdentity(path: path) == session.file { return session }
        session = nil
        let opened = try open()
        session = opened
        return opened
    }

    private func open() throws(StoreError) -> SQLiteWriteSession {
        // Makes sure that the file is a catalog of the known schema.
        _ = try SQLiteCatalog(path: path)
        guard let file = FileIdentity(path: path) else { throw SQLiteCatalog.missing(path) }
        do throws(SQLiteError) {
            return try SQLiteWriteSession(path: path, file: file, purpose: purpose)
        } catch { throw error.storeError(path) }
    }
}
