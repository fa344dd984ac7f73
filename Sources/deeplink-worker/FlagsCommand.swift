import Arguments

/// `flags`: the flags of a command, for documents.
enum FlagsCommand {
    static let command = Command(
        name: "flags", summary: "Prints the flags of a command as a table in Markdown.", operands: "COMMAND",
        options: [], discussion: "The tables in Documentation are made by this command.")

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let name = arguments.operands.joined(separator: " ")
        guard let found = Program.subcommands.map(\.command).first(where: { $0.name == name }) else {
            throw UsageError(
                "'flags' takes one of: " + Program.subcommands.map(\.command.name).joined(separator: ", ") + ".")
        }
        var output = Output()
        try output.line(found.flagTable)
        try output.flush()
        return .ok
    }
}
