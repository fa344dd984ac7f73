import Arguments
import Foundation
import Navigation
import PersistentStore
import Spelling

/// A command of the program with its work.
struct Subcommand: Sendable {
    /// What it takes, and its manual.
    let command: Command
    /// Does the work; what it throws is told on standard error and decides the exit status.
    let run: @Sendable (ParsedArguments) throws -> ExitStatus
}

/// The program: finds the command, runs it, and turns what went wrong into a message and an exit status.
@main
enum Program {
    static let subcommands = [
        Subcommand(command: RunCommand.command, run: RunCommand.run),
        Subcommand(command: ResolveCommand.command, run: ResolveCommand.run),
        Subcommand(command: SendCommand.command, run: SendCommand.run),
        Subcommand(command: TopologyPrintCommand.command, run: TopologyPrintCommand.run),
        Subcommand(command: TopologyDeclareCommand.command, run: TopologyDeclareCommand.run),
        Subcommand(command: TopologyVerifyCommand.command, run: TopologyVerifyCommand.run),
        Subcommand(command: StoreInfoCommand.command, run: StoreInfoCommand.run),
        Subcommand(command: StoreGetCommand.command, run: StoreGetCommand.run),
        Subcommand(command: CheckCommand.command, run: CheckCommand.run),
        Subcommand(command: InitCommand.command, run: InitCommand.run),
        Subcommand(command: SchemaCommand.command, run: SchemaCommand.run),
        Subcommand(command: FlagsCommand.command, run: FlagsCommand.run),
        Subcommand(command: CompletionsCommand.command, run: CompletionsCommand.run),
        Subcommand(command: ManCommand.command, run: ManCommand.run),
    ]

    static func main() {
        exit(status(of: Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs the command that the arguments name.
    static func status(of arguments: [String]) -> ExitStatus {
        do {
            return try dispatch(arguments)
        } catch let error as UsageError where error.isHelp {
            return show(error.description)
        } catch let error as UsageError {
            Output.message(error.description)
            return error.isUnreadableFile ? .noInput : .usage
        } catch let error as CommandFailure {
            Output.message(error.message)
            return error.status
        } catch let error as StoreError {
            return fail(CommandFailure(error))
        } catch {
            Output.message("an internal fault, please report it: \(error)")
            return .software
        }
    }

    private static func dispatch(_ arguments: [String]) throws -> ExitStatus {
        guard let first = arguments.first else {
            throw UsageError("A command is missing. \(Self.hint)")
        }
        switch first {
        case "--help", "-h", "help": return show(manual)
        case "--version": return show(Versions.text)
        default: break
        }
        for subcommand in subcommands {
            let words = subcommand.command.words
            guard arguments.starts(with: words) else { continue }
            let parsed = try subcommand.command.parse(
                arguments.dropFirst(words.count), environment: ProcessInfo.processInfo.environment,
                readFile: readSecret)
            return try subcommand.run(parsed)
        }
        throw unknown(arguments)
    }

    /// The text of a file that a variable names.
    private static func readSecret(_ path: String) throws -> String {
        guard let bytes = try InputFile.contents(of: path, byteCountMax: 1 << 16) else {
            throw CommandFailure(.noInput, "The file '\(path)' is larger than 64 KiB.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hint = "'deeplink-worker --help' lists the commands."

    /// The error for arguments that name no command: a group's commands, or the nearest one.
    private static func unknown(_ arguments: [String]) -> UsageError {
        let names = subcommands.map(\.command.name)
        let first = arguments[0]
        let group = names.filter { $0.hasPrefix(first + " ") }
        if !group.isEmpty, arguments.count < 2 || arguments[1].hasPrefix("-") {
            if arguments.contains("--help") || arguments.contains("-h") { return UsageError(help: manual) }
            return UsageError("'\(first)' needs one of: " + group.joined(separator: ", ") + ".")
        }
        let given = (group.isEmpty ? first : first + " " + arguments[1])
        let groups = names.compactMap { $0.split(separator: " ").count > 1 ? String($0.prefix { $0 != " " }) : nil }
        let words =
            NearestWord.to(given, among: names + groups + ["--help", "--version"])
            .map { "Did you mean '\($0)'?" } ?? hint
        return UsageError("There is no command '\(given.escapedForTerminal)'. \(words)")
    }

    private static func show(_ text: String) -> ExitStatus {
        var output = Output()
        do {
            try output.line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
            try output.flush()
            return .ok
        } catch {
            return fail(error)
        }
    }

    private static func fail(_ failure: CommandFailure) -> ExitStatus {
        Output.message(failure.message)
        return failure.status
    }

    /// What the program does, as a phrase.
    static let summary = "turns NSUserActivity messages from RabbitMQ into navigation commands"

    private static var manual: String {
        var text = """
            \(summary.prefix(1).uppercased())\(summary.dropFirst()).

            Usage: deeplink-worker COMMAND [FLAGS] ...

            Commands:

            """
        let width = subcommands.map(\.command.name.count).max() ?? 0
        for command in subcommands.map(\.command) {
            text +=
                "  \(command.name)\(String(repeating: " ", count: width - command.name.count))  \(command.summary)\n"
        }
        return text + """

              --help     Shows this text; behind a command, the command's manual.
              --version  Shows the versions of the program and of its libraries.

            Exit statuses:

            """ + ExitStatus.allCases.map { "  \($0.rawValue)\($0.rawValue < 10 ? " " : "")  \($0.meaning)\n" }.joined()
    }
}
