internal import Glibc

/// Bytes on their way to a socket: written at the end, sent from the start, without ever blocking.
///
/// It is one of the few owners of raw memory: the library encodes straight into it.
@safe
struct OutputBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    private var start = 0
    private var end = 0

    init(capacity: Int) {
        unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { unsafe base.deallocate() }

    /// The bytes that wait to be sent.
    var count: Int { end - start }

    /// Where the next byte goes; valid until the next `reserve`.
    var tail: UnsafeMutablePointer<UInt8> { unsafe base + end }

    /// Makes room for `count` more bytes at the tail.
    mutating func reserve(_ count: Int) {
        guard capacity - end < count else { return }
        let used = end - start
        if capacity - used >= count, start >= used {
            unsafe base.update(from: base + start, count: used)
        } else {
            let larger = max(capacity * 2, used + count)
            let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
            unsafe moved.update(from: base + start, count: used)
            unsafe base.deallocate()
            unsafe base = moved
            capacity = larger
        }
        start = 0
        end = used
    }

    /// Takes over `count` bytes that were written at the tail.
    mutating func advance(_ count: Int) {
        precondition(count <= capacity - end, "more was written than there is room for")
        end += count
    }

    /// Sends what the socket takes now and returns how much that was.
    mutating func send(to descriptor: Int32) throws(AMQPError) -> Int {
        let before = count
        while start < end {
            let sent = unsafe Glibc.send(
                descriptor, base + start, end - start, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            if sent > 0 {
                start += sent
            } else if errno == EINTR {
                continue
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                return before - count
            } else {
                let problem = SystemError.text(errno)
                throw AMQPError(.closed, "The connection to the broker broke while writing: \(problem).")
            }
        }
        start = 0
        end = 0
        return before
    }
}
