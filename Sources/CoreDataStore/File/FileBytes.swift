internal import Glibc

/// A file opened for reading; closed with the value.
struct OpenFile: ~Copyable {
    let descriptor: Int32

    /// Opens a file; nil with `errno` set where that is not possible.
    init?(path: String, followsLinks: Bool = true) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let opened = unsafe open(path, flags)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// What the system says about the file.
    var status: stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Up to `count` bytes from `offset` on; fewer at the end of the file.
    func bytes(at offset: Int, count: Int) -> [UInt8]? {
        var filled = 0
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count {
                guard let start = buffer.baseAddress else { break }
                let read = unsafe pread(descriptor, start + filled, count - filled, offset + filled)
                if read < 0 && errno == EINTR { continue }
                if read < 0 { failed = true }
                if read <= 0 { break }
                filled += read
            }
            initialized = filled
        }
        return failed ? nil : bytes
    }
}

/// Reads whole files of bounded size.
enum FileBytes {
    enum Failure: Error {
        case unreadable
        case tooLarge
    }

    /// All bytes of a regular file.
    static func read(_ path: String, limit: Int, followsLinks: Bool = true) throws(Failure) -> [UInt8] {
        guard let file = OpenFile(path: path, followsLinks: followsLinks), let status = file.status,
            status.st_mode & S_IFMT == S_IFREG
        else { throw .unreadable }
        guard status.st_size <= limit else { throw .tooLarge }
        guard let bytes = file.bytes(at: 0, count: status.st_size) else { throw .unreadable }
        return bytes
    }

    /// Whether there is a folder, a file or nothing at a path.
    static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
