internal import AMQP
internal import Activities

/// Fills in an answer's AMQP properties, by the contract's section on output.
struct AnswerWriter {
    /// A message_id of at most this size is repeated in the answer's; a longer one would not fit behind the prefix.
    static let repeatedIDByteCountMax = 250

    /// What is the same in answers; nil where the reply queue has a name that cannot be.
    let form: ReplyForm?
    private let replyQueue: ByteRange
    private let contentType: ByteRange
    private let type: ByteRange
    /// The source of answers that are CloudEvents.
    let eventSource: String
    /// Seconds since 1970.
    var time: UInt64 = 0

    /// Prepares `answer`, the message that is filled again and again, with what is the same in all answers.
    init(replyQueue: String, eventSource: String, preparing answer: inout OutgoingMessage) {
        let (json, command) = ("application/json", "navigation-command")
        form = ReplyForm(queue: replyQueue, contentType: json, type: command, messageIDPrefix: "re:")
        self.replyQueue = answer.constant(replyQueue)
        contentType = answer.constant(json)
        type = answer.constant(command)
        self.eventSource = eventSource
    }

    /// The answer to a request as a reply that can be published by `form`; nil where it has to be filled as a message.
    func reply(to message: ReceivedMessage, route: ReplyRoute) -> Reply? {
        guard route == .standard || route == .named, message.traceParent.isEmpty,
            message.messageID.count <= Self.repeatedIDByteCountMax
        else { return nil }
        var reply = Reply(
            correlationID: message.correlationID.isEmpty ? message.messageID : message.correlationID,
            messageID: message.messageID, appID: message.appID, timestamp: time)
        if route == .named { reply.queue = message.replyTo }
        return reply
    }

    /// Fills `answer`, which was prepared, for the request `message`.
    func fill(_ answer: inout OutgoingMessage, for message: ReceivedMessage, route: ReplyRoute) {
        answer.reset()
        answer.routingKey =
            route == .standard ? replyQueue : answer.text(message.replyTo, of: message)
        answer.contentType = contentType
        answer.type = type
        let correlation = message.correlationID.isEmpty ? message.messageID : message.correlationID
        answer.correlationID = answer.text(correlation, of: message)
        answer.messageID = Self.messageID(&answer, for: message)
        answer.appID = answer.text(message.appID, of: message)
        answer.timestamp = time
        answer.isMandatory = route != .direct
        answer.isPersistent = route != .direct
        if !message.traceParent.isEmpty, TraceContext.isParent(message.bytes[message.traceParent.indices]) {
            answer.traceParent = answer.text(message.traceParent, of: message)
            if TraceContext.isState(message.bytes[message.traceState.indices]) {
                answer.traceState = answer.text(message.traceState, of: message)
            }
        }
    }

    /// `re:` and the request's message_id, or `re:` and a hash that a redelivered request has again.
    static func messageID(_ answer: inout OutgoingMessage, for message: ReceivedMessage) -> ByteRange {
        if !message.messageID.isEmpty, message.messageID.count <= repeatedIDByteCountMax {
            return answer.text("re:", message.messageID, of: message)
        }
        return answer.append("re:".utf8 + hash(of: message))
    }

    /// The hash of a message_id that is too long, or of what tells requests without one apart.
    static func hash(of message: ReceivedMessage) -> [UInt8] {
        var hash = MessageHash()
        let kept = message.bytes
        let bytes = kept.span
        guard message.messageID.isEmpty else {
            hash.add(bytes.extracting(message.messageID.indices))
            return hash.digits()
        }
        hash.add(bytes.extracting(message.correlationID.indices))
        hash.add(bytes.extracting(message.replyTo.indices))
        hash.add(bytes.extracting(message.appID.indices))
        hash.add(message.timestamp ?? .max)
        hash.add(bytes.extracting(message.body.indices))
        return hash.digits()
    }

    /// The answer to a rejected request.
    static func rejection(_ detail: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("handled" as StaticString)
        writer.boolean(false)
        writer.key("message" as StaticString)
        writer.string(detail)
        writer.key("reason" as StaticString)
        writer.string("malformedMessage")
        writer.endObject()
        return writer.bytes
    }
}
