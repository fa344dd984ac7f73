import AMQP
import Activities
import Arguments
import LoadTest

/// `load`: a load test that checks every answer.
enum LoadCommand {
    static let command = Command(
        name: "load", summary: "Sends requests at a rate, and checks that each gets its answer.",
        options: [
            Flags.amqpURL, Flags.queue,
            Option(
                "rate", .one("NUMBER"), hasVariable: false,
                summary: "Requests a second; without it, as many as are answered."),
            Option("count", .one("NUMBER"), hasVariable: false, summary: "Ends the sending after so many requests."),
            Option(
                "duration", .one("TIME"), hasVariable: false,
                summary: "Ends the sending after so long; 10s where no --count is given either."),
            Option(
                "producers", .one("NUMBER"), default: "1", hasVariable: false,
                summary: "How many producers share the work, each with a thread and a reply queue."),
            Option(
                "activities", .one("FILE"), hasVariable: false,
                summary: "One activity a line, sent one after the other; without it, some of the FamilyMovies example."),
            Option(
                "in-flight", .one("NUMBER"), default: "1000", hasVariable: false,
                summary: "Without --rate: how many requests of a producer are unanswered at most."),
            Option(
                "timeout", .one("TIME"), default: "30s", hasVariable: false,
                summary: "How long to wait for a further answer once all is sent."),
            Option(
                "reply-mode", .one("MODE"), default: "durable", hasVariable: false,
                completion: .choices(of: LoadSettings.ReplyMode.self),
                summary: "The reply queue: durable survives a restart of the broker, exclusive is less work for it."),
            Option("progress", hasVariable: false, summary: "Shows the live line also elsewhere than on a terminal."),
            Option("plot", .one("FILE"), hasVariable: false, summary: "Draws throughput and latency, as SVG."),
            Flags.json,
        ],
        discussion: """
            Each request has an id of its own; an answer must repeat it. With --rate, requests are due at fixed times,
            whatever becomes of the earlier ones, and latency counts from the time that a request was due: a stall is
            seen by all that it held up. A lost connection is opened again, and what was unconfirmed is sent again under
            the same ids. Ctrl-C ends the sending; the report comes when what was sent is answered.

            Exit statuses: 0 when every request was answered and nothing unexpected came (duplicates are allowed: delivery
            is at least once), 69 when answers are missing, 65 when something came that answers nothing.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let settings = try settings(arguments)
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        var progress = ProgressLine(isWanted: arguments.flag("progress"))
        let report: LoadReport
        do throws(AMQPError) {
            let test = try LoadTest(settings)
            report = try test.run {
                let text = LoadText.line($0)
                progress.show(text)
                return !interruption.wish.isThere
            }
        } catch {
            throw CommandFailure(error)
        }
        progress.clear()
        if let problem = report.problem { Output.message("the test ended early: \(problem)") }
        if let path = arguments.text("plot") {
            let title =
                "deeplink-worker load, \(settings.queue)" + (settings.rate.map { ", \(LoadText.number($0))/s" } ?? "")
            try OutputFile.write(Array(LoadPlot(report, title: title).document.utf8), to: path)
        }
        var output = Output()
        if arguments.flag("json") {
            var writer = LoadText.json(report, settings)
            writer.endLine()
            try output.write(&writer)
        } else {
            for line in LoadText.lines(report) { try output.line(line) }
        }
        try output.flush()
        return status(report)
    }

    private static func status(_ report: LoadReport) -> ExitStatus {
        if report.lost > 0 || report.problem != nil { return .unavailable }
        return report.unexpected > 0 ? .data : .ok
    }

    private static func settings(_ arguments: ParsedArguments) throws -> LoadSettings {
        var settings = LoadSettings(urls: try arguments.brokerURLs(), activities: try activities(arguments))
        settings.queue = try arguments.queueName("queue")
        if let text = arguments.text("rate") {
            guard let rate = Double(text), rate.isFinite, rate > 0, rate <= 10_000_000 else {
                throw UsageError("--rate must be a number above 0, such as 5000; it is '\(text.escapedForTerminal)'.")
            }
            settings.rate = rate
        }
        if arguments.text("count") != nil { settings.count = try arguments.count("count", in: 1...1_000_000_000_000) }
        if arguments.text("duration") != nil { settings.duration = try arguments.duration("duration") }
        if settings.count == nil, settings.duration == nil { settings.duration = .seconds(10) }
        settings.producers = try arguments.count("producers", in: 1...64)
        settings.windowMax = try arguments.count("in-flight", in: 1...1_000_000)
        settings.timeout = try arguments.duration("timeout")
        settings.replyMode = try arguments.choice("reply-mode", LoadSettings.ReplyMode.self)
        return settings
    }

    /// The most that a file of activities may have, in bytes.
    private static let activitiesByteCountMax = 256 << 20

    private static func activities(_ arguments: ParsedArguments) throws -> [[UInt8]] {
        guard let path = arguments.text("activities") else { return SampleActivities.bodies }
        var lines = InputLines(paths: [path])
        var bodies: [[UInt8]] = []
        var line: [UInt8] = []
        var byteCount = 0
        while try lines.next(into: &line) {
            guard !line.isEmpty else { continue }
            byteCount += line.count
            guard byteCount <= activitiesByteCountMax else {
                throw CommandFailure(.data, "The file '\(path)' has more than 256 MiB of activities; give it fewer.")
            }
            bodies.append(line)
        }
        guard !bodies.isEmpty else { throw CommandFailure(.data, "The file '\(path)' has no activity.") }
        return bodies
    }
}
