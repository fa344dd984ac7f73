/// The arguments of one call, read by type.
///
/// Asking for a name that the command does not declare is a mistake of the program and traps.
public struct ParsedArguments: Sendable {
    let command: Command
    let given: [String: [String]]
    /// The name of the command.
    public var commandName: String { command.name }
    /// What follows the flags.
    public let operands: [String]

    private func option(_ name: String) -> Option {
        guard let option = command.options.first(where: { $0.name == name }) else {
            preconditionFailure("'\(command.name)' declares no flag '\(name)'")
        }
        return option
    }

    /// Whether a flag without a value is given.
    public func flag(_ name: String) -> Bool {
        precondition(!option(name).takesValue, "--\(name) takes a value")
        return given[name] != nil
    }

    /// The text of a flag, its variable or its default.
    public func text(_ name: String) -> String? {
        given[name]?.last ?? option(name).defaultValue
    }

    /// The text of a flag that must be given.
    public func required(_ name: String) throws(UsageError) -> String {
        let option = option(name)
        guard let text = text(name), !text.isEmpty else {
            let variable = option.hasVariable ? ", or set \(option.variable)" : ""
            throw UsageError("'\(command.name)' needs \(option.usage)\(variable).")
        }
        return text
    }

    /// All texts of a flag that may be given several times.
    public func texts(_ name: String) -> [String] {
        given[name] ?? option(name).defaultValue.map { [$0] } ?? []
    }

    /// A whole number within a range.
    public func count(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        let text = text(name) ?? ""
        guard let number = Int(text), range.contains(number) else {
            throw bad(name, text, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A length of time: `250ms`, `10s`, `5min`, `1h`; a bare number is seconds.
    public func duration(_ name: String) throws(UsageError) -> Duration {
        let text = text(name) ?? ""
        guard let duration = Duration(setting: text) else {
            throw bad(name, text, "a length of time such as 250ms, 10s, 5min or 1h")
        }
        return duration
    }

    /// A size in bytes: `256KiB`, `32MiB`; a bare number is bytes.
    public func byteCount(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
        let text = text(name) ?? ""
        guard let size = Self.byteCount(text), range.contains(size) else {
            throw bad(
                name, text,
                "a size such as 4096, 256KiB or 32MiB, from \(range.lowerBound) to \(range.upperBound) bytes")
        }
        return size
    }

    /// One of several words.
    public func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(UsageError) -> Choice {
        let text = text(name) ?? ""
        guard let choice = Choice(rawValue: text) else {
            throw bad(name, text, "one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    private func bad(_ name: String, _ text: String, _ what: String) -> UsageError {
        UsageError("--\(name) must be \(what); it is '\(text.escapedForTerminal)'.")
    }

    private static func byteCount(_ text: String) -> Int? {
        let (number, unit) = split(text)
        let factors = ["": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
        guard let number = Int(number), number >= 0, let factor = factors[unit] else { return nil }
        let (size, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : size
    }

    fileprivate static func split(_ text: String) -> (number: String, unit: String) {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        return (String(number), text.dropFirst(number.count).drop(while: \.isWhitespace).description)
    }
}

extension Duration {
    /// Reads a setting's text; nil where it is not one, or longer than ten years.
    public init?(setting text: String) {
        let (number, unit) = ParsedArguments.split(text)
        let factors = ["ms": 0.001, "": 1, "s": 1, "min": 60, "h": 3600]
        guard let number = Double(number), number >= 0, let factor = factors[unit] else { return nil }
        let seconds = number * factor
        guard seconds.isFinite, seconds <= 315_360_000 else { return nil }
        self = .milliseconds((seconds * 1000).rounded())
    }
}
