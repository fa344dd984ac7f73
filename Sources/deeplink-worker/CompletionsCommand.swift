import Arguments

/// `completions`: scripts that let a shell complete the program's commands and flags.
enum CompletionsCommand {
    static let command = Command(
        name: "completions", summary: "Prints the completions for a shell.", operands: "SHELL",
        completion: .choices(of: Shell.self), options: [],
        discussion: """
            The shell is bash, zsh or fish. The package of the program has installed them; elsewhere, for bash:

              deeplink-worker completions bash >~/.local/share/bash-completion/completions/deeplink-worker

            For zsh the file is _deeplink-worker in a folder of fpath; for fish it is
            ~/.config/fish/completions/deeplink-worker.fish.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard arguments.operands.count == 1, let shell = Shell(rawValue: arguments.operands[0]) else {
            throw UsageError(
                "'completions' takes one of: " + Shell.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        let script = shell.completions(program: "deeplink-worker", commands: Program.subcommands.map(\.command))
        return try Output.print(script)
    }
}
