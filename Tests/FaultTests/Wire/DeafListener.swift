import Glibc

/// A port of 127.0.0.1 that answers no connection: its queue is full, so that the kernel drops what comes.
final class DeafListener {
    private var sockets: [Int32]
    let port: UInt16

    init() throws {
        let (listener, port) = try Loopback.listen(backlog: 0)
        self.port = port
        sockets = [listener]
        for _ in 0..<4 { sockets.append(Loopback.beginToConnect(to: port)) }
    }

    deinit { for socket in sockets { close(socket) } }
}
