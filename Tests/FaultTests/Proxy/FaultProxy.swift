import Glibc
import Synchronization

/// A TCP proxy on loopback that injects faults between a client and a server.
///
/// One thread moves the bytes of all connections. Faults can be changed at any time and hold for what is moved from
/// then on, in each direction on its own. Connections can be told apart by a text in the first bytes that the client
/// sends, such as the name that an AMQP client logs in with.
@safe
final class FaultProxy: Sendable {
    /// A text that is waited for on its way to the client, and what is done before it gets there.
    struct Watch: Sendable {
        let text: [UInt8]
        let action: @Sendable () -> Void
    }

    private struct Cut: Sendable {
        let name: String?
        let isReset: Bool
    }

    private struct State: Sendable {
        var faults = Faults()
        var namedFaults: [String: Faults] = [:]
        var cuts: [Cut] = []
        var watch: Watch?
        var target: UInt16
        var refuses = false
        var stops = false
    }

    struct ProxyError: Error {
        let code: Int32
        init(_ code: Int32) { self.code = code }
    }

    private let state: Mutex<State>
    private let listener: Int32
    /// A pipe whose reading end wakes the thread.
    private let wakeUp: (reader: Int32, writer: Int32)
    /// The port to connect to, on 127.0.0.1.
    let port: UInt16
    private let openCount = Atomic(0)
    private let acceptedCount = Atomic(0)

    /// How many connections are open through the proxy.
    var connectionCount: Int { openCount.load(ordering: .relaxed) }

    /// How many connections were ever made through the proxy, with those that were refused.
    var connectionCountEver: Int { acceptedCount.load(ordering: .relaxed) }

    /// Listens on a free port, and forwards to `target` on 127.0.0.1 until `stop`.
    init(to target: UInt16) throws {
        (listener, port) = try Loopback.listen()
        state = Mutex(State(target: target))
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw ProxyError(errno) }
        for end in ends {
            Loopback.makeNonBlocking(end)
            Loopback.closeInPrograms(end)
        }
        wakeUp = (ends[0], ends[1])
        try startThread()
    }

    /// Sets the fault of one direction, or of both; of the connections with a name alone, or of all.
    func inject(_ fault: Fault, _ directions: Direction..., connections name: String? = nil) {
        change { state in
            if let name {
                state.namedFaults[name, default: Faults()].set(fault, directions)
            } else {
                state.faults.set(fault, directions)
            }
        }
    }

    /// Lets everything pass again.
    func heal() {
        change { state in
            state.faults = Faults()
            state.namedFaults = [:]
            state.refuses = false
        }
    }

    /// Closes connections; with `reset`, by RST and without sending what is held.
    func cut(reset: Bool = false, connections name: String? = nil) {
        change { $0.cuts.append(Cut(name: name, isReset: reset)) }
    }

    /// Calls `action`, on the proxy's thread, whenever `text` is about to pass to the client, and before it passes.
    func watch(for text: String, _ action: @escaping @Sendable () -> Void) {
        change { $0.watch = Watch(text: Array(text.utf8), action: action) }
    }

    /// Forwards new connections to another port of 127.0.0.1.
    func lead(to target: UInt16) {
        change { $0.target = target }
    }

    /// Whether new connections are closed at once.
    func refuseConnections(_ refuses: Bool) {
        change { $0.refuses = refuses }
    }

    /// Ends the proxy and all connections.
    func stop() {
        change { $0.stops = true }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        var byte: UInt8 = 1
        _ = unsafe write(wakeUp.writer, &byte, 1)
    }

    private func startThread() throws {
        let proxy = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<FaultProxy>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, proxy)
        guard status == 0 else { throw ProxyError(status) }
        pthread_detach(thread)
    }

    /// The thread's loop.
    private func run() {
        var connections: [ProxiedConnection] = []
        while true {
            let (state, cuts) = state.withLock { state in
                defer { state.cuts = [] }
                return (state, state.cuts)
            }
            for connection in connections {
                guard let cut = cuts.first(where: { $0.name.map(connection.isNamed) ?? true }) else { continue }
                connection.close(reset: cut.isReset)
            }
            if state.stops { for connection in connections { connection.close(reset: false) } }
            let now = ContinuousClock.now
            for connection in connections where !connection.isClosed {
                connection.faults = state.namedFaults.first { connection.isNamed($0.key) }?.value ?? state.faults
                connection.move(now: now, state.watch)
            }
            connections.removeAll(where: \.isClosed)
            openCount.store(connections.count, ordering: .relaxed)
            if state.stops { break }
            wait(for: connections)
            if let connection = accept(state) { connections.append(connection) }
        }
        Glibc.close(listener)
        Glibc.close(wakeUp.reader)
        Glibc.close(wakeUp.writer)
    }

    private func wait(for connections: [ProxiedConnection]) {
        var polls = [
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.reader, events: Int16(POLLIN), revents: 0),
        ]
        for connection in connections { polls += connection.interests }
        let isTimed = connections.contains(where: \.hasTimedWork)
        _ = unsafe poll(&polls, nfds_t(polls.count), isTimed ? 1 : 1000)
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = unsafe read(wakeUp.reader, &bytes, bytes.count)
    }

    private func accept(_ state: State) -> ProxiedConnection? {
        var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, 0) == 1 else { return nil }
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return nil }
        acceptedCount.add(1, ordering: .relaxed)
        guard !state.refuses, let server = Loopback.connect(to: state.target) else {
            Glibc.close(client)
            return nil
        }
        Loopback.closeInPrograms(client)
        for socket in [client, server] { Loopback.makeNonBlocking(socket) }
        return ProxiedConnection(client: client, server: server)
    }
}
