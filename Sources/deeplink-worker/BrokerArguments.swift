import AMQP
import Arguments

extension ParsedArguments {
    /// The broker's URLs.
    func brokerURLs() throws -> [AMQPURL] {
        try texts("amqp-url").map { text throws in
            do throws(AMQPError) { return try AMQPURL(text) } catch {
                throw UsageError("--amqp-url: \(error.description)")
            }
        }
    }
}

extension CommandFailure {
    /// Sorts a broker's error by its code.
    init(_ error: AMQPError) {
        let status: ExitStatus =
            switch error.code {
            case .configuration, .mismatch, .missing: .configuration
            case .denied: .noPermission
            case .unreachable, .timeout, .tls, .closed, .protocolViolation: .unavailable
            }
        self.init(status, error.description)
    }
}
