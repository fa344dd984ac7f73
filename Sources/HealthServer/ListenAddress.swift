/// Where to listen: an address and a port, `127.0.0.1:9419` or `[::1]:9419`; port 0 takes any free one.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host name or numeric address, an IPv6 one without brackets.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Makes an address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `ADDRESS:PORT`; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// The text that `init(_:)` reads.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
