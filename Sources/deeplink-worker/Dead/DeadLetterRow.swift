import AMQP
import Activities
import Arguments
import DeadLetters

/// A dead letter as one line.
struct DeadLetterRow {
    let letter: DeadLetter

    /// The line for people; `width` is that of the largest position.
    func text(width: Int) -> String {
        let position = String(letter.position)
        let padding = String(repeating: " ", count: max(0, width - position.count))
        var line = "\(padding)\(position)  \(letter.timeText ?? Self.nothing)  \(letter.reason ?? "(no reason)")"
        line += "  \(letter.bodyByteCount) bytes"
        if let source = letter.sourceQueue { line += "  from \(source)" }
        if let id = letter.properties.messageID { line += "  id \(id)" }
        if let id = letter.properties.correlationID, letter.properties.messageID == nil {
            line += "  correlation \(id)"
        }
        if let app = letter.properties.appID { line += "  app \(app)" }
        if let detail = letter.detail { line += "  \(detail)" }
        return line.escapedForTerminal
    }

    /// As long as a time.
    private static let nothing = "(no time)           "

    /// Writes the line as JSON, the keys sorted; what is absent is left out.
    func write(to writer: inout JSONWriter) {
        let properties = letter.properties
        writer.beginObject()
        writer.member("appID", properties.appID)
        writer.key("bytes" as StaticString)
        writer.integer(letter.bodyByteCount)
        writer.member("correlationID", properties.correlationID)
        writer.key("deliveryCount" as StaticString)
        writer.unsigned(letter.deliveryCount)
        writer.member("detail", letter.detail)
        writer.member("messageID", properties.messageID)
        writer.key("position" as StaticString)
        writer.integer(letter.position)
        writer.member("reason", letter.reason)
        writer.member("replyTo", properties.replyTo)
        writer.member("sourceQueue", letter.sourceQueue)
        writer.member("time", letter.timeText)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes a member with text, unless there is none.
    mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }
}
