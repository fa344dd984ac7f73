internal import Glibc

/// Waits until a descriptor is ready or a time has come.
struct Poller {
    private var entries: [pollfd] = []

    /// Forgets the descriptors.
    mutating func reset() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor; with neither direction only its end is noticed.
    mutating func add(_ descriptor: Int32, reading: Bool, writing: Bool) -> Int {
        let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
        entries.append(pollfd(fd: descriptor, events: events, revents: 0))
        return entries.count - 1
    }

    /// Waits; a signal ends the waiting too.
    mutating func wait(_ duration: Duration) {
        // Rounded up, for waking before the time would only turn the loop once more.
        let milliseconds = max(0, min(60_000, (duration / .milliseconds(1)).rounded(.up)))
        let count = nfds_t(entries.count)
        let ready = unsafe entries.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, count, Int32(milliseconds))
        }
        if ready < 0 { for index in entries.indices { entries[index].revents = 0 } }
    }

    /// Whether a descriptor can be read, or has ended, which reading tells.
    func isReadable(_ index: Int) -> Bool {
        entries[index].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
    }

    /// Whether a descriptor is ready in any way.
    func isReady(_ index: Int) -> Bool { entries[index].revents != 0 }
}
