package import AMQP

/// A client of the broker as a test needs it: it publishes requests and collects what comes to a queue.
package final class Peer {
    /// The broker closed the channel or the connection.
    package struct Closed: Error {
        package let reason: CloseReason
    }

    /// A message that came.
    package struct Message {
        package let body: [UInt8]
        package let messageID: String
        package let correlationID: String
        package let contentType: String
        package let deliveryCount: UInt64
        package let raw: ReceivedMessage

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package let connection: Connection
    package private(set) var received: [Message] = []
    package private(set) var returnedCount = 0
    private var confirmedCount = 0
    private var publishedCount = 0

    package init(_ url: AMQPURL? = nil) throws {
        connection = try Connection.open([try url ?? Broker.url()], name: "test peer")
        try connection.selectConfirms()
    }

    /// Publishes a request; `set` fills in properties.
    package func publish(_ body: [UInt8], to queue: String, set: (inout OutgoingMessage) -> Void = { _ in }) throws {
        var message = OutgoingMessage()
        message.routingKey = message.text(queue)
        set(&message)
        try connection.publish(message, body: body.span)
        publishedCount += 1
        if connection.outputByteCount > 1 << 18 { try turn() }
    }

    package func publish(_ body: String, to queue: String, set: (inout OutgoingMessage) -> Void = { _ in }) throws {
        try publish(Array(body.utf8), to: queue, set: set)
    }

    /// Waits until the broker has everything.
    package func confirm() throws {
        try eventually("confirms") {
            try turn()
            return confirmedCount >= publishedCount
        }
    }

    /// Begins to consume a queue; what comes is acknowledged at once.
    package func consume(_ queue: String) throws {
        try connection.consume(queue: queue, prefetch: 0, tag: queue, needsAcknowledging: false)
    }

    /// Collects until `count` messages have come.
    package func await(_ count: Int, within limit: Duration = .seconds(30)) throws {
        try eventually("\(count) messages; there are \(received.count)", within: limit) {
            try turn()
            return received.count >= count
        }
    }

    /// Collects until these messages have come, some perhaps more than once.
    package func await(_ messageIDs: Set<String>, within limit: Duration = .seconds(30)) throws {
        try eventually("\(messageIDs.subtracting(received.map(\.messageID)))", within: limit) {
            try turn()
            return messageIDs.isSubset(of: received.map(\.messageID))
        }
    }

    /// Reads and writes what can be read and written now.
    package func turn() throws {
        try connection.flush(now: .now)
        connection.noteInput(now: .now)
        while let event = try connection.nextEvent() {
            switch event {
            case .delivery: take()
            case .returned: returnedCount += 1
            case .confirmed(let tag, let multiple), .refused(let tag, let multiple):
                confirmedCount = multiple ? Int(tag) : confirmedCount + 1
            case .channelClosed(let reason), .connectionClosed(let reason):
                throw Closed(reason: reason)
            default: break
            }
        }
        try connection.beat(now: .now)
    }

    package func forget() { received = [] }

    private func take() {
        let message = connection.message
        connection.message = ReceivedMessage()
        received.append(
            Message(
                body: Array(message.bytes[message.body.indices]), messageID: message.text(message.messageID),
                correlationID: message.text(message.correlationID), contentType: message.text(message.contentType),
                deliveryCount: message.deliveryCount, raw: message))
    }
}
