internal import PersistentStore

/// One state of a store's files, ready to be read by any number of threads.
final class StoreSnapshot: Sendable {
    /// Where the state is read.
    enum Place: Sendable {
        /// In the user's own file. With `locks`, writers respect SQLite's locks and change the counter.
        case own(locks: Bool, changeCounter: UInt32)
        /// In a private copy.
        case copy(PrivateCopy)
    }

    /// Grows by one with each snapshot of a store.
    let generation: Int
    let files: StoreFiles
    /// The files as they were.
    let signature: FileSignature
    let place: Place
    let layout: StoreLayout
    /// When the state was taken, and how long it took.
    let taken: ContinuousClock.Instant
    let duration: Duration

    init(
        generation: Int, files: StoreFiles, signature: FileSignature, place: Place, layout: StoreLayout,
        taken: ContinuousClock.Instant
    ) {
        self.generation = generation
        self.files = files
        self.signature = signature
        self.place = place
        self.layout = layout
        self.taken = taken
        duration = ContinuousClock.now - taken
    }

    /// The file to open.
    var path: String {
        switch place {
        case .own: files.database
        case .copy(let copy): copy.database
        }
    }

    /// Whether this is a copy, which stays as it is whatever happens to the user's file.
    var isCopy: Bool {
        if case .copy = place { return true }
        return false
    }
}

extension StoreSnapshot {
    /// Whether what was read until now is of this state.
    var isUnchanged: Bool {
        guard case .own(let locks, let counter) = place else { return true }
        guard FileSignature(files) == signature else { return false }
        guard locks else { return true }
        guard let file = OpenFile(path: files.database) else { return false }
        return file.bytes(at: 24, count: 4).flatMap(FileHeader.changeCounter) == counter
    }
}
