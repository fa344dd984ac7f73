import AMQP
import Activities
import Arguments

/// `topology verify`: compares the broker's queues with those that `run` would declare.
enum TopologyVerifyCommand {
    static let command = Command(
        name: "topology verify", summary: "Compares the broker's queues with those that 'run' declares.",
        options: TopologyArguments.options + [Flags.json],
        discussion: """
            Prints every difference and its remedy, and changes nothing. The exit status is 0 when all queues are as 'run'
            declares them, 78 when one is missing or differs, 69 when there is no broker, and 77 when the user may not
            configure the queues, without which RabbitMQ does not tell their arguments. What a policy sets is not seen:
            AMQP shows a queue's own arguments only.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let topology = try TopologyArguments.topology(arguments)
        let comparisons = try TopologyArguments.asking(arguments) { (connection) throws(AMQPError) in
            var comparisons: [QueueComparison] = []
            for queue in topology.queues { comparisons.append(try connection.compare(queue)) }
            return comparisons
        }
        let findings = zip(topology.queues, comparisons).map(QueueFinding.init)
        var output = Output()
        if arguments.flag("json") {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("equal" as StaticString)
            writer.boolean(findings.allSatisfy(\.isEqual))
            writer.key("queues" as StaticString)
            writer.beginArray()
            for finding in findings { finding.write(to: &writer) }
            writer.endArray()
            writer.endObject()
            writer.endLine()
            try output.write(&writer)
        } else {
            for line in findings.flatMap(\.lines) { try output.line(line.escapedForTerminal) }
        }
        try output.flush()
        return findings.allSatisfy(\.isEqual) ? .ok : .configuration
    }
}
