/// The manual page of a program, in the language of `man`, made from its commands.
public struct ManualPage: Sendable {
    /// A section behind the commands.
    public struct Section: Sendable {
        let title: String
        let entries: [(term: String, text: String)]

        /// Makes a section of terms, each with what it means.
        public init(_ title: String, entries: [(term: String, text: String)]) {
            self.title = title
            self.entries = entries
        }
    }

    private let program: String
    private let version: String
    private let summary: String
    private let commands: [Command]
    private let sections: [Section]

    /// Makes a page; `summary` is a phrase without a full stop.
    public init(program: String, version: String, summary: String, commands: [Command], sections: [Section] = []) {
        self.program = program
        self.version = version
        self.summary = summary
        self.commands = commands
        self.sections = sections
    }

    /// The source of the page.
    public var source: String {
        var lines = [
            ".TH \(Self.escaped(program.uppercased())) 1 \"\" \"\(Self.escaped(program)) \(Self.escaped(version))\" \"User Commands\"",
            ".SH NAME", "\(Self.escaped(program)) \\- \(Self.line(summary))",
            ".SH SYNOPSIS", ".B \(Self.escaped(program))", "\\fICOMMAND\\fR [\\fIFLAGS\\fR] ...",
            ".br", ".B \(Self.escaped("\(program) --help"))", "|", ".B \\-\\-version",
            ".SH COMMANDS",
        ]
        for command in commands { lines += Self.lines(command, of: program) }
        for section in sections {
            lines.append(".SH \(Self.escaped(section.title))")
            for entry in section.entries {
                lines += [".TP", ".B \(Self.escaped(entry.term))", Self.line(entry.text)]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ command: Command, of program: String) -> [String] {
        var usage = "\\fB\(escaped(program)) \(escaped(command.name))\\fR"
        if !command.options.isEmpty { usage += " [\\fIFLAGS\\fR]" }
        if !command.operands.isEmpty { usage += " \(escaped(command.operands))" }
        var lines = [".SS \(escaped(command.name))", line(command.summary), ".PP", usage]
        for paragraph in command.discussion.split(separator: "\n\n") {
            let rows = paragraph.split(separator: "\n").map(String.init)
            let isExample = rows.contains { $0.hasPrefix(" ") }
            lines += isExample ? [".PP", ".nf"] + rows.map(line) + [".fi"] : [".PP"] + rows.map(line)
        }
        for option in command.options {
            lines += [".TP", ".B \(escaped(option.usage))", line(option.summary)]
            var notes: [String] = []
            if let value = option.defaultValue { notes.append("Default: \(value).") }
            if option.hasVariable { notes.append("Variable: \(option.variable).") }
            if !notes.isEmpty { lines += [".br", line(notes.joined(separator: " "))] }
        }
        return lines
    }

    /// A line of text; a dot or an apostrophe at its start would be a request.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// Hyphens stay hyphens, so that a flag can be copied from the page.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }
}
