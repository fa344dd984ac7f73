import AMQP
import Activities
import Arguments
import DeadLetters

/// A replay or a purge, with its report.
struct DeadMove {
    let queue: DeadQueue
    let filter: DeadLetterFilter
    let limit: Int
    let wish: Interruption.Wish

    /// Moves dead letters to a queue, or removes them where `target` is nil, and tells how it went.
    func run(to target: String?, asJSON: Bool) throws -> ExitStatus {
        let reader = try queue.reader()
        var progress = ProgressLine()
        let report = try queue.asking { () throws(AMQPError) in
            let mover = try DeadLetterMover(queue.urls, reader: reader, to: target, filter: filter, limit: limit)
            return try mover.run(
                progress: { progress.show("\($0) of \(reader.messageCount) messages") },
                isInterrupted: { wish.isThere })
        }
        progress.clear()
        try tell(report, of: reader.messageCount, target, asJSON: asJSON)
        return report.problem == nil ? .ok : .unavailable
    }

    private func tell(
        _ report: DeadLetterMover.Report, of messageCount: Int, _ target: String?, asJSON: Bool
    ) throws {
        var output = Output()
        if asJSON {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("considered" as StaticString)
            writer.integer(report.considered)
            writer.key("matched" as StaticString)
            writer.integer(report.matched)
            writer.key("messages" as StaticString)
            writer.integer(messageCount)
            writer.key((target == nil ? "removed" : "replayed") as StaticString)
            writer.integer(report.moved)
            writer.member("problem", report.problem)
            writer.member("to", target)
            writer.endObject()
            writer.endLine()
            try output.write(&writer)
        } else {
            let done = target.map { "replayed to \($0)" } ?? "removed"
            try output.line("\(report.moved) of \(messageCount) messages \(done)".escapedForTerminal)
        }
        try output.flush()
        if report.matched == 0 { DeadQueue.hint(filter) }
        guard let problem = report.problem else { return }
        let undone = target == nil ? "removed" : "replayed"
        Output.message("It ended early: \(problem). What was not \(undone) stays, in its order.")
    }
}
