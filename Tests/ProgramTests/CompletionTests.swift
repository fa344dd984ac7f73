import Foundation
import Testing

/// What shells complete, asked of the shells themselves; one that is not installed is not asked.
struct CompletionTests {
    /// What is typed, and what must be offered; for zsh, to what the line grows.
    static let lines: [(typed: String, offered: [String])] = [
        ("", ["run", "store", "check", "--help", "--version"]),
        ("che", ["check"]),
        ("store ", ["delete", "export", "get", "import", "index", "info"]),
        ("store inf", ["info"]),
        ("run --queue-type ", ["quorum", "classic"]),
        ("run --queue-type cl", ["classic"]),
        ("run --log-format=j", ["json"]),
        ("run --prefetch 5 --no-d", ["--no-declare"]),
        ("store get --to-", ["--to-many"]),
        ("completions ", ["bash", "zsh", "fish"]),
        ("resolve --explain=", ["text"]),
        ("run --config mov", ["movies.yaml"]),
        ("run --config=mov", ["movies.yaml"]),
        ("resolve act", ["activities.ndjson"]),
        ("store info --store coredata:Fam", ["FamilyMovies.sqlite"]),
    ]

    static func isInstalled(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + shell)
    }

    private static func folder(_ shell: String, file: String) throws -> Folder {
        let folder = try Folder()
        try folder.addExample()
        try folder.write("movies.yaml", folder.read("deeplinks.yaml"))
        let printed = try Program.run(["completions", shell], in: folder.path)
        #expect(printed.status == 0, "\(printed.errors)")
        try folder.write(file, printed.output)
        return folder
    }

    /// Runs a script of a shell and returns what it prints.
    private static func run(_ shell: String, _ arguments: [String], in folder: Folder) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + shell)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8", "TERM": "dumb"]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: lines)
    func `bash completes commands, flags, values and files`(typed: String, offered: [String]) throws {
        let folder = try Self.folder("bash", file: "completions")
        // Bash hands over the line cut at white space and at = and :, which stay words.
        let script = """
            . ./completions
            line=${1//=/ = }; line=${line//:/ : }
            read -ra COMP_WORDS <<<"deeplink-worker $line"
            [[ -z $1 || $1 == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            [[ $(complete -p deeplink-worker) == *' -F _deeplink_worker '* ]] && _deeplink_worker
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let printed = try Self.run("bash", ["--norc", "-c", script, "bash", typed], in: folder)
        #expect(Set(offered).isSubset(of: printed), "\(printed)")
        if !typed.isEmpty { #expect(printed.count == offered.count, "\(printed)") }
    }

    @Test(.enabled(if: isInstalled("fish"), "fish is not installed"), arguments: lines)
    func `fish completes commands, flags, values and files`(typed: String, offered: [String]) throws {
        // Fish completes a file behind a colon from the colon on only where it knows of a prefix.
        guard !typed.contains(":") else { return }
        let folder = try Self.folder("fish", file: "completions")
        let printed = try Self.run(
            "fish", ["--no-config", "-c", "source ./completions; complete -C \"deeplink-worker $argv\"", typed],
            in: folder
        ).map { line in
            let word = line.prefix { $0 != "\t" }
            return String(
                word.hasPrefix("--") && word.contains("=") ? word[word.firstIndex(of: "=")!...].dropFirst() : word)
        }
        #expect(Set(offered).isSubset(of: printed), "\(printed)")
        if !typed.isEmpty { #expect(printed.count == offered.count, "\(printed)") }
    }

    /// A terminal is needed, in which the tab key is typed; then a key that writes down the line.
    private static let zshTerminal = #"""
        zmodload zsh/zpty
        zpty terminal zsh -f -i
        zpty -w terminal 'PS1=; setopt no_beep; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D
            note() { print -r -- $BUFFER >line; exit }; zle -N note; bindkey "^X" note; bindkey "^I" complete-word'
        zpty -n -w terminal "deeplink-worker $1"$'\t\x18'
        while zpty -r terminal output; do :; done
        print -r -- "$(<line)"
        """#

    @Test(
        .enabled(if: isInstalled("zsh"), "zsh is not installed"),
        arguments: lines.filter { $0.offered.count == 1 && !$0.typed.contains(":") })
    func `zsh completes commands, flags, values and files`(typed: String, offered: [String]) throws {
        let folder = try Self.folder("zsh", file: "_deeplink-worker")
        let line = try #require(try Self.run("zsh", ["-f", "-c", Self.zshTerminal, "zsh", typed], in: folder).last)
        #expect(line.hasPrefix("deeplink-worker "))
        #expect(line.split(whereSeparator: { " =".contains($0) }).last == offered[0][...], "\(line)")
    }

    @Test func `an unknown shell is answered with those that are known`() throws {
        let result = try Program.run(["completions", "tcsh"], in: Program.package.path)
        #expect(result.status == 64)
        #expect(result.errors.contains("bash, zsh, fish"))
    }
}
