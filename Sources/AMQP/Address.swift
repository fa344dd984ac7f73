internal import Glibc
internal import HostNames
internal import Synchronization

/// One address that a host name leads to.
struct Address: Sendable, Hashable {
    /// The address in numbers, as `getaddrinfo` reads it.
    let host: String
    let port: UInt16

    /// Whether a text is an IPv6 address, without a zone.
    static func isIPv6(_ text: String) -> Bool {
        var storage = in6_addr()
        return unsafe inet_pton(AF_INET6, text, &storage) == 1
    }

    /// Whether a text is an IPv4 address of four numbers.
    private static func isIPv4(_ text: String) -> Bool {
        var storage = in_addr()
        return unsafe inet_pton(AF_INET, text, &storage) == 1
    }

    /// All addresses of a host, in the resolver's order; an address is its own.
    ///
    /// It waits no longer than the time-out, which glibc's own resolver would not promise.
    static func resolve(_ host: String, port: UInt16, within timeout: Duration) throws(AMQPError) -> [Address] {
        if isIPv4(host) || isIPv6(host) { return [Address(host: host, port: port)] }
        guard let hosts = try Query(host: host).run(within: timeout) else {
            throw AMQPError(
                .timeout,
                "The name \(host) was not resolved within \(timeout). Check the DNS settings, or name an address.")
        }
        return hosts.map { Address(host: $0, port: port) }
    }
}

/// One question to the resolver, asked on a thread of its own.
///
/// The thread may outlive the question: then its answer is dropped.
private final class Query: Sendable {
    private enum Outcome {
        case hosts([String])
        case problem(String)
    }

    private let host: String
    private let outcome = Mutex<Outcome?>(nil)
    private let answered: WakeUp

    init(host: String) throws(AMQPError) {
        self.host = host
        answered = try WakeUp()
    }

    /// The addresses in numbers; nil when there is no answer in time.
    func run(within timeout: Duration) throws(AMQPError) -> [String]? {
        try NativeThread(name: "dl-resolve", stackByteCount: 1 << 20) { [self] in
            let result = Self.ask(host)
            outcome.withLock { $0 = result }
            answered.signal()
        }.detach()
        let deadline = ContinuousClock.now.advanced(by: timeout)
        guard TCPSocket.wait(answered.descriptor, events: Int16(POLLIN), until: deadline) else { return nil }
        switch outcome.withLock({ $0 }) {
        case .hosts(let hosts): return hosts
        case .problem(let problem):
            throw AMQPError(
                .unreachable, "The name \(host) cannot be resolved (\(problem)). Check the host in the AMQP URL.")
        case nil: return nil
        }
    }

    private static func ask(_ host: String) -> Outcome {
        do throws(HostName.Failure) { return .hosts(try HostName.addresses(of: host)) } catch {
            return .problem(error.reason)
        }
    }
}
