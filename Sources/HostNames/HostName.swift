internal import Glibc

/// Asks the system's resolver, which blocks for as long as it likes: call it on a thread of its own.
public enum HostName {
    /// Why a name has no address: what the resolver says.
    public struct Failure: Error {
        /// The resolver's own words, without a full stop.
        public let reason: String
    }

    /// The addresses of a host in numbers, each once, in the resolver's order.
    ///
    /// IPv6 is left out where the machine has no address of that kind, and IPv4 likewise.
    public static func addresses(of host: String) throws(Failure) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, nil, &hints, &found)
        guard status == 0, let first = unsafe found else {
            throw Failure(reason: unsafe gai_strerror(status).map { unsafe String(cString: $0) } ?? "no answer")
        }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [String] = []
        var next: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let entry = unsafe next {
            let address = unsafe numeric(entry)
            if !address.isEmpty, !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    /// Whether a host is an address in numbers, which needs no resolver.
    public static func isAddress(_ host: String) -> Bool {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &found) == 0 else { return false }
        unsafe freeaddrinfo(found)
        return true
    }

    private static func numeric(_ entry: UnsafeMutablePointer<addrinfo>) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let status = unsafe getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, buffer.baseAddress, socklen_t(NI_MAXHOST), nil, 0,
                NI_NUMERICHOST)
            guard status == 0, let start = buffer.baseAddress else { return "" }
            return unsafe String(cString: start)
        }
    }
}
