import Activities
import Arguments
import Navigation

/// `resolve`: the worker's resolution without a broker, from lines of activities to lines of commands.
enum ResolveCommand {
    static let command = Command(
        name: "resolve", summary: "Answers activities from files or standard input, without a broker.",
        operands: "[ACTIVITIES.ndjson ...]", completion: .files,
        options: [
            Flags.config, Flags.maxBodyBytes,
            Option(
                "explain", .optional("text"), hasVariable: false, completion: .words(["text"]),
                summary: "Adds how each rule was judged, under the key 'explanation'; with =text in lines for people "
                    + "below each answer."),
        ],
        discussion: """
            Reads one activity a line and writes one navigation command a line, in order: the same bytes that 'run'
            publishes. Without a file, or for '-', standard input is read. A malformed line is answered with the reason
            malformedMessage, and the exit status is then 65.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let file = try ConfigurationFile(arguments.required("config"))
        let byteCountMax = try arguments.byteCount("max-body-bytes", in: Flags.bodyByteCounts)
        let stores = try AppStores(file.configurations)
        for warning in stores.warnings() { Output.message("warning: \(warning)") }
        let batch = LineBatch(
            resolver: try stores.makeResolver(), explanations: try ExplanationForm(arguments.text("explain")),
            byteCountMax: byteCountMax)
        return try batch.run(InputLines(paths: arguments.operands, byteCountMax: byteCountMax))
    }
}

/// How explanations are written.
private enum ExplanationForm {
    case none
    /// A member of the answer.
    case json
    /// Indented lines below the answer.
    case text

    init(_ flag: String?) throws(UsageError) {
        switch flag {
        case nil: self = .none
        case "", "json": self = .json
        case "text": self = .text
        case let other?:
            throw UsageError("--explain takes =text, =json or no value; it has '\(other.escapedForTerminal)'.")
        }
    }
}

/// Resolves lines in batches, and writes their answers in order.
private struct LineBatch: ~Copyable {
    private static let lineCountMax = 256

    private let resolver: AppResolver
    private let patience: StorePatience
    private let explanations: ExplanationForm
    private let byteCountMax: Int
    private let decoder = ActivityDecoder()
    private var output = Output()
    private var writer = JSONWriter()
    /// The malformed lines of the batch: what is wrong with them, by their place among its lines.
    private var malformed: [Int: String] = [:]
    private var activities: [Activity] = []
    private var lineCount = 0
    private var sawMalformed = false

    init(resolver: AppResolver, explanations: ExplanationForm, byteCountMax: Int) {
        self.resolver = resolver
        patience = StorePatience(resolver)
        self.explanations = explanations
        self.byteCountMax = byteCountMax
    }

    consuming func run(_ input: consuming InputLines) throws(CommandFailure) -> ExitStatus {
        var line: [UInt8] = []
        while try input.next(into: &line) {
            take(line)
            if lineCount < Self.lineCountMax, input.hasLineAtHand { continue }
            try answer()
            // Whoever writes the next line may wait for these answers first.
            if !input.hasLineAtHand { try output.flush() }
        }
        try output.flush()
        return sawMalformed ? .data : .ok
    }

    private mutating func take(_ line: [UInt8]) {
        if line.count > byteCountMax {
            malformed[lineCount] = "The body is larger than \(byteCountMax) bytes."
        } else {
            do throws(ActivityError) { activities.append(try decoder.decode(line.span)) } catch {
                malformed[lineCount] = error.description
            }
        }
        lineCount += 1
    }

    /// Writes the answers of the batch, and starts the next one.
    private mutating func answer() throws(CommandFailure) {
        let outcomes = try patience.resolve(activities, explaining: explanations != .none)
        var next = 0
        for place in 0..<lineCount {
            if let message = malformed[place] {
                NavigationCommand.writeMalformed(message: message, to: &writer)
            } else {
                if explanations == .json {
                    outcomes[next].write(to: &writer, explanation: resolver.explanations[next])
                } else {
                    _ = outcomes.write(next, to: &writer)
                }
                next += 1
            }
            writer.endLine()
            if malformed[place] == nil, explanations == .text { try explain(next - 1) }
        }
        try output.write(&writer)
        sawMalformed = sawMalformed || !malformed.isEmpty
        malformed.removeAll(keepingCapacity: true)
        activities.removeAll(keepingCapacity: true)
        lineCount = 0
    }

    /// Writes the explanation of an answer below it.
    private mutating func explain(_ index: Int) throws(CommandFailure) {
        try output.write(&writer)
        for line in resolver.explanations[index].description.split(separator: "\n") {
            try output.line("  " + String(line).escapedForTerminal)
        }
    }
}
