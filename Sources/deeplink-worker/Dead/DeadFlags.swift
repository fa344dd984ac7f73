import AMQP
import Arguments
import DeadLetters

/// What the commands about dead letters share.
enum DeadFlags {
    static let deadQueue = Option(
        "dead-queue", .one("NAME"), default: "deeplink.dead", summary: "The queue of dead letters.")
    static let allowCounting = Option(
        "allow-counting", hasVariable: false,
        summary: "Looks also where the queue's delivery limit is low or unknown; each look counts as a delivery.")
    static let filter = Option(
        "where", .many("CONDITION"), hasVariable: false,
        summary:
            "Only messages with, for example, reason=replyUnroutable; give it several times to ask for all of them.")
    static let dryRun = Option("dry-run", hasVariable: false, summary: "Prints the messages and changes nothing.")
    static let options = [Flags.amqpURL, deadQueue, allowCounting]

    static func limit(_ summary: String) -> Option {
        Option("limit", .one("COUNT"), hasVariable: false, summary: summary)
    }

    static let conditions = """
        Conditions are FIELD=VALUE or FIELD!=VALUE, where * in the value is any text; the fields are reason, detail,
        source-queue, time, message-id, correlation-id, app-id, reply-to, content-type, type and header.NAME. A time is
        also compared: time>=2026-01-31, time<2026-01-31T12:00:00Z.
        """
}

extension ParsedArguments {
    /// The conditions.
    func filter() throws -> DeadLetterFilter {
        do throws(DeadLetterFilter.Problem) { return try DeadLetterFilter(texts("where")) } catch {
            throw UsageError(error.description)
        }
    }

    /// The limit; `Int.max` where none is given.
    func limit() throws(UsageError) -> Int {
        text("limit") == nil ? .max : try count("limit", in: 1...1_000_000_000)
    }
}
