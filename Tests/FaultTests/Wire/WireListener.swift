import Glibc

/// A listening port of 127.0.0.1.
final class WireListener {
    private let descriptor: Int32
    let port: UInt16

    init() throws { (descriptor, port) = try Loopback.listen() }

    deinit { close(descriptor) }

    /// The next connection; nil when none comes in time.
    func accept(within limit: Duration) -> WireSocket? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, Int32(limit / .milliseconds(1))) == 1 else { return nil }
        let client = Glibc.accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        Loopback.closeInPrograms(client)
        return WireSocket(descriptor: client)
    }

    /// A port that nothing listens on now.
    static func freePort() throws -> UInt16 { try WireListener().port }
}
