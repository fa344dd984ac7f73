import AMQP
import Activities
import Arguments
import DeadLetters

/// `dead show`: one dead letter with everything that it has.
enum DeadShowCommand {
    static let command = Command(
        name: "dead show", summary: "Shows one dead letter: its reason, properties, headers and body.",
        operands: "POSITION|MESSAGE_ID",
        options: DeadFlags.options + [
            Option(
                "message-id", .one("ID"), hasVariable: false,
                summary: "The message's message_id, where it could be taken for a position."),
            Option("body", hasVariable: false, summary: "Writes only the body, byte for byte."),
            Flags.json,
        ],
        discussion: """
            POSITION is the number that 'dead list' shows, 1 for the first. Of several messages with one message_id the
            first is shown. Control characters are escaped; --body writes the bytes as they are. The exit status is 65 when
            there is no such message.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let wanted = try Wanted(arguments)
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        return try DeepStack.run { [wish = interruption.wish] in
            let queue = try DeadQueue(arguments)
            guard let letter = try find(wanted, in: queue, wish) else {
                throw CommandFailure(.data, "The queue \(queue.name) has no message \(wanted.description).")
            }
            try show(letter, arguments)
            return .ok
        }
    }

    /// Which message is wanted.
    private enum Wanted {
        case position(Int)
        case messageID(String)

        init(_ arguments: ParsedArguments) throws {
            switch (arguments.operands.count, arguments.text("message-id")) {
            case (0, let id?): self = .messageID(id)
            case (1, nil):
                let operand = arguments.operands[0]
                if operand.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !operand.isEmpty {
                    guard let position = Int(operand), position > 0 else {
                        throw UsageError("Positions count from 1; '\(operand)' is none.")
                    }
                    self = .position(position)
                } else {
                    self = .messageID(operand)
                }
            default: throw UsageError("'dead show' takes one POSITION or MESSAGE_ID, or --message-id ID.")
            }
        }

        var description: String {
            switch self {
            case .position(let position): "at position \(position)"
            case .messageID(let id): "with the message_id '\(id)'"
            }
        }
    }

    private static func find(_ wanted: Wanted, in queue: DeadQueue, _ wish: Interruption.Wish) throws -> DeadLetter? {
        let reader = try queue.reader()
        return try queue.asking { () throws(AMQPError) in
            var found: DeadLetter?
            while found == nil, try reader.next(isInterrupted: { wish.isThere }) {
                let isWanted =
                    switch wanted {
                    case .position(let position): reader.readCount == position
                    case .messageID(let id): reader.message.text(reader.message.messageID) == id
                    }
                if isWanted { found = DeadLetter(reader.message, position: reader.readCount, withBody: true) }
            }
            try reader.end()
            return found
        }
    }

    private static func show(_ letter: DeadLetter, _ arguments: ParsedArguments) throws {
        var output = Output()
        if arguments.flag("body") {
            guard let body = letter.body else {
                throw CommandFailure(.data, "The body is over 16 MiB, which is not held.")
            }
            try output.write(body)
        } else if arguments.flag("json") {
            var writer = JSONWriter()
            DeadLetterDocument(letter: letter).write(to: &writer)
            writer.endLine()
            try output.write(&writer)
        } else {
            for line in DeadLetterDocument(letter: letter).lines { try output.line(line.escapedForTerminal) }
        }
        try output.flush()
    }
}
