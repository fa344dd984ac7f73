import Glibc

/// The two sockets of one connection through the proxy, and what is on its way between them.
final class ProxiedConnection {
    /// In how many of its first bytes a connection's name is looked for.
    private static let openingByteCount = 4096

    private let client: Int32
    private let server: Int32
    private var upstream = ProxiedStream()
    private var downstream = ProxiedStream()
    private var opening: [UInt8] = []
    /// The end of what has passed to the client, as a watched text may come in pieces.
    private var watched: [UInt8] = []
    private(set) var isClosed = false
    var faults = Faults()

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
        for socket in [client, server] {
            var one: Int32 = 1
            _ = unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Whether the client has said this text in its first bytes.
    func isNamed(_ name: String) -> Bool { opening.contains(name.utf8) }

    /// Whether time alone gives the connection something to do.
    var hasTimedWork: Bool { upstream.hasTimedWork(faults.upstream) || downstream.hasTimedWork(faults.downstream) }

    /// What to poll for.
    var interests: [pollfd] {
        let fromClient =
            (upstream.wantsToRead(faults.upstream) ? POLLIN : 0) | (downstream.isBlocked ? POLLOUT : 0)
        let fromServer =
            (downstream.wantsToRead(faults.downstream) ? POLLIN : 0) | (upstream.isBlocked ? POLLOUT : 0)
        // A descriptor without interest would still report a hang-up, again and again.
        return [(client, fromClient), (server, fromServer)].filter { $0.1 != 0 }
            .map { pollfd(fd: $0.0, events: Int16($0.1), revents: 0) }
    }

    /// Moves what can be moved now.
    func move(now: ContinuousClock.Instant, _ watch: FaultProxy.Watch?) {
        if faults.upstream != .stall {
            upstream.read(from: client, faults.upstream, now: now) { bytes in
                if opening.count < Self.openingByteCount { opening += bytes }
            }
            upstream.write(to: server, faults.upstream, now: now)
        }
        if faults.downstream != .stall {
            downstream.read(from: server, faults.downstream, now: now) { bytes in
                if let watch { look(for: watch, in: bytes) }
            }
            downstream.write(to: client, faults.downstream, now: now)
        }
        let isFinished = upstream.isBroken || downstream.isBroken || (upstream.isDone && downstream.isDone)
        if isFinished { close(reset: false) }
    }

    private func look(for watch: FaultProxy.Watch, in bytes: ArraySlice<UInt8>) {
        watched += bytes
        if watched.contains(watch.text) {
            watched = []
            watch.action()
        } else {
            watched = watched.suffix(watch.text.count - 1)
        }
    }

    func close(reset: Bool) {
        guard !isClosed else { return }
        isClosed = true
        for socket in [client, server] {
            if reset {
                var option = linger(l_onoff: 1, l_linger: 0)
                _ = unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            }
            Glibc.close(socket)
        }
    }
}
