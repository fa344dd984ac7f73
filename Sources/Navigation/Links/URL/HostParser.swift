/// Reads the host of a URL, or of a domain in a configuration.
enum HostParser {
    /// The host in its ASCII form: lower-case, without a trailing dot; nil for one that is not valid.
    ///
    /// The host of a custom scheme is opaque: it keeps its case, and is percent-encoded.
    static func host(_ written: Span<UInt8>, isOpaque: Bool) -> [UInt8]? {
        if written[0] == UInt8(ascii: "[") {
            guard written[written.count - 1] == UInt8(ascii: "]") else { return nil }
            return IPv6Address(written.extracting(1..<(written.count - 1)))?.bracketed
        }
        return isOpaque ? opaque(written) : domain(written)
    }

    private static func opaque(_ written: Span<UInt8>) -> [UInt8]? {
        var host: [UInt8] = []
        for index in written.indices {
            guard !isForbidden(written[index]) else { return nil }
            host.append(written[index], encoding: .controls)
        }
        return host
    }

    private static func domain(_ written: Span<UInt8>) -> [UInt8]? {
        let decoded = PercentDecoding.bytes(written)
        guard let name = decoded.map({ ascii($0.span) }) ?? ascii(written) else { return nil }
        var domain = name
        // One dot at the end is the root's; an empty label is no name.
        if domain.last == UInt8(ascii: ".") { domain.removeLast() }
        guard let last = domain.last, last != UInt8(ascii: ".") else { return nil }
        if IPv4Address.endsInNumber(domain) { return IPv4Address(domain)?.dotted }
        return domain
    }

    /// The name in ASCII, checked.
    private static func ascii(_ name: Span<UInt8>) -> [UInt8]? {
        guard !name.isEmpty else { return nil }
        var lowered: [UInt8] = []
        lowered.reserveCapacity(name.count)
        var isPlain = true
        for index in name.indices {
            let byte = name[index]
            if byte >= 0x80 {
                isPlain = false
            } else if isForbidden(byte) || byte <= 0x20 || byte == UInt8(ascii: "%") || byte == 0x7F {
                return nil
            }
            lowered.append(byte.asciiLowercased)
        }
        if isPlain, !hasEncodedLabel(lowered) { return lowered }
        guard let converted = InternationalDomainName.ascii(lowered) else { return nil }
        // What the mapping yields is checked too: a full-width percent sign becomes a plain one.
        let isValid = converted.allSatisfy { $0 < 0x7F && $0 > 0x20 && !isForbidden($0) && $0 != UInt8(ascii: "%") }
        return isValid && !converted.isEmpty ? converted : nil
    }

    /// Whether a label is in the ASCII form of an international one, which then is checked.
    private static func hasEncodedLabel(_ name: [UInt8]) -> Bool {
        var isStart = true
        for (index, byte) in name.enumerated() {
            if isStart, name[index...].starts(with: "xn--".utf8) { return true }
            isStart = byte == UInt8(ascii: ".")
        }
        return false
    }

    /// The standard's forbidden host code points.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00, 0x09, 0x0A, 0x0D, 0x20: true
        case UInt8(ascii: "#"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        case UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"): true
        case UInt8(ascii: "^"), UInt8(ascii: "|"): true
        default: false
        }
    }
}
