/// Where a database is and how to log in to it: a `postgresql://` URL, with what the environment and files add to it.
///
/// What the URL leaves out comes from libpq's own sources: the environment (`PGHOST`, `PGUSER`, `PGPASSWORD`, `PGSERVICE`,
/// ...), the service file, and, when it connects, the password file. `description` holds no secret.
package struct PostgreSQLURL: Sendable, Hashable, CustomStringConvertible {
    /// libpq's connection parameters that have a value.
    package let options: [String: String]

    /// The URL with user, hosts, ports and database alone, fit for logs.
    package let description: String

    /// Reads a URL; the error's sentence says what is wrong and repeats no secret.
    package init(_ url: String) throws(PostgreSQLError) {
        guard Self.schemes.contains(where: url.hasPrefix) else {
            throw Self.invalid("it must begin with postgresql:// or postgres://")
        }
        let secrets = try Self.secrets(in: url)
        switch ConnectionOptions.merged(url: url) {
        case .success(let options):
            for port in EndpointList.split(options["port"]) where !port.isEmpty {
                guard let number = UInt16(port), number > 0 else {
                    throw Self.invalid("a port must be a number from 1 to 65535")
                }
            }
            self.options = options
            description = Self.describe(options)
        case .failure(let problem):
            var sentence = problem.text
            // libpq's sentences may quote the URL, or a part of it.
            for secret in secrets + [url] where !secret.isEmpty {
                sentence = sentence.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "...")
            }
            throw Self.invalid(sentence)
        }
    }

    private init(options: [String: String], description: String) {
        self.options = options
        self.description = description
    }

    /// The same for whoever writes: of several servers the one that takes writes, also where look-ups want another.
    package var forWriting: PostgreSQLURL {
        // One server that is not asked to be anything says best itself that it takes no writes.
        let wanted = options["target_session_attrs"] ?? "any"
        guard EndpointList(options).count > 1 || wanted != "any" else { return self }
        var options = options
        options["target_session_attrs"] = "read-write"
        return PostgreSQLURL(options: options, description: description)
    }

    private static let schemes = ["postgresql://", "postgres://"]

    /// The texts of the URL that no message may repeat.
    private static func secrets(in url: String) throws(PostgreSQLError) -> [String] {
        var secrets: [String] = []
        let rest = url.drop { $0 != "/" }.dropFirst(2)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        if let at = authority.lastIndex(of: "@") {
            let information = authority[..<at]
            if information.contains("@") {
                throw invalid("an @ in the user's name or password must be written %40")
            }
            if let colon = information.firstIndex(of: ":") {
                let password = information[colon...].dropFirst()
                guard let decoded = decoded(password) else {
                    throw invalid("a % in the password must be followed by two hexadecimal digits, and not by 00")
                }
                secrets += [String(password), decoded]
            }
        }
        for item in rest.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, ["password", "sslpassword"].contains(parts[0]) else { continue }
            guard let decoded = decoded(parts[1]) else {
                throw invalid("a % in \(parts[0]) must be followed by two hexadecimal digits, and not by 00")
            }
            secrets += [String(parts[1]), decoded]
        }
        return secrets
    }

    /// Percent-decoded text; nil where an escape is none.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func describe(_ options: [String: String]) -> String {
        let hosts = EndpointList.split(options["host"] ?? options["hostaddr"])
        let ports = EndpointList.split(options["port"])
        var places: [String] = []
        for (index, host) in hosts.enumerated() {
            var place = host.contains(":") ? "[\(host)]" : host.split(separator: "/").joined(separator: "%2F")
            if host.hasPrefix("/") { place = "%2F" + place }
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            if !port.isEmpty, port != "5432" { place += ":\(port)" }
            places.append(place)
        }
        let user = options["user"].map { "\($0)@" } ?? ""
        return "postgresql://\(user)\(places.joined(separator: ","))/\(options["dbname"] ?? "")"
    }

    static func invalid(_ what: String) -> PostgreSQLError {
        PostgreSQLError(
            "The PostgreSQL URL is not valid: \(what). An example: postgresql://user@host:5432/database?sslmode=verify-full"
        )
    }
}
