import Arguments
import Navigation

/// `check`: judges a configuration against its stores.
enum CheckCommand {
    static let command = Command(
        name: "check", summary: "Judges a configuration against its stores.", options: [Flags.config],
        discussion: """
            Prints what is wrong or worth to know, one finding a line, with file, line, column and a remedy: unknown
            entities and attributes, comparisons that never hold, rules that are never reached, entities without a rule,
            arguments that may be missing. The exit status is 78 when there is an error or a warning; notes are
            information.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let configurations = try ConfigurationFile(arguments.required("config")).configurations
        let stores = try AppStores(configurations)
        let problems = stores.problems()
        var output = Output()
        for problem in problems { try output.line(problem.description.escapedForTerminal) }
        let serious = problems.count { $0.severity > .note }
        let notes = problems.count - serious
        try output.line(
            serious == 0
                ? "\(configurations.file): no errors, \(notes) \(notes == 1 ? "note" : "notes")"
                : "\(configurations.file): \(serious) \(serious == 1 ? "problem" : "problems") to solve")
        try output.flush()
        return serious == 0 ? .ok : .configuration
    }
}
