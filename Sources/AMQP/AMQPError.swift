/// Why a broker cannot be reached, used or understood.
///
/// `description` is a sentence for people: it names the broker, says what is wrong and what to do, and holds no password.
public struct AMQPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, as far as a caller can act on it.
    public enum Code: String, Sendable, CaseIterable {
        /// A URL, a certificate or another setting is wrong; no retry helps (exit status 78).
        case configuration
        /// The name cannot be resolved, or nothing answers at the address; a later attempt may succeed.
        case unreachable
        /// A step took too long; a later attempt may succeed.
        case timeout
        /// TLS could not be agreed on, or the peer is not who it should be; a later attempt may succeed.
        case tls
        /// The broker refuses the credentials, the virtual host or the operation (exit status 77).
        case denied
        /// A queue exists with other arguments than it should have (exit status 78).
        case mismatch
        /// A queue that must exist does not.
        case missing
        /// The connection ended.
        case closed
        /// The peer does not speak AMQP 0-9-1, or breaks its rules.
        case protocolViolation
    }

    /// Whether a later attempt may succeed though nobody changes a setting or a queue.
    public var mayPass: Bool {
        switch code {
        case .configuration, .denied, .mismatch: false
        case .unreachable, .timeout, .tls, .missing, .closed, .protocolViolation: true
        }
    }

    /// What went wrong.
    public let code: Code
    /// The sentence for people.
    public let description: String
    /// The broker's reply code, where the broker said why.
    public let replyCode: UInt16?

    /// Makes an error; `description` is a full sentence.
    public init(_ code: Code, _ description: String, replyCode: UInt16? = nil) {
        self.code = code
        self.description = description
        self.replyCode = replyCode
    }
}
