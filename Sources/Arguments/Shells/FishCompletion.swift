/// The completion script for fish.
struct FishCompletion {
    private let table: CommandTable

    init(_ table: CommandTable) {
        self.table = table
    }

    var script: String {
        var lines = [
            """
            # Completion of \(table.program) for fish, made by: \(table.program) completions fish

            # Whether the words before the cursor are the program and exactly these.
            function __\(table.identifier)_at
                set -l typed (commandline -opc)
                set -e typed[1]
                test "$typed" = "$argv"
            end

            # Whether they begin with the words of a command.
            function __\(table.identifier)_in
                set -l typed (commandline -opc)
                set -e typed[1]
                set -l length (count $argv)
                test "$typed[1..$length]" = "$argv"
            end

            # Whether an operand of the command is being typed, rather than a flag with its value.
            function __\(table.identifier)_operand
                __\(table.identifier)_in $argv
                and not string match -q -- '-*' (commandline -ct)
            end

            complete -c \(table.program) -f
            """
        ]
        lines += table.first.map { offer($0, at: []) }
        for group in table.groups { lines += table.group(group).map { offer($0, at: [group]) } }
        for command in table.commands { lines += flags(command) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func offer(_ entry: CommandTable.Entry, at words: [String]) -> String {
        let condition = (["__\(table.identifier)_at"] + words).joined(separator: " ")
        return
            "complete -c \(table.program) -n \(quoted(condition)) -a \(quoted(entry.word)) -d \(quoted(entry.summary))"
    }

    private func flags(_ command: Command) -> [String] {
        let start = "complete -c \(table.program) -n \(quoted("__\(table.identifier)_in \(command.name)"))"
        var lines = command.options.map { option in
            "\(start) -l \(option.name)\(value(option)) -d \(quoted(option.summary))"
        }
        let operand = "complete -c \(table.program) -n \(quoted("__\(table.identifier)_operand \(command.name)"))"
        switch command.completion {
        case .nothing: break
        case .files: lines.append("\(operand) -F")
        case .words(let words): lines.append("\(operand) -a \(quoted(words.joined(separator: " ")))")
        }
        return lines + ["\(start) -l help -d 'Shows the manual.'"]
    }

    /// `-r` makes a value necessary, `-x` also keeps the names of files away.
    private func value(_ option: Option) -> String {
        switch (option.value, option.completion) {
        case (.none, _): ""
        case (.optional, .words(let words)): " -a \(quoted(words.joined(separator: " ")))"
        case (.optional, _): ""
        case (_, .nothing): " -x"
        case (_, .files): " -r -F"
        case (_, .words(let words)): " -x -a \(quoted(words.joined(separator: " ")))"
        }
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
