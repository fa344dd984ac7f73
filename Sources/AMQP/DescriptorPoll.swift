internal import CRabbitMQ
internal import Glibc

/// Waits until one of several descriptors is ready or a time has come, to the microsecond.
package struct DescriptorPoll {
    private var entries: [pollfd] = []

    /// Makes a poll without descriptors.
    package init() {}

    /// Forgets the descriptors.
    package mutating func reset() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor and returns its place; with neither direction only its end is noticed.
    package mutating func add(_ descriptor: Int32, reading: Bool, writing: Bool) -> Int {
        let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
        entries.append(pollfd(fd: descriptor, events: events, revents: 0))
        return entries.count - 1
    }

    /// Waits; a signal ends the waiting too.
    package mutating func wait(until deadline: ContinuousClock.Instant) {
        let rest = min(max(.zero, ContinuousClock.now.duration(to: deadline)), .seconds(60))
        let count = nfds_t(entries.count)
        let ready = unsafe entries.withUnsafeMutableBufferPointer { entries in
            unsafe crabbitmq_poll(entries.baseAddress, count, Int64(rest / .nanoseconds(1)))
        }
        if ready < 0 { for index in entries.indices { entries[index].revents = 0 } }
    }

    /// Whether a descriptor is ready, or has ended, which reading or writing tells.
    package func isReady(_ index: Int) -> Bool { entries[index].revents != 0 }
}
