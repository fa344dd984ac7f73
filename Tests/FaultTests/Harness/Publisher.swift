import AMQP

/// A connection that publishes requests and says which of them the broker has confirmed.
final class Publisher {
    private let connection: Connection
    private var message = OutgoingMessage()
    private var unconfirmed: [UInt64: String] = [:]
    private var nextTag: UInt64 = 1
    private var lowestTag: UInt64 = 1

    var unconfirmedCount: Int { unconfirmed.count }

    init(_ urls: [String]) throws {
        connection = try Connection.open(urls.map { try AMQPURL($0) }, name: "test publisher")
        try connection.selectConfirms()
    }

    /// Hands a request to the connection.
    func publish(_ request: Request, id: String, to queue: String) throws {
        message.reset()
        message.routingKey = message.text(queue)
        message.messageID = message.text(id)
        message.correlationID = message.text(request.correlationID.isEmpty ? "c-" + id : request.correlationID)
        message.replyTo = message.text(request.replyTo)
        try connection.publish(message, body: request.body.span)
        unconfirmed[nextTag] = id
        nextTag += 1
    }

    /// Reads and writes what can be read and written now; returns the requests that were confirmed.
    ///
    /// A request that the broker refused is in doubt like one whose confirm never came.
    func turn() throws -> [String] {
        try connection.flush(now: .now)
        connection.noteInput(now: .now)
        var confirmed: [String] = []
        while let event = try connection.nextEvent() {
            switch event {
            case .confirmed(let tag, let multiple):
                for tag in (multiple ? min(lowestTag, tag) : tag)...tag {
                    if let id = unconfirmed.removeValue(forKey: tag) { confirmed.append(id) }
                }
                if multiple { lowestTag = tag + 1 }
            case .refused(let tag, let multiple):
                for tag in (multiple ? min(lowestTag, tag) : tag)...tag { unconfirmed[tag] = nil }
            case .channelClosed(let reason), .connectionClosed(let reason):
                throw AMQPError(.closed, reason.description)
            default: break
            }
        }
        try connection.beat(now: .now)
        return confirmed
    }
}
