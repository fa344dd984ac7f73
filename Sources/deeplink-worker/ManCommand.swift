import Arguments

/// `man`: the manual page, made from the commands so that it never says something else.
enum ManCommand {
    static let command = Command(
        name: "man", summary: "Prints the manual page, for 'man -l -'.", options: [],
        discussion: "The page has the manuals of all commands, in the language of man(7).")

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let page = ManualPage(
            program: "deeplink-worker", version: Versions.program, summary: Program.summary,
            commands: Program.subcommands.map(\.command), sections: [environment, exitStatus, seeAlso])
        return try Output.print(page.source)
    }

    private static let environment = ManualPage.Section(
        "ENVIRONMENT",
        entries: [
            (
                "DEEPLINK_...",
                "Stands in for a flag: DEEPLINK_AMQP_URL for --amqp-url. A flag comes before its variable, and that "
                    + "before the default."
            ),
            (
                "DEEPLINK_..._FILE",
                "Names a file that holds the value: the way for secrets, which then are in no process's environment."
            ),
        ])

    private static var exitStatus: ManualPage.Section {
        ManualPage.Section(
            "EXIT STATUS", entries: ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
    }

    private static let seeAlso = ManualPage.Section(
        "SEE ALSO",
        entries: [
            ("rabbitmq-server(8)", "The broker."),
            ("systemctl(1)", "Starts, stops and reloads the service that the package brings."),
        ])
}
