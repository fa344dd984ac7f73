import Activities
import LoadTest

/// A load test in words and in JSON.
enum LoadText {
    /// The live line.
    static func line(_ progress: LoadTest.Progress) -> String {
        let rate = progress.seconds > 0 ? Double(progress.answered) / progress.seconds : 0
        var line = "\(Int(progress.seconds)) s  sent \(progress.sent)  answered \(progress.answered)  "
        line += "\(Int(rate))/s  open \(progress.sent - progress.answered)  "
        line += "p50 \(time(progress.p50))  p99 \(time(progress.p99))"
        if progress.duplicate > 0 { line += "  duplicate \(progress.duplicate)" }
        if progress.unexpected > 0 { line += "  unexpected \(progress.unexpected)" }
        if progress.reconnects > 0 { line += "  reconnects \(progress.reconnects)" }
        return line
    }

    /// The report for people.
    static func lines(_ report: LoadReport) -> [String] {
        var lines = [
            "sent          \(report.sent)",
            "answered      \(report.answered), of which \(report.handled) open something",
            "lost          \(report.lost)",
            "duplicate     \(report.duplicate)",
            "unexpected    \(report.unexpected)",
            "out of order  \(report.outOfOrder)",
            "seconds       \(number(report.seconds))",
            "rate          \(number(report.rate)) answers a second",
        ]
        if report.reconnects + report.resent + report.redelivered + report.refused > 0 {
            lines.append(
                "connections   opened again \(report.reconnects) times, \(report.resent) requests sent again, "
                    + "\(report.refused) not taken at first, \(report.redelivered) answers delivered again")
        }
        if report.answered > 0 {
            let quantiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1)]
            lines.append(
                "latency       "
                    + quantiles.map { "\($0.0) \(time(report.latency($0.1) ?? 0))" }.joined(separator: ", "))
        }
        return lines
    }

    /// The report for programs; times are in seconds, the keys are sorted.
    static func json(_ report: LoadReport, _ settings: LoadSettings) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("answered", report.answered)
        writer.member("duplicate", report.duplicate)
        writer.member("handled", report.handled)
        writer.key("latency" as StaticString)
        writer.beginObject()
        writer.member("max", report.latency(1))
        writer.member("p50", report.latency(0.5))
        writer.member("p90", report.latency(0.9))
        writer.member("p99", report.latency(0.99))
        writer.member("p999", report.latency(0.999))
        writer.endObject()
        writer.member("lost", report.lost)
        writer.member("outOfOrder", report.outOfOrder)
        if let problem = report.problem {
            writer.key("problem" as StaticString)
            writer.string(problem)
        }
        writer.member("producers", settings.producers)
        writer.member("rate", report.rate)
        writer.member("reconnects", report.reconnects)
        writer.member("redelivered", report.redelivered)
        writer.member("refused", report.refused)
        writer.member("resent", report.resent)
        writer.member("seconds", report.seconds)
        writer.member("sent", report.sent)
        writer.member("targetRate", settings.rate)
        writer.member("unexpected", report.unexpected)
        writer.endObject()
        return writer
    }

    /// A time in seconds or milliseconds.
    private static func time(_ seconds: Double) -> String {
        seconds >= 1 ? "\(number(seconds)) s" : "\(number(seconds * 1000)) ms"
    }

    /// At most three digits behind the point.
    static func number(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return Int64(exactly: rounded).map(String.init) ?? rounded.description
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ value: Int) {
        key(name)
        integer(value)
    }

    fileprivate mutating func member(_ name: StaticString, _ value: Double?) {
        key(name)
        if let value { number(value) } else { null() }
    }
}
