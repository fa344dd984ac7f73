import Glibc
import TestSupport

/// A port of 127.0.0.1 that answers no connection: its queue is full, so that the kernel drops what comes.
final class DeafListener {
    private var sockets: [Int32] = []
    let port: UInt16

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                unsafe bind(listener, raw, length) == 0 && Glibc.listen(listener, 0) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        guard isBound else { throw MissingInTest(what: "a port to listen on") }
        port = UInt16(bigEndian: address.sin_port)
        sockets = [listener]
        for _ in 0..<4 {
            let client = socket(
                AF_INET,
                Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                    unsafe connect(client, raw, length)
                }
            }
            sockets.append(client)
        }
    }

    deinit { for socket in sockets { close(socket) } }
}
