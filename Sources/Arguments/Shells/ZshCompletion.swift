/// The completion script for zsh, a file `_PROGRAM` in a folder of `fpath`.
struct ZshCompletion {
    private let table: CommandTable

    init(_ table: CommandTable) {
        self.table = table
    }

    var script: String {
        """
        #compdef \(table.program)
        # Completion of \(table.program) for zsh, made by: \(table.program) completions zsh

        local -a offered
        if ((CURRENT == 2)); then
            offered=(\(described(table.first)))
            _describe -t commands command offered
            return
        fi

        if ((CURRENT > 3)); then
            case "$words[2] $words[3]" in
        \(cases(ofWords: 2))
            esac
        fi

        case $words[2] in
        \(cases(ofWords: 1))
        \(table.groups.map(groupCase).joined(separator: "\n"))
        esac

        """
    }

    private func cases(ofWords count: Int) -> String {
        table.commands.filter { $0.words.count == count }.map { command in
            var lines = [
                "    (\(quoted(command.name)))", "        shift \(count) words", "        ((CURRENT -= \(count)))",
            ]
            lines.append("        _arguments -s : \\")
            lines += command.options.map { "            \(quoted(specification($0))) \\" }
            if let operands = operands(command) { lines.append("            \(quoted(operands)) \\") }
            lines.append("            '(- *)--help[Shows the manual.]'")
            return (lines + ["        return", "        ;;"]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func groupCase(_ group: String) -> String {
        """
            (\(group))
                offered=(\(described(table.group(group))))
                _describe -t commands command offered
                ;;
        """
    }

    private func described(_ entries: [CommandTable.Entry]) -> String {
        entries.map { quoted("\($0.word.replacing(":", with: "\\:")):\($0.summary)") }.joined(separator: " ")
    }

    /// A flag in the language of `_arguments`.
    private func specification(_ option: Option) -> String {
        let summary = "[\(escaped(option.summary))]"
        let action = action(option.completion)
        return switch option.value {
        case .none: "--\(option.name)\(summary)"
        case .one(let placeholder): "--\(option.name)=\(summary):\(escaped(placeholder)):\(action)"
        case .many(let placeholder): "*--\(option.name)=\(summary):\(escaped(placeholder)):\(action)"
        case .optional(let placeholder): "--\(option.name)=-\(summary)::\(escaped(placeholder)):\(action)"
        }
    }

    /// Operands that nothing is known of are left out: with them `_arguments` would no longer offer flags.
    private func operands(_ command: Command) -> String? {
        command.completion == .nothing ? nil : "*:\(escaped(command.operands)):\(action(command.completion))"
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "\\[]:".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''"))'"
    }
}
