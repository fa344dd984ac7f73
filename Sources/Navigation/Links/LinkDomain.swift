/// Which hosts a domain of the configuration stands for: `example.com`, `*.example.com`, `example.com:8443`.
struct LinkDomain: Sendable, Hashable {
    /// The host in its ASCII form, without the asterisk of a wildcard: `.example.com` for `*.example.com`.
    let host: [UInt8]
    /// Whether sub-domains are meant, and not the domain itself.
    let isWildcard: Bool
    /// The only port that is claimed; nil for the scheme's own.
    let port: UInt16?

    /// Reads a domain; nil for text that is none.
    init?(_ text: String) {
        isWildcard = text.hasPrefix("*.")
        // A URL parser knows what a host and a port are; anything but these is no domain.
        guard !text.utf8.contains(where: { "/\\?#@%".utf8.contains($0) || $0 <= 0x20 }),
            let url = LinkURL("https://\(isWildcard ? String(text.dropFirst(2)) : text)/"), !url.host.isEmpty
        else { return nil }
        let hasPort = text.utf8.last.map(\.isASCIIDigit) == true && Self.endsWithPort(text)
        guard !text.hasSuffix(":"), !url.bytes[url.host].contains(UInt8(ascii: "*")) else { return nil }
        port = hasPort ? url.effectivePort : nil
        host = (isWildcard ? [UInt8(ascii: ".")] : []) + url.bytes[url.host]
    }

    private static func endsWithPort(_ text: String) -> Bool {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return false }
        return text.utf8[text.utf8.index(after: colon)...].allSatisfy(\.isASCIIDigit)
    }

    /// Whether the domain claims the host and port of a web URL.
    func claims(_ url: LinkURL) -> Bool {
        guard port.map({ $0 == url.effectivePort }) ?? (url.port == nil) else { return false }
        let name = url.bytes.span.extracting(url.host)
        return isWildcard ? name.count > host.count && name.ends(with: host.span) : name.equals(host.span)
    }

    /// Whether this entry is taken before the other one where both claim a URL.
    func precedes(_ other: LinkDomain) -> Bool {
        // A name itself is longer than every wildcard that takes it.
        if isWildcard != other.isWildcard { return other.isWildcard }
        if host.count != other.host.count { return host.count > other.host.count }
        return port != nil && other.port == nil
    }

    /// The domain as text, in its ASCII form.
    var description: String {
        (isWildcard ? "*" : "") + String(decoding: host, as: UTF8.self) + (port.map { ":\($0)" } ?? "")
    }
}
