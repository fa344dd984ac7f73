internal import CRabbitMQ
internal import Glibc

/// A descriptor that another thread makes readable, to end a `poll`.
package final class WakeUp: Sendable {
    /// What to poll for reading.
    package let descriptor: Int32

    /// Makes the descriptor; throws when the process has no more.
    package init() throws(AMQPError) {
        descriptor = eventfd(0, crabbitmq_wakeup_flags)
        guard descriptor < 0 else { return }
        throw AMQPError(
            .unreachable,
            "No descriptor is left for waking a thread: \(SystemError.text(errno)). Raise the limit of open files.")
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the descriptor readable; may be called from any thread and from a signal handler.
    package func signal() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Makes it unreadable again.
    package func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
