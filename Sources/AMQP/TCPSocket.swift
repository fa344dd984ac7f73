internal import CRabbitMQ
internal import Glibc

/// Connected, non-blocking TCP sockets.
enum TCPSocket {
    /// Connects to an address in numbers, within the time-out.
    static func connect(to address: Address, within timeout: Duration) throws(AMQPError) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let found = unsafe found
        else {
            throw AMQPError(.unreachable, "The address \(address.host) cannot be used.")
        }
        defer { unsafe freeaddrinfo(found) }
        let descriptor = unsafe socket(
            found.pointee.ai_family,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(address, errno) }
        // Before the first byte: in the handshake one small frame follows another, and the second would wait 40 ms for
        // the peer's delayed acknowledgement of the first.
        configure(descriptor)
        do throws(AMQPError) {
            if unsafe Glibc.connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) != 0 {
                guard errno == EINPROGRESS || errno == EINTR else { throw failure(address, errno) }
                try finish(descriptor, address, timeout)
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func finish(_ descriptor: Int32, _ address: Address, _ timeout: Duration) throws(AMQPError) {
        guard wait(descriptor, events: Int16(POLLOUT), until: ContinuousClock.now.advanced(by: timeout)) else {
            throw AMQPError(
                .timeout, "The broker at \(address.host):\(address.port) does not answer within \(timeout).")
        }
        var status: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &size) == 0, status == 0 else {
            throw failure(address, status)
        }
    }

    /// Waits until the descriptor is ready; false when the time is up.
    static func wait(_ descriptor: Int32, events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return false }
            let milliseconds = rest / Duration.milliseconds(1)
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            let ready = unsafe poll(&entry, 1, Int32(min(milliseconds.rounded(.up), 60_000)))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR, errno != EAGAIN { return false }
        }
    }

    /// Sends at once, and notices in the end when the peer's machine is gone.
    static func configure(_ descriptor: Int32) {
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    /// The kernel ends the connection when the peer takes nothing for so long; zero: the system's own limit.
    static func limitSilence(of descriptor: Int32, to silence: Duration) {
        let milliseconds = silence / Duration.milliseconds(1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(min(milliseconds, 600_000)))
    }

    /// Whether the socket takes something now.
    static func isWritable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func failure(_ address: Address, _ number: Int32) -> AMQPError {
        let remedy =
            number == EMFILE || number == ENFILE
            ? "Raise the limit of open files." : "Check that RabbitMQ runs and that host and port are right."
        return AMQPError(
            .unreachable,
            "No connection to the broker at \(address.host):\(address.port): \(SystemError.text(number)). \(remedy)")
    }
}
