internal import CRabbitMQ
internal import Glibc

/// A descriptor that another thread makes readable, to end a `poll`.
package final class WakeUp: Sendable {
    /// What to poll for reading.
    package let descriptor: Int32

    /// Makes the descriptor.
    package init() {
        descriptor = eventfd(0, crabbitmq_wakeup_flags)
        precondition(descriptor >= 0, "no descriptor is left for waking the loop")
    }

    deinit { close(descriptor) }

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
