internal import Glibc

/// For commands that have nothing else to do than to wait.
extension PostgreSQLSession {
    /// Does a round and waits for it.
    package func perform(_ round: Round) throws(PostgreSQLError) -> [ServerResult] {
        var progress = begin(round)
        while true {
            switch progress {
            case .finished(let results): return results
            case .failed(let error): throw error
            case .waiting(let wait):
                wait.poll()
                progress = resume()
            }
        }
    }
}

extension PostgreSQLSession.Wait {
    /// Waits until the descriptor is ready, or the deadline has come.
    package func poll() {
        _ = poll(milliseconds: max(0, min(60_000, ((deadline - .now) / .milliseconds(1)).rounded(.up))))
    }

    /// Whether the descriptor is ready.
    var isReady: Bool { poll(milliseconds: 0) }

    private func poll(milliseconds: Double) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(forWriting ? POLLOUT : POLLIN), revents: 0)
        return unsafe Glibc.poll(&entry, 1, Int32(milliseconds)) > 0
    }
}
