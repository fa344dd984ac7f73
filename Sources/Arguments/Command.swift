internal import Spelling

/// A command of the program: what it takes, and its manual.
public struct Command: Sendable {
    /// The words that select it, for example `store get`.
    public let name: String
    /// What it does, in one line.
    public let summary: String
    /// What follows the flags, for example `[ACTIVITIES.ndjson ...]`; empty where nothing may.
    public let operands: String
    /// Its flags.
    public let options: [Option]
    /// More for its manual.
    public let discussion: String
    /// What shells offer where operands stand.
    public let completion: Completion

    /// Makes a command.
    public init(
        name: String, summary: String, operands: String = "", completion: Completion = .nothing, options: [Option],
        discussion: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.completion = completion
        self.options = options
        self.discussion = discussion
    }

    /// The words that select it, one by one.
    public var words: [String] { name.split(separator: " ").map(String.init) }

    /// Reads the arguments that follow the command's words.
    ///
    /// A flag comes before its variable, and that before the default. `readFile` reads the file that a `..._FILE`
    /// variable names.
    public func parse(
        _ arguments: some Collection<String>, environment: [String: String],
        readFile: (String) throws -> String
    ) throws(UsageError) -> ParsedArguments {
        var given: [String: [String]] = [:]
        var operands: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            if argument == "--help" || argument == "-h" { throw UsageError(help: manual) }
            let (option, inline) = try option(for: argument)
            guard option.takesValue else {
                if inline != nil, case .none = option.value { throw UsageError("--\(option.name) takes no value.") }
                given[option.name] = [inline ?? ""]
                continue
            }
            guard let value = inline ?? rest.popFirst() else {
                throw UsageError("\(option.usage) needs a value.")
            }
            if case .one = option.value, given[option.name] != nil {
                throw UsageError("--\(option.name) is given twice; it may be given once.")
            }
            given[option.name, default: []].append(value)
        }
        if self.operands.isEmpty, let extra = operands.first {
            throw UsageError("'\(name)' takes no argument '\(extra.escapedForTerminal)'. Try '\(name) --help'.")
        }
        try fill(&given, from: environment, readFile: readFile)
        return ParsedArguments(command: self, given: given, operands: operands)
    }

    private func option(for argument: String) throws(UsageError) -> (Option, String?) {
        let parts = argument.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard argument.hasPrefix("--"), let option = options.first(where: { $0.name == name }) else {
            let nearest = NearestWord.to(name, among: options.map(\.name) + ["help"])
            let hint = nearest.map { "Did you mean '--\($0)'?" } ?? "Try '\(self.name) --help'."
            throw UsageError("'\(self.name)' has no flag '\(argument.escapedForTerminal)'. \(hint)")
        }
        return (option, parts.count > 1 ? String(parts[1]) : nil)
    }

    /// Takes from the environment what was not given.
    private func fill(
        _ given: inout [String: [String]], from environment: [String: String], readFile: (String) throws -> String
    ) throws(UsageError) {
        for option in options where option.hasVariable && given[option.name] == nil {
            if let text = environment[option.variable], !text.isEmpty {
                given[option.name] = try values(of: option, text)
            } else if let path = environment[option.variable + "_FILE"], !path.isEmpty {
                let text: String
                do { text = try readFile(path) } catch {
                    throw UsageError(unreadableFile: "\(option.variable)_FILE: \(error)")
                }
                given[option.name] = try values(of: option, text.trimmingWhitespace)
            }
        }
    }

    /// A variable holds one value, or several with white space between them for a repeatable flag.
    private func values(of option: Option, _ text: String) throws(UsageError) -> [String]? {
        switch option.value {
        case .one, .optional: return [text]
        case .many: return text.split(whereSeparator: \.isWhitespace).map(String.init)
        case .none:
            switch text.lowercased() {
            case "1", "true", "yes", "on": return [""]
            case "0", "false", "no", "off": return nil
            default: throw UsageError("\(option.variable) must be true or false; it is '\(text.escapedForTerminal)'.")
            }
        }
    }

    /// The command's manual.
    public var manual: String {
        var text = "\(summary)\n\nUsage: deeplink-worker \(name)"
        if !options.isEmpty { text += " [FLAGS]" }
        if !operands.isEmpty { text += " \(operands)" }
        text += "\n"
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        guard !options.isEmpty else { return text }
        text += "\nFlags (a flag comes before its environment variable, and that before the default):\n"
        for option in options {
            text += "\n  \(option.usage)\n      \(option.summary)\n"
            var notes: [String] = []
            if let value = option.defaultValue { notes.append("default: \(value)") }
            if option.hasVariable { notes.append("variable: \(option.variable), \(option.variable)_FILE") }
            if !notes.isEmpty { text += "      \(notes.joined(separator: "; "))\n" }
        }
        return text + "\n  --help\n      Shows this text.\n"
    }
}

extension String {
    /// The text without control characters, so that it cannot steer a terminal.
    public var escapedForTerminal: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    fileprivate var trimmingWhitespace: String {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
