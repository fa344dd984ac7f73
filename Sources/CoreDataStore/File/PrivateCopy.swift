internal import FoundationEssentials
internal import Glibc
internal import PersistentStore
import Synchronization

/// A copy of a store in a private temporary folder, with everything from its log or journal brought into the one file.
///
/// The folder is removed with the value, and when the process exits. One that a crash left behind is removed by the next process that makes a copy:
/// a living owner holds a lock on it.
final class PrivateCopy: Sendable {
    private static let prefix = "deeplink-store-"
    private static let lockName = "owner"
    /// The request FICLONE of Linux: share the blocks of another file.
    private static let cloneRequest: UInt = 0x4004_9409

    /// The folders that exist now, for the end of the process: an exit runs no deinitializers.
    private static let living = Mutex<Set<String>>([])
    private static let removalAtExit: Void = {
        atexit { PrivateCopy.removeLiving() }
    }()

    /// The folder.
    let folder: String
    /// The copy of the store's file.
    var database: String { folder + "/store" }
    private let lock: Int32

    /// Makes an empty folder with mode 0700.
    init() throws(StoreError) {
        let base = Self.temporaryFolder
        Self.removeAbandoned(in: base)
        var template = Array((base + "/" + Self.prefix + "XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw StoreError(
                .unavailable,
                "No temporary folder could be made in \(base) for a private copy of the store: "
                    + "\(systemMessage(errno)). Set TMPDIR to a folder with enough room.")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lock = unsafe open(folder + "/" + Self.lockName, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        flock(lock, LOCK_EX | LOCK_NB)
        Self.removalAtExit
        Self.living.withLock { [folder] in _ = $0.insert(folder) }
    }

    deinit {
        Self.living.withLock { [folder] in _ = $0.remove(folder) }
        Self.remove(folder)
        close(lock)
    }

    /// Copies a file into the folder; shares the blocks where the file system can.
    func copy(_ source: borrowing OpenFile, as name: String) throws(StoreError) {
        let target = folder + "/" + name
        let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        if ioctl(descriptor, Self.cloneRequest, source.descriptor) == 0 { return }
        let size = source.status.map { Int($0.st_size) } ?? 0
        var offset = 0
        while offset < size {
            guard let chunk = source.bytes(at: offset, count: min(1 << 20, size - offset)) else { throw failure(EIO) }
            if chunk.isEmpty { break }
            guard
                unsafe chunk.withUnsafeBytes({ unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) })
                    == chunk.count
            else { throw failure(errno == 0 ? ENOSPC : errno) }
            offset += chunk.count
        }
    }

    private func failure(_ code: Int32) -> StoreError {
        StoreError(
            .unavailable,
            "The private copy of the store in \(folder) failed: \(systemMessage(code)). "
                + "Set TMPDIR to a folder with enough room.")
    }

    private static var temporaryFolder: String {
        guard let value = unsafe getenv("TMPDIR"), unsafe value[0] != 0 else { return "/tmp" }
        return unsafe String(cString: value)
    }

    /// Removes folders whose owner no longer lives; those of other users cannot be opened and stay.
    private static func removeAbandoned(in base: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: base) else { return }
        for name in names where name.hasPrefix(prefix) {
            let folder = base + "/" + name
            let descriptor = unsafe open(folder + "/" + lockName, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
            close(descriptor)
        }
    }

    private static func removeLiving() {
        living.withLock { folders in folders.forEach(remove) }
    }

    private static func remove(_ folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            unsafe unlink(folder + "/" + name)
        }
        unsafe rmdir(folder)
    }
}

/// The system's sentence for an error number.
func systemMessage(_ code: Int32) -> String {
    unsafe String(cString: strerror(code))
}
