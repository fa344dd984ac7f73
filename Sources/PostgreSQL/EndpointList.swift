internal import HostNames

/// One place where a server may be: what libpq connects to without asking for a name.
struct Endpoint: Hashable, Sendable {
    /// The host as it was named, by which certificates and passwords are found; a socket's folder; nil: libpq's own.
    var host: String?
    /// The host's address in numbers; nil for a socket.
    var address: String?
    /// The port; nil: libpq's own.
    var port: String?

    /// The parameters that name it.
    var options: [(String, String)] {
        [("host", host), ("hostaddr", address), ("port", port)].compactMap { name, value in value.map { (name, $0) } }
    }
}

/// The hosts of a URL, in its order: the list that libpq would go through itself if it could keep time.
///
/// Without blocking, libpq waits for a silent host for as long as the system does. So each address is tried alone, with a
/// time-out of its own.
struct EndpointList: Sendable, Hashable {
    /// A host and what is known of its address.
    private struct Host: Hashable {
        var endpoint: Endpoint
        var needsResolving: Bool
    }

    private let hosts: [Host]

    /// Reads the parameters `host`, `hostaddr` and `port`, which libpq has found to fit each other.
    init(_ options: [String: String]) {
        let names = Self.split(options["host"])
        let addresses = Self.split(options["hostaddr"])
        let ports = Self.split(options["port"])
        let count = max(1, names.count, addresses.count)
        hosts = (0..<count).map { index in
            let name = index < names.count && !names[index].isEmpty ? names[index] : nil
            let address = index < addresses.count && !addresses[index].isEmpty ? addresses[index] : nil
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            let endpoint = Endpoint(host: name, address: address, port: port.isEmpty ? nil : port)
            return Host(endpoint: endpoint, needsResolving: address == nil && name.map(Self.isName) ?? false)
        }
    }

    /// How many hosts there are.
    var count: Int { hosts.count }

    /// The names that must be resolved, each once.
    var names: [String] {
        var names: [String] = []
        for host in hosts where host.needsResolving {
            if let name = host.endpoint.host, !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Every place to try, in order; a name without an address is left out.
    func endpoints(resolving addresses: [String: [String]]) -> [Endpoint] {
        hosts.flatMap { host -> [Endpoint] in
            guard host.needsResolving, let name = host.endpoint.host else { return [host.endpoint] }
            return (addresses[name] ?? []).map { address in
                var endpoint = host.endpoint
                endpoint.address = address
                return endpoint
            }
        }
    }

    /// The items of a list that is separated by commas; none for no list.
    static func split(_ list: String?) -> [String] {
        guard let list, !list.isEmpty else { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether a host is neither a socket's folder nor an address in numbers.
    private static func isName(_ host: String) -> Bool {
        !host.hasPrefix("/") && !host.hasPrefix("@") && !HostName.isAddress(host)
    }
}
