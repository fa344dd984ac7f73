/// The completion script for bash; it needs neither the package bash-completion nor any other program.
struct BashCompletion {
    private let table: CommandTable

    init(_ table: CommandTable) {
        self.table = table
    }

    var script: String {
        """
        # Completion of \(table.program) for bash, made by: \(table.program) completions bash

        \(tables)

        \(completer)

        complete -F _\(table.identifier) \(table.program)

        """
    }

    /// What can be offered, as functions that set the variables of their caller.
    private var tables: String {
        """
        # The flags of a command, and of them those that take the next word.
        _\(table.identifier)_flags() {
            case $1 in
        \(table.commands.map(flagCase).joined(separator: "\n"))
            esac
        }

        # What stands for the value of a flag, or for an operand where no flag is named: files, or words.
        _\(table.identifier)_values() {
            case $1 in
        \(table.commands.flatMap(valueCases).joined(separator: "\n"))
            esac
        }

        # The words that may follow a word.
        _\(table.identifier)_words() {
            case $1 in
            '') words='\(table.first.map(\.word).joined(separator: " "))' ;;
        \(table.groups.map { "    \($0)) words='\(table.group($0).map(\.word).joined(separator: " "))' ;;" }
            .joined(separator: "\n"))
            esac
        }
        """
    }

    private func flagCase(_ command: Command) -> String {
        let all = command.options.map { "--\($0.name)" } + ["--help"]
        let valued = command.options.filter(\.takesValue).map { "--\($0.name)" }
        return
            "    '\(command.name)') flags='\(all.joined(separator: " "))' valued=' \(valued.joined(separator: " ")) ' ;;"
    }

    private func valueCases(_ command: Command) -> [String] {
        let values = command.options.map { ("\(command.name) --\($0.name)", $0.completion) }
        return ([(command.name, command.completion)] + values).compactMap { place, completion in
            switch completion {
            case .nothing: nil
            case .files: "    '\(place)') files=yes ;;"
            case .words(let words): "    '\(place)') words='\(words.joined(separator: " "))' ;;"
            }
        }
    }

    /// Bash cuts words at `=` and `:`, so they are joined first; what is offered replaces only the last piece.
    private var completer: String {
        let name = "_\(table.identifier)"
        return """
            \(name)() {
                local typed=() word index joins= command= flag= current flags= valued= words= files=
                for ((index = 1; index <= COMP_CWORD; index++)); do
                    word=${COMP_WORDS[index]}
                    if [[ ${#typed[@]} -gt 0 && ( -n $joins || $word == [=:]* ) ]]; then
                        typed[${#typed[@]} - 1]+=$word
                    else
                        typed+=("$word")
                    fi
                    [[ $word == *[=:] ]] && joins=yes || joins=
                done
                local last=$((${#typed[@]} - 1))
                current=${typed[last]}
                COMPREPLY=()

                for index in 1 0; do
                    [[ -z $command && $index -lt $last ]] || continue
                    word="${typed[*]:0:index + 1}"
                    \(name)_flags "$word"
                    [[ -z $flags ]] || command=$word
                done
                if [[ -z $command ]]; then
                    \(name)_words "${typed[*]:0:last}"
                    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
                    return
                fi

                if [[ $current == --*=* ]]; then
                    flag=${current%%=*} current=${current#*=}
                elif [[ $valued == *" ${typed[last - 1]} "* ]]; then
                    flag=${typed[last - 1]}
                elif [[ $current == -* ]]; then
                    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$current")
                    return
                fi
                \(name)_values "$command${flag:+ $flag}"
                if [[ -n $files ]]; then
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(compgen -f -- "${current##*:}")
                else
                    # A free operand: the flags remind of what else there is.
                    [[ -n $words || -n $flag ]] || words=$flags
                    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
                fi
            }
            """
    }
}
