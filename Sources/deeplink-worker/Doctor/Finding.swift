import Activities

/// One thing that was looked at, how it is, and what to do about it.
struct Finding {
    enum Severity: String {
        case ok, warning, error
    }

    let severity: Severity
    /// What it is about, in one word.
    let area: String
    let message: String
    /// What to do; nil where nothing is to be done.
    let remedy: String?
    /// The exit status of an error.
    let status: ExitStatus

    static func ok(_ area: String, _ message: String) -> Finding {
        Finding(severity: .ok, area: area, message: message, remedy: nil, status: .ok)
    }

    static func warning(_ area: String, _ message: String, _ remedy: String) -> Finding {
        Finding(severity: .warning, area: area, message: message, remedy: remedy, status: .ok)
    }

    static func error(
        _ area: String, _ message: String, _ remedy: String?, status: ExitStatus = .configuration
    ) -> Finding {
        Finding(severity: .error, area: area, message: message, remedy: remedy, status: status)
    }

    /// The finding of a failure, whose message says what to do.
    init(_ area: String, _ failure: CommandFailure) {
        self.init(severity: .error, area: area, message: failure.message, remedy: nil, status: failure.status)
    }

    private init(severity: Severity, area: String, message: String, remedy: String?, status: ExitStatus) {
        self.severity = severity
        self.area = area
        self.message = message
        self.remedy = remedy
        self.status = status
    }

    /// The lines for people.
    var lines: [String] {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let indent = String(repeating: " ", count: 23)
        var lines = message.split(separator: "\n").map { indent + $0 }
        let head = padded(severity.rawValue, 9) + padded(area, 14)
        lines[0] = head + (message.split(separator: "\n").first ?? "")
        if let remedy { lines.append(indent + "remedy: " + remedy) }
        return lines
    }

    /// Writes the finding as JSON, the keys sorted.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("area", area)
        writer.member("message", message)
        writer.member("remedy", remedy)
        writer.member("severity", severity.rawValue)
        writer.endObject()
    }
}
