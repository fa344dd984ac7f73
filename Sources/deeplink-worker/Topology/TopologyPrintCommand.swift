import AMQP
import Activities
import Arguments

/// `topology print`: the queues as `run` declares them.
enum TopologyPrintCommand {
    static let command = Command(
        name: "topology print", summary: "Prints the queues that 'run' declares, with their arguments.",
        options: TopologyArguments.options + [Flags.json],
        discussion: """
            Asks no broker. With --json it prints definitions of RabbitMQ, for the virtual host of --amqp-url:
            'rabbitmqctl import_definitions FILE' declares the queues, so that the worker's user needs no permission to
            configure and runs with --no-declare.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let topology = try TopologyArguments.topology(arguments)
        var output = Output()
        if arguments.flag("json") {
            let hosts = Set(try arguments.brokerURLs().map(\.virtualHost))
            guard let host = hosts.first, hosts.count == 1 else {
                throw UsageError("--amqp-url must name one virtual host; the definitions are for one.")
            }
            var writer = definitions(topology, virtualHost: host)
            writer.endLine()
            try output.write(&writer)
        } else {
            for line in text(topology) { try output.line(line.escapedForTerminal) }
        }
        try output.flush()
        return .ok
    }

    private static func text(_ topology: Topology) -> [String] {
        var lines: [String] = []
        for queue in topology.queues {
            if !lines.isEmpty { lines.append("") }
            lines.append("\(queue.name)  (durable)")
            let width = queue.arguments.map(\.name.count).max() ?? 0
            for argument in queue.arguments {
                let padding = String(repeating: " ", count: width - argument.name.count)
                lines.append("  \(argument.name)\(padding)  \(argument.value)")
            }
        }
        return lines
    }

    /// Definitions as RabbitMQ exports them; the keys are sorted.
    private static func definitions(_ topology: Topology, virtualHost: String) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("queues" as StaticString)
        writer.beginArray()
        for queue in topology.queues {
            writer.beginObject()
            writer.key("arguments" as StaticString)
            writer.beginObject()
            for argument in queue.arguments.sorted(by: { $0.name < $1.name }) {
                writer.key(argument.name)
                writer.write(argument.value)
            }
            writer.endObject()
            writer.key("auto_delete" as StaticString)
            writer.boolean(false)
            writer.key("durable" as StaticString)
            writer.boolean(true)
            writer.key("name" as StaticString)
            writer.string(queue.name)
            writer.key("vhost" as StaticString)
            writer.string(virtualHost)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer
    }
}

extension JSONWriter {
    /// Writes an argument's value; null where there is none.
    mutating func write(_ value: QueueDeclaration.Value?) {
        switch value {
        case .text(let text): string(text)
        case .number(let number): integer(number)
        case .flag(let flag): boolean(flag)
        case nil: null()
        }
    }
}
