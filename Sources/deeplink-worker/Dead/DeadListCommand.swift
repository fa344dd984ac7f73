import AMQP
import Activities
import Arguments
import DeadLetters

/// `dead list`: the dead letters, a line each.
enum DeadListCommand {
    static let command = Command(
        name: "dead list", summary: "Lists dead letters, a line each, in the queue's order.",
        options: DeadFlags.options + [DeadFlags.filter, DeadFlags.limit("Lists no more than so many."), Flags.json],
        discussion: """
            Looking takes nothing away and changes no order, also when it is interrupted: the messages are held while they
            are read, and given back together. \(DeadFlags.conditions)
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        return try DeepStack.run { [wish = interruption.wish] in
            let filter = try arguments.filter()
            let limit = try arguments.limit()
            let queue = try DeadQueue(arguments)
            var listing = Listing(queue, asJSON: arguments.flag("json"), wish)
            try listing.run(filter: filter, limit: limit)
            return .ok
        }
    }
}

/// The lines of messages that meet conditions.
struct Listing: ~Copyable {
    private let queue: DeadQueue
    private let asJSON: Bool
    private var output = Output()
    private var writer = JSONWriter()
    private var progress = ProgressLine()

    private let wish: Interruption.Wish

    init(_ queue: DeadQueue, asJSON: Bool, _ wish: Interruption.Wish) {
        self.wish = wish
        self.queue = queue
        self.asJSON = asJSON
    }

    /// Prints them, and returns how many there are.
    @discardableResult
    mutating func run(filter: DeadLetterFilter, limit: Int) throws -> Int {
        let reader = try queue.reader()
        let width = String(reader.messageCount).count
        var count = 0
        while count < limit, try next(reader) {
            let letter = DeadLetter(reader.message, position: reader.readCount)
            let (read, all) = (reader.readCount, reader.messageCount)
            progress.show("\(read) of \(all) messages")
            guard filter.matches(letter) else { continue }
            count += 1
            try print(DeadLetterRow(letter: letter), width: width, reader)
        }
        try queue.asking { () throws(AMQPError) in try reader.end() }
        progress.clear()
        try output.flush()
        if count == 0 { DeadQueue.hint(filter) }
        let shown = filter.isEmpty ? "\(count)" : "\(count) matching"
        let rest = wish.isThere ? "; it was interrupted" : reader.isExhausted ? "; another consumer took others" : ""
        Output.message("\(shown) of \(reader.messageCount) messages in \(queue.name)\(rest)")
        return count
    }

    private func next(_ reader: QueueReader) throws -> Bool {
        try queue.asking { () throws(AMQPError) in try reader.next(isInterrupted: { wish.isThere }) }
    }

    private mutating func print(_ row: DeadLetterRow, width: Int, _ reader: QueueReader) throws {
        if asJSON {
            row.write(to: &writer)
            writer.endLine()
            output.append(&writer)
        } else {
            output.append(row.text(width: width))
        }
        guard output.isFull else { return }
        progress.clear()
        // A pager may pause for as long as its reader likes.
        try output.flush { () throws(CommandFailure) in
            try queue.asking { () throws(AMQPError) in try reader.idle() }
        }
    }
}
