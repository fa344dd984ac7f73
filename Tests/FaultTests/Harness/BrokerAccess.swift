import AMQP
import TestSupport

/// A broker of a test: where it is, and its rabbitmqctl.
struct BrokerAccess: Sendable {
    /// What a queue holds.
    struct QueueState: Equatable, CustomStringConvertible {
        let ready: Int
        let unacknowledged: Int

        static let empty = QueueState(ready: 0, unacknowledged: 0)

        var description: String { "\(ready) ready, \(unacknowledged) unacknowledged" }
    }

    let url: String
    let controlPath: String

    /// The one that the environment names.
    static func shared() throws -> BrokerAccess {
        guard let controlPath = Broker.controlPath else { throw MissingInTest(what: Broker.controlAbsence) }
        return BrokerAccess(url: try Broker.requiredURLText(), controlPath: controlPath)
    }

    var port: UInt16 { (try? AMQPURL(url).port) ?? 0 }

    /// Runs rabbitmqctl and returns what it prints.
    @discardableResult
    func control(_ arguments: String...) throws -> String {
        try run(controlPath, ["-q"] + arguments)
    }

    /// Runs an Erlang expression in the node and returns its value as text.
    @discardableResult
    func evaluate(_ expression: String) throws -> String { try control("eval", expression) }

    /// What queues hold; a queue that is not there is left out.
    func state(of queues: [String]) throws -> [String: QueueState] {
        var states: [String: QueueState] = [:]
        let text = try control("list_queues", "--no-table-headers", "name", "messages_ready", "messages_unacknowledged")
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t")
            guard fields.count == 3, queues.contains(String(fields[0])) else { continue }
            states[String(fields[0])] = QueueState(
                ready: Int(fields[1]) ?? -1, unacknowledged: Int(fields[2]) ?? -1)
        }
        return states
    }

    /// Closes the connections with names that begin so, as an operator would.
    func closeConnections(named name: String) throws {
        try evaluate(
            """
            [rabbit_networking:close_connection(Pid, "closed by a test") ||
             [{pid, Pid}, {client_properties, Table}] <- rabbit_networking:connection_info_all([pid, client_properties]),
             {<<"connection_name">>, _, Name} <- Table, string:prefix(Name, <<"\(name)">>) =/= nomatch].
            """)
    }
}
