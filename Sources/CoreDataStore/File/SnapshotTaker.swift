internal import Glibc
internal import PersistentStore
internal import SQLite

/// Takes a consistent state of a store's files without changing anything beside them.
///
/// Without a write-ahead log the file itself is read; what is in a log, or in the journal of a writer that died, is
/// brought into a private copy.
struct SnapshotTaker {
    /// How long opening and reading the layout may take.
    static let openingTime: Duration = .seconds(20)
    /// Why there is no state now.
    enum Failure: Error {
        /// The file was changing all the time, or locked.
        case busy
        case store(StoreError)
    }

    let path: String
    let given: ModelFile?
    /// The layout of the state before, which is often still right.
    var former: StoreLayout?
    /// How often a state is tried to be taken while others write.
    var attempts = 8

    /// Takes the state, or throws `busy` after the last attempt.
    func take(generation: Int) throws(Failure) -> StoreSnapshot {
        for attempt in 1...attempts {
            if attempt > 1 { Self.pause() }
            let taken = ContinuousClock.now
            let files = StoreFiles(path: path)
            let file = try open(files)
            let signature = FileSignature(files)
            guard let status = file.status, FileSignature.Entry(status).inode == signature.database?.inode else {
                continue
            }
            let header = try header(of: file, files, signature)
            if let place = try place(files, file, header, signature) {
                do {
                    let snapshotPath: String
                    if case .copy(let copy) = place {
                        snapshotPath = copy.database
                    } else {
                        snapshotPath = files.database
                    }
                    let layout = try read(snapshotPath)
                    var latest = signature
                    if case .own(let locks, _) = place {
                        latest = FileSignature(files)
                        if latest != signature || (!locks && !latest.isSettled) { continue }
                    }
                    return StoreSnapshot(
                        generation: generation, files: files, signature: latest, place: place, layout: layout,
                        taken: taken)
                } catch let error as StoreError {
                    if FileSignature(files) == signature { throw .store(error) }
                } catch let error as SQLiteError {
                    if FileSignature(files) == signature && signature.isSettled { throw .store(complaint(error)) }
                } catch { throw .busy }
            }
        }
        throw .busy
    }
}

