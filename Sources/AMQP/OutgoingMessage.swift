/// A message to be published to the default exchange, that is, straight to a queue.
///
/// One value is filled again and again; its texts lie in one buffer.
public struct OutgoingMessage: Sendable {
    var bytes: [UInt8] = []
    /// The queue's name.
    public var routingKey = ByteRange.absent
    /// `content_type`.
    public var contentType = ByteRange.absent
    /// `correlation_id`.
    public var correlationID = ByteRange.absent
    /// `reply_to`.
    public var replyTo = ByteRange.absent
    /// `message_id`.
    public var messageID = ByteRange.absent
    /// `type`.
    public var type = ByteRange.absent
    /// `app_id`.
    public var appID = ByteRange.absent
    /// The header `traceparent`.
    public var traceParent = ByteRange.absent
    /// The header `tracestate`.
    public var traceState = ByteRange.absent
    /// Further headers, by name and text.
    private(set) var headers: [(name: ByteRange, text: ByteRange)] = []
    /// `timestamp`, in seconds since 1970.
    public var timestamp: UInt64?
    /// Whether the broker shall return the message when there is no such queue.
    public var isMandatory = true
    /// Whether the message survives a restart of the broker.
    public var isPersistent = true

    private var constantByteCount = 0

    /// Makes an empty message.
    public init() {}

    /// Takes a text over that stays when the message is reset; only before anything else is taken over.
    public mutating func constant(_ text: String) -> ByteRange {
        precondition(bytes.count == constantByteCount, "constants come first")
        let range = append(text.utf8)
        constantByteCount = bytes.count
        return range
    }

    /// Forgets everything but the storage and the constants.
    public mutating func reset() {
        bytes.removeLast(bytes.count - constantByteCount)
        routingKey = .absent
        contentType = .absent
        correlationID = .absent
        replyTo = .absent
        messageID = .absent
        type = .absent
        appID = .absent
        traceParent = .absent
        traceState = .absent
        if !headers.isEmpty { headers.removeAll(keepingCapacity: true) }
        timestamp = nil
        isMandatory = true
        isPersistent = true
    }

    /// Takes text over, to be assigned to a property.
    public mutating func text(_ text: String) -> ByteRange { text.utf8.count == 0 ? .absent : append(text.utf8) }

    /// Takes text over that is in a message that came.
    public mutating func text(_ range: ByteRange, of message: ReceivedMessage) -> ByteRange {
        guard !range.isEmpty else { return .absent }
        let start = bytes.count
        append(range, of: message)
        return ByteRange(start: start, count: range.count)
    }

    /// Takes two texts over as one.
    public mutating func text(
        _ prefix: StaticString, _ range: ByteRange, of message: ReceivedMessage
    ) -> ByteRange {
        let start = bytes.count
        prefix.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        append(range, of: message)
        return ByteRange(start: start, count: bytes.count - start)
    }

    private mutating func append(_ range: ByteRange, of message: ReceivedMessage) {
        unsafe message.bytes.withUnsafeBufferPointer { source in
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[range.indices]))
        }
    }

    /// Adds a header with text; at most `headerCountMax` are kept.
    public mutating func addHeader(_ name: [UInt8], _ text: String) {
        guard headers.count < Self.headerCountMax else { return }
        headers.append((append(name), append(text.utf8)))
    }

    /// How many headers may be added.
    public static let headerCountMax = 8

    /// Text that was taken over, with invalid UTF-8 repaired.
    public func string(_ range: ByteRange) -> String { String(decoding: bytes[range.indices], as: UTF8.self) }

    /// Whether `message_id` is these bytes, which may be none.
    public func hasMessageID(_ id: [UInt8]) -> Bool { bytes[messageID.indices].elementsEqual(id) }

    /// Takes bytes over.
    public mutating func append(_ text: some Collection<UInt8>) -> ByteRange {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return ByteRange(start: start, count: bytes.count - start)
    }
}
