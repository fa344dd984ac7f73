internal import CPostgreSQL
internal import Glibc

/// A descriptor that another thread makes readable, once.
final class WakeUp: Sendable {
    /// What to poll for reading; -1 when the process may open no more.
    let descriptor: Int32

    init() { descriptor = eventfd(0, cpostgresql_wakeup_flags) }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the descriptor readable; may be called from any thread.
    func signal() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
