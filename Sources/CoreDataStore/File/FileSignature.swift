internal import Glibc

/// What tells one state of a store's files from another: identity, size and times of the file and its log.
///
/// A journal says nothing: it comes before the first change of the file, and goes after the last.
struct FileSignature: Sendable, Equatable {
    /// One file; an absent or empty one counts as none.
    struct Entry: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        /// Nanoseconds since 1970.
        let modified: Int64
        let changed: Int64

        /// The later of both times.
        var lastChange: Int64 { max(modified, changed) }

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        }
    }

    /// How old the last change must be for a later one to have another time stamp: more than a tick of the kernel.
    static let settlingTime: Int64 = 20_000_000

    var database: Entry?
    var log: Entry?
    /// Whether every later change is sure to yield another signature.
    var isSettled: Bool

    /// Looks at the files now.
    init(_ files: StoreFiles) {
        let now = Self.now()
        database = Self.entry(files.database)
        log = Self.entry(files.log)
        if log?.size == 0 { log = nil }
        let last = max(database?.lastChange ?? 0, log?.lastChange ?? 0)
        // A time far in the future is another machine's clock; waiting for it would be in vain.
        isSettled = now - last >= Self.settlingTime || last - now > 1_000_000_000
    }

    static func == (left: FileSignature, right: FileSignature) -> Bool {
        left.database == right.database && left.log == right.log
    }

    /// What the system says about a file; nil where there is none.
    static func entry(_ path: String) -> Entry? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Entry(status)
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The paths that belong to one store.
struct StoreFiles: Sendable, Equatable {
    /// The path as the user gave it.
    let path: String
    /// The same file without symbolic links: SQLite names the files beside it after this one.
    let database: String

    var log: String { database + "-wal" }
    var journal: String { database + "-journal" }

    /// Where Core Data keeps large values of this store.
    var externalData: String {
        let folder = database.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        var name = database.split(separator: "/").last ?? ""
        if let point = name.lastIndex(of: "."), point != name.startIndex { name = name[..<point] }
        return "\(folder)/.\(name)_SUPPORT/_EXTERNAL_DATA"
    }

    init(path: String) {
        self.path = path
        guard let resolved = unsafe realpath(path, nil) else {
            database = path
            return
        }
        database = unsafe String(cString: resolved)
        unsafe free(resolved)
    }
}
