/// Where a broker is and how to log in to it: one `amqp://` or `amqps://` URL, by RabbitMQ's URI specification.
///
/// `description` never holds the password.
public struct AMQPURL: Sendable, Hashable, CustomStringConvertible {
    /// How the client proves who it is.
    public enum Mechanism: String, Sendable, CaseIterable {
        /// User name and password.
        case plain = "PLAIN"
        /// The client's certificate.
        case external = "EXTERNAL"
    }

    /// Whether the connection is encrypted.
    public internal(set) var isSecure = false
    /// The host name or IP address, without brackets.
    public internal(set) var host = "localhost"
    /// The port; 5672, or 5671 with TLS, unless the URL says otherwise.
    public internal(set) var port: UInt16 = 5672
    /// The user's name.
    public internal(set) var user = "guest"
    /// The password, for the log-in alone.
    public internal(set) var password = "guest"
    /// The virtual host.
    public internal(set) var virtualHost = "/"
    /// The time after which a silent peer is taken for dead is twice this; 0 turns heartbeats off.
    public internal(set) var heartbeatSeconds = 30
    /// How long each step of connecting may take.
    public internal(set) var connectionTimeout: Duration = .seconds(10)
    /// The most channels that the client asks for; 0 leaves it to the broker.
    ///
    /// The client uses one.
    public internal(set) var channelMax: UInt16 = 0
    /// The file of the certificate authorities that the broker's certificate must come from; nil: the system's.
    public internal(set) var authorityFile: String?
    /// The file of the client's certificate.
    public internal(set) var certificateFile: String?
    /// The file of the certificate's private key.
    public internal(set) var keyFile: String?
    /// The password of the private key, if it is encrypted.
    public internal(set) var keyPassword: String?
    /// Whether the broker's certificate and name are verified.
    public internal(set) var verifiesPeer = true
    /// The name that the certificate must have, if it is not the host's.
    public internal(set) var serverName: String?
    /// The mechanisms that may be used, in order of preference.
    public internal(set) var mechanisms: [Mechanism] = [.plain]

    /// The URL without user information and parameters, fit for logs.
    public var description: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(Self.encodedZone(host))]" : host
        return "\(isSecure ? "amqps" : "amqp")://\(name):\(port)/\(Self.encoded(virtualHost))"
    }

    private static func encodedZone(_ address: String) -> String {
        address.split(separator: "%", maxSplits: 1).joined(separator: "%25")
    }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch UnicodeScalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
                result.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: false)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}
