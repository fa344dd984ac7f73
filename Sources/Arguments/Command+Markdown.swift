extension Command {
    /// The flags as a table in Markdown: the flag, its default, its variable, and what it does.
    public var flagTable: String {
        var lines = ["| flag | default | variable | |", "| --- | --- | --- | --- |"]
        for option in options {
            let cells = [
                "`\(option.usage)`", option.defaultValue.map { "`\($0)`" } ?? "",
                option.hasVariable ? "`\(option.variable)`" : "", option.summary,
            ]
            lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }
}
