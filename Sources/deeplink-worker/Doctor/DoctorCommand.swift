import AMQP
import Activities
import Arguments
import Worker

/// `doctor`: looks at all that `run` needs.
enum DoctorCommand {
    static let command = Command(
        name: "doctor",
        summary: "Looks at versions, broker, queues, permissions, stores and limits, and says what to fix.",
        options: [Flags.config] + Flags.broker + Flags.pipeline + [Flags.json],
        discussion: """
            Takes the flags of 'run' and looks at what it would meet; nothing is changed, and no message is taken from a
            queue. Without --config the configuration and its stores are left out. Each finding is ok, a warning or an
            error, with a remedy. The exit status is 0 when there is no error, else that of the first one: 66 a file, 65 a
            store that is none, 69 the broker, 77 permissions, 78 settings and queues.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let given = try WorkerSettings(arguments)
        _ = try arguments.choice("log-level", LogLevel.self)
        _ = try arguments.choice("log-format", Log.Format.self)
        return try DeepStack.run {
            var findings = [Finding.ok("versions", Versions.text.split(separator: "\n").joined(separator: ", "))]
            let configuration = ConfigurationExamination(arguments)
            findings += configuration.findings
            var settings = given
            settings.declaresItemsQueue = configuration.takesItems
            findings += BrokerExamination(settings).findings
            findings += try MachineExamination(arguments, settings).findings
            try tell(findings, asJSON: arguments.flag("json"))
            return findings.first { $0.severity == .error }?.status ?? .ok
        }
    }

    private static func tell(_ findings: [Finding], asJSON: Bool) throws {
        var output = Output()
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count { $0.severity == .warning }
        if asJSON {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("errors" as StaticString)
            writer.integer(errors)
            writer.key("findings" as StaticString)
            writer.beginArray()
            for finding in findings { finding.write(to: &writer) }
            writer.endArray()
            writer.key("warnings" as StaticString)
            writer.integer(warnings)
            writer.endObject()
            writer.endLine()
            try output.write(&writer)
        } else {
            for line in findings.flatMap(\.lines) { try output.line(line.escapedForTerminal) }
            func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
            try output.line("\(counted(errors, "error")), \(counted(warnings, "warning"))")
        }
        try output.flush()
    }
}
