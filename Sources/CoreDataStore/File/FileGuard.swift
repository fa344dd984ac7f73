/// Keeps the user's file in one state during a batch, by SQLite's shared lock; belongs to one thread.
final class FileGuard {
    /// How the file stands.
    enum Condition {
        case usable
        /// A writer holds the file.
        case busy
        /// The file has changed.
        case outdated
    }

    private let file: OpenFile
    private let changeCounter: UInt32

    /// Opens the file for locking; `changeCounter` is that of the state to be read.
    init?(path: String, changeCounter: UInt32) {
        guard let file = OpenFile(path: path) else { return nil }
        self.file = file
        self.changeCounter = changeCounter
    }

    /// Takes the lock, and makes sure that the file still is in its state.
    func lock() -> Condition {
        switch SharedLock.acquire(file.descriptor) {
        case .busy: return .busy
        case .unsupported: return .outdated
        case .locked: break
        }
        if file.bytes(at: 24, count: 4).flatMap(FileHeader.changeCounter) == changeCounter { return .usable }
        unlock()
        return .outdated
    }

    /// Gives the lock back.
    func unlock() {
        SharedLock.release(file.descriptor)
    }
}
