import AMQP
import Arguments

/// `topology declare`: declares the queues and ends.
enum TopologyDeclareCommand {
    static let command = Command(
        name: "topology declare", summary: "Declares the queues as 'run' does.",
        options: TopologyArguments.options,
        discussion: """
            For a user who may configure, before workers run with --no-declare under a user who may not. Queues that are
            there and equal stay as they are. One with other arguments ends the command with status 78; 'topology
            verify' then tells every difference.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let topology = try TopologyArguments.topology(arguments)
        var output = Output()
        try TopologyArguments.asking(arguments) { (connection) throws(AMQPError) in
            for queue in topology.queues { try connection.declare(queue) }
        }
        for queue in topology.queues { try output.line("\(queue.name): declared".escapedForTerminal) }
        try output.flush()
        return .ok
    }
}
