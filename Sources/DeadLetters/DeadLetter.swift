public import AMQP
internal import PersistentStore

/// A message of the dead-letter queue as operators see it.
///
/// The worker says in headers why it gave a request up. Of a message that the broker itself dead-lettered, for example
/// because it reached the delivery limit, the broker's own headers tell the reason, the queue and the time.
public struct DeadLetter: Sendable {
    /// The place in the queue, from 1.
    public let position: Int
    /// The properties, with the headers.
    public let properties: MessageProperties
    /// The size of the body.
    public let bodyByteCount: Int
    /// The body; nil where it is too large to be held.
    public let body: [UInt8]?
    /// How often a quorum queue has delivered the message before; 0 where it does not say.
    public let deliveryCount: UInt64

    /// Takes a message over; its body only when `withBody`.
    public init(_ message: borrowing ReceivedMessage, position: Int, withBody: Bool = false) {
        self.position = position
        properties = message.properties()
        bodyByteCount = Int(clamping: message.bodyByteCount)
        deliveryCount = message.deliveryCount
        body = withBody && !message.isBodyDiscarded ? Array(message.bytes[message.body.indices]) : nil
    }

    /// Makes a dead letter of its parts.
    init(position: Int, properties: MessageProperties, body: [UInt8] = []) {
        self.position = position
        self.properties = properties
        bodyByteCount = body.count
        self.body = body
        deliveryCount = 0
    }

    /// Why the message is here: a reason of the worker's, or the broker's (`rejected`, `delivery_limit`, `expired`).
    public var reason: String? { properties.text("deeplink-reason") ?? properties.text("x-first-death-reason") }

    /// The sentence that explains the reason.
    public var detail: String? { properties.text("deeplink-detail") }

    /// The queue where the message was a request.
    public var sourceQueue: String? {
        properties.text("deeplink-source-queue") ?? properties.text("x-first-death-queue")
    }

    /// When the message was given up, in ISO 8601.
    public var timeText: String? {
        if let text = properties.text("deeplink-time") { return text }
        guard let seconds = properties.brokerTime else { return nil }
        return ISO8601.text(seconds: Double(seconds) - Self.referenceSeconds)
    }

    /// When the message was given up, in seconds since 1970.
    public var time: Double? {
        if let text = properties.text("deeplink-time") {
            return ISO8601.seconds(in: text).map { $0 + Self.referenceSeconds }
        }
        return properties.brokerTime.map { Double($0) }
    }

    /// The seconds from 1970 to 2001, from where `ISO8601` counts.
    static let referenceSeconds = 978_307_200.0
}
