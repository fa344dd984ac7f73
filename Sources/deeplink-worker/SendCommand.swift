import AMQP
import Arguments

/// `send`: a request/reply client, for trying.
enum SendCommand {
    static let command = Command(
        name: "send", summary: "Sends activities to a worker and prints their answers.",
        operands: "[ACTIVITY ...]",
        options: [
            Flags.amqpURL, Flags.queue,
            Option(
                "activities", .many("FILE"), hasVariable: false,
                summary: "A file with one activity a line; '-' is standard input."),
            Option(
                "timeout", .one("TIME"), default: "30s", hasVariable: false, summary: "How long an answer may take."),
            Option(
                "direct", hasVariable: false,
                summary: "Takes the answers by RabbitMQ's direct reply-to instead of a queue of its own."),
        ],
        discussion: """
            Takes activities as arguments, from files, or from standard input, and prints one answer a line, in the order
            of the activities. An activity without an answer is told on standard error, and the exit status is then 69.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let urls = try arguments.brokerURLs()
        let timeout = try arguments.duration("timeout")
        var requests = Requests(arguments.operands, files: arguments.texts("activities"))
        var answers = Answers()
        do throws(AMQPError) {
            let client = try RequestClient(
                urls: urls, queue: arguments.text("queue") ?? "",
                replyMode: arguments.flag("direct") ? .direct : .exclusiveQueue, timeout: timeout)
            try client.send({ requests.next() }, report: { answers.take($0, $1) })
        } catch {
            throw CommandFailure(error)
        }
        if let failure = requests.failure ?? answers.failure { throw failure }
        try answers.finish()
        return answers.areComplete ? .ok : .unavailable
    }
}

/// The bodies to send: arguments first, then the lines of files.
private struct Requests {
    private var arguments: ArraySlice<String>
    private var lines: InputLines?
    private(set) var failure: CommandFailure?

    init(_ arguments: [String], files: [String]) {
        self.arguments = arguments[...]
        lines = arguments.isEmpty || !files.isEmpty ? InputLines(paths: files) : nil
    }

    mutating func next() -> [UInt8]? {
        if let argument = arguments.popFirst() { return Array(argument.utf8) }
        var line: [UInt8] = []
        do throws(CommandFailure) {
            return try lines?.next(into: &line) == true ? line : nil
        } catch {
            failure = error
            return nil
        }
    }
}

/// The answers as they are printed.
private struct Answers {
    private var output = Output()
    private(set) var areComplete = true
    private(set) var failure: CommandFailure?

    mutating func take(_ index: Int, _ outcome: RequestClient.Outcome) {
        let problem: String
        switch outcome {
        case .answer(let body):
            do throws(CommandFailure) { try output.line(body) } catch { failure = failure ?? error }
            return
        case .unroutable: problem = "the broker has no such queue; is the worker's queue another? (--queue)"
        case .refused: problem = "the broker did not take it"
        case .timeout: problem = "no answer came in time; does a worker run?"
        }
        areComplete = false
        Output.message("activity \(index + 1): \(problem)")
    }

    mutating func finish() throws(CommandFailure) { try output.flush() }
}
