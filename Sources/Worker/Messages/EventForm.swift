internal import AMQP
internal import Activities

/// How a request's message carries its activity; the answer is carried in the same way.
enum EventForm: UInt8 {
    /// The body is the activity.
    case none
    /// The body is a CloudEvent.
    case structured
    /// The body is the activity, and headers `cloudEvents_NAME` make it a CloudEvent.
    case binary
    /// The same, with headers `cloudEvents:NAME`.
    case binaryWithColon

    private static let structuredType = Array(CloudEventAnswer.structuredContentType.utf8)
    /// How long that is at least; nearly every content type is shorter.
    private static let structuredByteCount = 28

    /// The form of a message, by its content type, else by its headers.
    init(of message: ReceivedMessage) {
        if message.contentType.count >= Self.structuredByteCount,
            MediaType.equals(message.bytes[message.contentType.indices], Self.structuredType)
        {
            self = .structured
        } else if message.hasEventHeaders, let header = message.eventHeaders.first {
            self = header.separator == UInt8(ascii: ":") ? .binaryWithColon : .binary
        } else {
            self = .none
        }
    }

    /// What stands in the names of headers between the prefix and the attribute; nil where there are no headers.
    var separator: UInt8? {
        switch self {
        case .none, .structured: nil
        case .binary: UInt8(ascii: "_")
        case .binaryWithColon: UInt8(ascii: ":")
        }
    }
}

extension CloudEvent {
    /// Reads the event of a message in the binary mode; its body is the data.
    convenience init(headersOf message: ReceivedMessage) throws(ActivityError) {
        try self.init { name in
            let header = message.eventHeaders.first { message.bytes[$0.name.indices].elementsEqual(name.utf8) }
            return header.map { message.text($0.text) }
        }
    }
}

extension AnswerWriter {
    /// Makes a filled answer a CloudEvent where the request is one, in its form; `body` is the command, as JSON.
    func makeEvent(
        _ answer: inout OutgoingMessage, _ body: inout [UInt8], as form: EventForm, answering event: CloudEvent?
    ) {
        guard form != .none else { return }
        let attributes = CloudEventAnswer(
            id: answer.string(answer.messageID), source: eventSource, time: WallClock.text(Double(time)),
            answering: event)
        if let separator = form.separator {
            for (name, text) in attributes.attributes {
                answer.addHeader(EventHeader.name(name, separator: separator), text)
            }
        } else {
            answer.contentType = answer.text(CloudEventAnswer.structuredContentType)
            body = attributes.structured(data: body)
        }
    }

    /// The source of answers that are events: `/deeplink-worker/` and the input queue, as a path of a URI.
    static func eventSource(queue: String) -> String {
        var source = "/deeplink-worker/"
        for byte in queue.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic && scalar.isASCII || (0x30...0x39).contains(byte)
                || "-._~".utf8.contains(byte)
            {
                source.unicodeScalars.append(scalar)
            } else {
                source += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return source
    }
}
