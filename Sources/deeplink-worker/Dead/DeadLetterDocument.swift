import AMQP
import Activities
import DeadLetters
import Foundation

/// A dead letter with everything that it has.
struct DeadLetterDocument {
    let letter: DeadLetter

    private var bodyText: String? { letter.body.flatMap { String(validating: $0, as: UTF8.self) } }

    /// The document for people.
    var lines: [String] {
        var lines = ["position          \(letter.position)"]
        func line(_ name: String, _ text: String?) {
            guard let text else { return }
            lines.append(name + String(repeating: " ", count: max(2, 18 - name.count)) + text)
        }
        let properties = letter.properties
        line("reason", letter.reason)
        line("detail", letter.detail)
        line("source queue", letter.sourceQueue)
        line("time", letter.timeText)
        line("message_id", properties.messageID)
        line("correlation_id", properties.correlationID)
        line("reply_to", properties.replyTo)
        line("app_id", properties.appID)
        line("content_type", properties.contentType)
        line("content_encoding", properties.contentEncoding)
        line("type", properties.type)
        line("timestamp", properties.timestamp.map { String($0) })
        line("expiration", properties.expiration)
        line("priority", properties.priority.map { String($0) })
        line("user_id", properties.userID)
        line("cluster_id", properties.clusterID)
        line("delivery_mode", properties.deliveryMode.map { $0 == 2 ? "2 (persistent)" : "\($0)" })
        for header in properties.headers {
            var writer = JSONWriter()
            header.value.write(to: &writer)
            lines.append("header \(header.name): \(String(decoding: writer.bytes, as: UTF8.self))")
        }
        lines += ["body, \(letter.bodyByteCount) bytes:", ""]
        if let bodyText {
            lines += bodyText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        } else if let body = letter.body {
            lines += ["(not UTF-8; in base64)", Data(body).base64EncodedString()]
        } else {
            lines.append("(over 16 MiB, which is not held)")
        }
        return lines
    }

    /// Writes the document as JSON, the keys sorted; what is absent is left out.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let bodyText {
            writer.member("body", bodyText)
        } else if let body = letter.body {
            writer.member("bodyBase64", Data(body).base64EncodedString())
        }
        writer.key("bytes" as StaticString)
        writer.integer(letter.bodyByteCount)
        writer.key("deliveryCount" as StaticString)
        writer.unsigned(letter.deliveryCount)
        writer.member("detail", letter.detail)
        writer.key("headers" as StaticString)
        writer.beginObject()
        for header in letter.properties.headers {
            writer.key(header.name)
            header.value.write(to: &writer)
        }
        writer.endObject()
        writer.key("position" as StaticString)
        writer.integer(letter.position)
        writeProperties(to: &writer)
        writer.member("reason", letter.reason)
        writer.member("sourceQueue", letter.sourceQueue)
        writer.member("time", letter.timeText)
        writer.endObject()
    }

    /// The properties under their names in AMQP.
    private func writeProperties(to writer: inout JSONWriter) {
        let properties = letter.properties
        writer.key("properties" as StaticString)
        writer.beginObject()
        writer.member("app_id", properties.appID)
        writer.member("cluster_id", properties.clusterID)
        writer.member("content_encoding", properties.contentEncoding)
        writer.member("content_type", properties.contentType)
        writer.member("correlation_id", properties.correlationID)
        if let mode = properties.deliveryMode {
            writer.key("delivery_mode" as StaticString)
            writer.integer(Int(mode))
        }
        writer.member("expiration", properties.expiration)
        writer.member("message_id", properties.messageID)
        if let priority = properties.priority {
            writer.key("priority" as StaticString)
            writer.integer(Int(priority))
        }
        writer.member("reply_to", properties.replyTo)
        if let timestamp = properties.timestamp {
            writer.key("timestamp" as StaticString)
            writer.unsigned(timestamp)
        }
        writer.member("type", properties.type)
        writer.member("user_id", properties.userID)
        writer.endObject()
    }
}
