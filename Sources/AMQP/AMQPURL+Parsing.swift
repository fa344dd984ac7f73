extension AMQPURL {
    /// Reads a URL; the error's sentence says which part is wrong and never repeats user information.
    public init(_ text: String) throws(AMQPError) {
        guard let schemeEnd = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[schemeEnd...].hasPrefix("://") else {
            throw Self.invalid("it must begin with amqp:// or amqps://")
        }
        switch text[..<schemeEnd].lowercased() {
        case "amqp": break
        case "amqps":
            isSecure = true
            port = 5671
        default: throw Self.invalid("its scheme must be amqp or amqps")
        }
        var rest = text[schemeEnd...].dropFirst(3)
        if rest.utf8.contains(UInt8(ascii: "#")) { throw Self.invalid("a # must be written %23") }
        var query: Substring?
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[mark...].dropFirst()
            rest = rest[..<mark]
        }
        var authority = rest
        if let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
            authority = rest[..<slash]
            let path = rest[slash...].dropFirst()
            if path.utf8.contains(UInt8(ascii: "/")) {
                throw Self.invalid("a / in the name of the virtual host must be written %2f")
            }
            virtualHost = try Self.decoded(path, "virtual host", max: 255)
        }
        try readAuthority(authority)
        if let query { try readQuery(query) }
        if mechanisms == [.external], !isSecure {
            throw Self.invalid("auth_mechanism=EXTERNAL needs amqps://, for the client's certificate is what it proves")
        }
    }

    private mutating func readAuthority(_ authority: Substring) throws(AMQPError) {
        var hostAndPort = authority
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let information = authority[..<at]
            hostAndPort = authority[at...].dropFirst()
            if information.utf8.contains(UInt8(ascii: "@")) {
                throw Self.invalid("an @ in the user's name or password must be written %40")
            }
            if let colon = information.utf8.firstIndex(of: UInt8(ascii: ":")) {
                user = try Self.decoded(information[..<colon], "user name")
                password = try Self.decoded(information[colon...].dropFirst(), "password")
            } else {
                user = try Self.decoded(information, "user name")
            }
        }
        try readHost(hostAndPort)
    }

    private mutating func readHost(_ text: Substring) throws(AMQPError) {
        var portText: Substring?
        if text.hasPrefix("[") {
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else {
                throw Self.invalid("the IPv6 address lacks its closing bracket")
            }
            host = try Self.address(text[..<end].dropFirst())
            let after = text[end...].dropFirst()
            guard after.isEmpty || after.hasPrefix(":") else { throw Self.invalid("the port must follow a colon") }
            if !after.isEmpty { portText = after.dropFirst() }
        } else {
            var name = text
            if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
                name = text[..<colon]
                portText = text[colon...].dropFirst()
            }
            // An absent host is the default one.
            if !name.isEmpty { host = try Self.decoded(name, "host", max: 253) }
            guard !host.utf8.contains(where: Self.isForbiddenInHost) else {
                throw Self.invalid("the host must be a name or an address")
            }
        }
        if let portText, !portText.isEmpty {
            guard portText.utf8.allSatisfy(Self.isDigit), let number = UInt16(portText), number > 0 else {
                throw Self.invalid("the port must be a number from 1 to 65535")
            }
            port = number
        }
    }

    /// An IPv6 address, and its zone where it has one; the zone's `%` may be written `%25`.
    private static func address(_ text: Substring) throws(AMQPError) -> String {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard Address.isIPv6(String(parts[0])) else { throw invalid("the brackets must hold an IPv6 address") }
        guard parts.count == 2 else { return String(text) }
        let zone = parts[1].hasPrefix("25") && parts[1].utf8.count > 2 ? parts[1].dropFirst(2) : parts[1]
        guard !zone.isEmpty, zone.utf8.allSatisfy(isZoneByte) else {
            throw invalid("the zone of the IPv6 address must be the name or number of an interface")
        }
        return "\(parts[0])%\(zone)"
    }

    private static func isZoneByte(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "0"..."9", "a"..."z", "A"..."Z", ".", "-", "_", "~": true
        default: false
        }
    }

    /// What no host has, also when it is percent-encoded; the list is that of URLs on the web.
    private static func isForbiddenInHost(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "\0"..." ", "#", "%", "/", ":", "<", ">", "?", "@", "[", "\\", "]", "^", "|", "\u{7F}": true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Decodes percent-encoding; a NUL would end the text for the C library, so it is refused.
    static func decoded(_ text: Substring, _ part: String, max: Int = 1024) throws(AMQPError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                throw invalid("a % in the \(part) must be followed by two hexadecimal digits")
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0) else { throw invalid("the \(part) must not contain %00") }
        guard bytes.count <= max else { throw invalid("the \(part) is longer than \(max) bytes") }
        guard let result = String(validating: bytes, as: UTF8.self) else { throw invalid("the \(part) is not UTF-8") }
        return result
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    static func invalid(_ what: String) -> AMQPError {
        AMQPError(
            .configuration,
            "The AMQP URL is not valid: \(what). An example: amqp://user:password@host:5672/%2f?heartbeat=30")
    }
}