extension SnapshotTaker {
    private func open(_ files: StoreFiles) throws(Failure) -> OpenFile {
        guard let file = OpenFile(path: files.database) else {
            let reason = errno
            switch reason {
            case ENOENT, ENOTDIR:
                throw .store(StoreError(.missing, "\(path) does not exist; check the path of the store."))
            case EACCES, EPERM:
                throw .store(
                    StoreError(
                        .missing, "\(path) may not be read; give this user permission to read it and its folder.")
                )
            default:
                throw .store(StoreError(.missing, "\(path) cannot be opened: \(systemMessage(reason))."))
            }
        }
        guard let status = file.status else { throw .busy }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return file
        case S_IFDIR:
            throw .store(
                StoreError(.invalid, "\(path) is a folder; name the store file in it, often *.sqlite or *.store."))
        default: throw .store(StoreError(.invalid, "\(path) is not a regular file; name the store file of the app."))
        }
    }

    private func header(of file: borrowing OpenFile, _ files: StoreFiles, _ signature: FileSignature) throws(Failure)
        -> FileHeader
    {
        guard let start = file.bytes(at: 0, count: 4096) else {
            throw .store(StoreError(.missing, "\(path) cannot be read: \(systemMessage(errno))."))
        }
        guard let header = FileHeader(start) else {
            throw .store(StoreError(.invalid, FileHeader.complaint(about: start, path: path)))
        }
        if let expected = header.expectedSize, let size = signature.database?.size, size < expected,
            signature.log == nil, Self.journal(files) == nil
        {
            throw .store(
                StoreError(
                    .invalid,
                    "\(path) is truncated: it has \(size) bytes of \(expected). Copy the store again, with its -wal file."
                ))
        }
        return header
    }

    /// Where the state can be read; nil when it has to be tried again.
    private func place(
        _ files: StoreFiles, _ file: borrowing OpenFile, _ header: FileHeader, _ signature: FileSignature
    ) throws(Failure) -> StoreSnapshot.Place? {
        if signature.log != nil { return try copy(files, file, signature) }
        if header.usesLog {
            return Self.journal(files) == nil ? .own(locks: false, changeCounter: 0) : try copy(files, file, signature)
        }
        let lock = SharedLock.acquire(file.descriptor)
        if lock == .busy { return nil }
        defer { SharedLock.release(file.descriptor) }
        if Self.isHot(files), !SharedLock.isReserved(file.descriptor) {
            return try copy(files, file, signature)
        }
        guard let counter = file.bytes(at: 24, count: 4).flatMap(FileHeader.changeCounter) else { return nil }
        return .own(locks: lock == .locked, changeCounter: counter)
    }

    /// Whether a journal holds pages to bring back: a finished one is cut off or begins with zeros.
    private static func isHot(_ files: StoreFiles) -> Bool {
        guard let journal = OpenFile(path: files.journal), let start = journal.bytes(at: 0, count: 8) else {
            return false
        }
        return start == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    }

    /// Copies the file first and its log after it.
    ///
    /// As long as the log was not begun anew meanwhile (its header holds a
    /// salt), the log has every page that a checkpoint put into the file in between. A torn end of the log is ignored
    /// by its checksums.
    private func copy(
        _ files: StoreFiles, _ file: borrowing OpenFile, _ signature: FileSignature
    ) throws(Failure) -> StoreSnapshot.Place? {
        let logBefore = Self.logHeader(files)
        let journal = Self.journal(files)
        let copy: PrivateCopy
        do throws(StoreError) {
            copy = try PrivateCopy()
            try copy.copy(file, as: "store")
            if let log = OpenFile(path: files.log) { try copy.copy(log, as: "store-wal") }
            if let journal = OpenFile(path: files.journal) { try copy.copy(journal, as: "store-journal") }
        } catch { throw .store(error) }
        let after = FileSignature(files)
        guard Self.logHeader(files) == logBefore, after.database?.inode == signature.database?.inode,
            after.log?.inode == signature.log?.inode, Self.journal(files) == journal,
            signature.log != nil || after.database == signature.database
        else { return nil }
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                path: copy.database, mode: .privateCopy, limit: WorkLimit(deadline: .now + Self.openingTime * 6))
            try connection.execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=DELETE")
            return .copy(copy)
        } catch {
            if FileSignature(files) != signature { return nil }
            throw .store(complaint(error))
        }
    }

    private static func journal(_ files: StoreFiles) -> FileSignature.Entry? {
        let entry = FileSignature.entry(files.journal)
        return entry?.size == 0 ? nil : entry
    }

    private static func logHeader(_ files: StoreFiles) -> [UInt8]? {
        guard let log = OpenFile(path: files.log) else { return nil }
        return log.bytes(at: 0, count: 32)
    }

    private func read(_ database: String) throws -> StoreLayout {
        let limit = WorkLimit(deadline: .now + Self.openingTime)
        let connection = try SQLiteConnection(path: database, mode: .immutable, limit: limit)
        return try LayoutReader(connection: connection, path: path).layout(given: given, former: former)
    }

    private func complaint(_ error: SQLiteError) -> StoreError {
        if error.isInterruption {
            return StoreError(.invalid, "\(path) takes too long to read; it is probably damaged.")
        }
        return StoreError(
            .invalid,
            "\(path) is damaged or not a store: SQLite says \"\(error.message)\". Copy the store again, with its -wal file."
        )
    }

    /// Lets writers finish, and time stamps settle.
    static func pause() {
        var time = timespec(tv_sec: 0, tv_nsec: Int(FileSignature.settlingTime) / 2 + 1_000_000)
        unsafe nanosleep(&time, nil)
    }
}
