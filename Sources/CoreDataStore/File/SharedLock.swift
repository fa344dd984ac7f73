internal import Glibc

/// SQLite's shared lock on a file, taken on a descriptor of our own.
///
/// It keeps writers with a rollback journal from changing the file while it is held. It is a lock of the open file
/// description: closing other descriptors of the file, which drops the process's usual locks, does not touch it.
struct SharedLock {
    enum Outcome {
        case locked
        /// Another process is writing.
        case busy
        /// The file system has no such locks.
        case unsupported
    }

    // The bytes that SQLite locks: see "File Locking" in its documentation of the file format.
    private static let pendingByte: Int = 0x4000_0000
    private static let reservedByte = pendingByte + 1
    private static let sharedFirst = pendingByte + 2
    private static let sharedSize = 510
    // Linux's commands for locks of an open file description.
    private static let getCommand: Int32 = 36
    private static let setCommand: Int32 = 37

    /// Takes the lock; never waits.
    static func acquire(_ descriptor: Int32) -> Outcome {
        // A writer that waits for readers holds the pending byte, so that no new one comes in.
        if isWriteLocked(pendingByte, descriptor) { return .busy }
        return set(F_RDLCK, sharedFirst, sharedSize, descriptor)
    }

    /// Gives the lock back.
    static func release(_ descriptor: Int32) {
        _ = set(F_UNLCK, sharedFirst, sharedSize, descriptor)
    }

    /// Whether a live process has begun to write: then a journal beside the file is its own and not a dead writer's.
    static func isReserved(_ descriptor: Int32) -> Bool {
        isWriteLocked(reservedByte, descriptor)
    }

    private static func isWriteLocked(_ byte: Int, _ descriptor: Int32) -> Bool {
        var lock = range(F_RDLCK, byte, 1)
        guard unsafe fcntl(descriptor, getCommand, &lock) == 0 else { return false }
        return lock.l_type != Int16(F_UNLCK)
    }

    private static func set(_ type: Int32, _ start: Int, _ length: Int, _ descriptor: Int32) -> Outcome {
        var lock = range(type, start, length)
        if unsafe fcntl(descriptor, setCommand, &lock) == 0 { return .locked }
        return errno == EAGAIN || errno == EACCES ? .busy : .unsupported
    }

    private static func range(_ type: Int32, _ start: Int, _ length: Int) -> flock {
        flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: start, l_len: length, l_pid: 0)
    }
}
