import AMQP
import Activities

/// What the comparison of a queue with its declaration has shown, and what to do.
struct QueueFinding {
    let queue: QueueDeclaration
    let comparison: QueueComparison

    var isEqual: Bool { comparison == .equal }

    /// What to do; nil where all is well.
    var remedy: String? {
        switch comparison {
        case .equal: nil
        case .missing: "declare it: deeplink-worker topology declare (or run the worker without --no-declare)"
        case .different:
            "a queue's arguments cannot be changed: empty it and delete it (rabbitmqctl delete_queue \(queue.name) "
                + "--if-empty), then deeplink-worker topology declare; or keep it, give it the missing properties by a "
                + "policy, and run with --no-declare"
        }
    }

    /// The finding as text: a line for the queue, then one for each difference, then the remedy.
    var lines: [String] {
        var lines: [String] = []
        switch comparison {
        case .equal: lines.append("\(queue.name): as declared")
        case .missing: lines.append("\(queue.name): missing")
        case .different(let differences, let isComplete):
            lines.append("\(queue.name): differs")
            for difference in differences {
                let wanted = Self.text(difference.wanted), current = Self.text(difference.current)
                lines.append("  \(difference.name) is \(current), wanted is \(wanted): \(Self.effect(of: difference))")
            }
            if !isComplete { lines.append("  its other arguments cannot be compared") }
        }
        if let remedy { lines.append("  remedy: \(remedy)") }
        return lines
    }

    /// Writes the finding as JSON.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if case .different(let differences, let isComplete) = comparison {
            writer.key("complete" as StaticString)
            writer.boolean(isComplete)
            writer.key("differences" as StaticString)
            writer.beginArray()
            for difference in differences {
                writer.beginObject()
                writer.key("argument" as StaticString)
                writer.string(difference.name)
                writer.key("current" as StaticString)
                writer.write(difference.current)
                writer.key("effect" as StaticString)
                writer.string(Self.effect(of: difference))
                writer.key("wanted" as StaticString)
                writer.write(difference.wanted)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.key("name" as StaticString)
        writer.string(queue.name)
        if let remedy {
            writer.key("remedy" as StaticString)
            writer.string(remedy)
        }
        writer.key("state" as StaticString)
        switch comparison {
        case .equal: writer.string("equal")
        case .missing: writer.string("missing")
        case .different: writer.string("different")
        }
        writer.endObject()
    }

    private static func text(_ value: QueueDeclaration.Value?) -> String { value?.description ?? "not set" }

    /// What a difference means for the work.
    private static func effect(of difference: QueueDifference) -> String {
        switch difference.name {
        case "x-queue-type": "only quorum queues are replicated and have a delivery limit"
        case "x-delivery-limit":
            "how often a message is delivered before it is dropped or dead-lettered; RabbitMQ 4 has 20 by default"
        case "x-dead-letter-exchange", "x-dead-letter-routing-key":
            "where messages go that are rejected or reach the delivery limit; without it they are lost"
        case "x-dead-letter-strategy": "only at-least-once keeps a dead letter until its queue has it"
        case "x-overflow": "only reject-publish tells a publisher that the queue is full"
        case "durable": "a queue that is not durable is lost when the broker restarts"
        case "auto_delete": "the queue is deleted when its last consumer leaves"
        case "exclusive": "another connection owns the queue, and it goes with that connection"
        case "x-message-ttl", "x-expires", "x-max-length", "x-max-length-bytes":
            "messages may be dropped that nobody has seen"
        case "x-single-active-consumer": "of several workers one works"
        default: "not what the worker was tested with"
        }
    }
}
