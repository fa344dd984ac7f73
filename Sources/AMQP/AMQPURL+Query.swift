extension AMQPURL {
    private static let parameters = [
        "heartbeat", "connection_timeout", "channel_max", "cacertfile", "certfile", "keyfile", "password", "verify",
        "server_name_indication", "auth_mechanism",
    ]

    /// Reads RabbitMQ's query parameters; an unknown one is an error.
    mutating func readQuery(_ query: Substring) throws(AMQPError) {
        var chosen: [Mechanism] = []
        var seen: Set<String> = []
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(parts[0], "name of a parameter")
            let value = try Self.decoded(parts.count == 2 ? parts[1] : "", "parameter \(name)", max: 4096)
            if name == "auth_mechanism" {
                chosen.append(try Self.mechanism(value))
            } else if !seen.insert(name).inserted {
                throw Self.invalid("the parameter \(name) is given twice")
            } else {
                try take(name, value)
            }
        }
        if !chosen.isEmpty { mechanisms = chosen }
        if (certificateFile == nil) != (keyFile == nil) {
            throw Self.invalid("certfile and keyfile must be given together")
        }
    }

    private mutating func take(_ name: String, _ value: String) throws(AMQPError) {
        switch name {
        case "heartbeat": heartbeatSeconds = try Self.number(name, value, 0...65_535)
        case "connection_timeout":
            connectionTimeout = .milliseconds(try Self.number(name, value, 1...3_600_000))
        case "channel_max": channelMax = UInt16(try Self.number(name, value, 0...65_535))
        case "cacertfile": authorityFile = try Self.file(name, value)
        case "certfile": certificateFile = try Self.file(name, value)
        case "keyfile": keyFile = try Self.file(name, value)
        case "password": keyPassword = value
        case "server_name_indication": try takeServerName(value)
        case "verify": try takeVerification(value)
        default:
            let known = Self.parameters.joined(separator: ", ")
            throw Self.invalid("it has a parameter that is not known; known are \(known)")
        }
    }

    private mutating func takeServerName(_ value: String) throws(AMQPError) {
        guard !value.isEmpty else { throw Self.invalid("server_name_indication must not be empty") }
        // In RabbitMQ's clients `disable` sends no name and checks none beyond the host's.
        serverName = value == "disable" ? nil : value
    }

    private mutating func takeVerification(_ value: String) throws(AMQPError) {
        switch value {
        case "verify_peer": verifiesPeer = true
        case "verify_none": verifiesPeer = false
        default: throw Self.invalid("verify must be verify_peer or verify_none")
        }
    }

    private static func mechanism(_ value: String) throws(AMQPError) -> Mechanism {
        guard let mechanism = Mechanism(rawValue: value.uppercased()) else {
            throw invalid("auth_mechanism must be plain or external")
        }
        return mechanism
    }

    private static func number(_ name: String, _ value: String, _ range: ClosedRange<Int>) throws(AMQPError) -> Int {
        guard value.utf8.first != UInt8(ascii: "+"), let number = Int(value), range.contains(number) else {
            throw invalid("\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func file(_ name: String, _ value: String) throws(AMQPError) -> String {
        guard !value.isEmpty else { throw invalid("\(name) must name a file") }
        return value
    }
}
