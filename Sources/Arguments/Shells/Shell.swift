/// A shell for which completions can be written.
public enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script that completes a program's commands, their flags and what the flags take.
    ///
    /// It needs nothing but the shell: the file's place decides when it is loaded.
    public func completions(program: String, commands: [Command]) -> String {
        let table = CommandTable(program: program, commands: commands)
        return switch self {
        case .bash: BashCompletion(table).script
        case .zsh: ZshCompletion(table).script
        case .fish: FishCompletion(table).script
        }
    }
}

/// The commands of a program as the scripts need them: words of their first level, and groups.
struct CommandTable {
    /// A word that may follow the program's name, and what it is.
    struct Entry {
        let word: String
        let summary: String
    }

    let program: String
    let commands: [Command]

    /// The program's name as part of a function's name.
    var identifier: String { program.replacing("-", with: "_") }

    /// What may come first: commands of one word, groups, and the program's own flags.
    var first: [Entry] {
        var entries: [Entry] = []
        for command in commands {
            guard let word = command.words.first, !entries.contains(where: { $0.word == word }) else { continue }
            let members = group(word)
            let summary = members.isEmpty ? command.summary : members.map(\.word).joined(separator: ", ") + "."
            entries.append(Entry(word: word, summary: summary))
        }
        return entries + [
            Entry(word: "--help", summary: "Shows the commands."),
            Entry(word: "--version", summary: "Shows the versions of the program and of its libraries."),
        ]
    }

    /// The words that begin several commands, each once.
    var groups: [String] { first.map(\.word).filter { !group($0).isEmpty } }

    /// What may follow a group's word.
    func group(_ word: String) -> [Entry] {
        commands.filter { $0.words.count == 2 && $0.words[0] == word }.map {
            Entry(word: $0.words[1], summary: $0.summary)
        }
    }
}
