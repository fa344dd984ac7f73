import Glibc
import TestSupport

/// Sockets on 127.0.0.1.
enum Loopback {
    /// Listens on a free port.
    static func listen(backlog: Int32 = 64) throws -> (descriptor: Int32, port: UInt16) {
        let listener = makeSocket()
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                unsafe bind(listener, raw, length) == 0 && Glibc.listen(listener, backlog) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        guard isBound else {
            close(listener)
            throw MissingInTest(what: "a port to listen on")
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Connects to a port; nil when nothing answers there.
    static func connect(to port: UInt16) -> Int32? {
        let descriptor = makeSocket()
        guard begin(descriptor, port) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Begins to connect to a port, without waiting for an answer.
    static func beginToConnect(to port: UInt16) -> Int32 {
        let descriptor = makeSocket()
        makeNonBlocking(descriptor)
        _ = begin(descriptor, port)
        return descriptor
    }

    /// Makes calls on a descriptor return at once.
    static func makeNonBlocking(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }

    /// Keeps a descriptor from programs that are started.
    static func closeInPrograms(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

    private static func makeSocket() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func begin(_ descriptor: Int32, _ port: UInt16) -> Bool {
        unsafe withUnsafePointer(to: address(port: port)) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                unsafe Glibc.connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
