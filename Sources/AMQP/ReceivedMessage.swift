internal import Glibc

/// A message as it came: its properties and its body, copied out of the library's buffers.
///
/// It is filled again and again: who keeps a message gives the connection another one for it.
public final class ReceivedMessage {
    /// The largest body that is held; a larger one is read and thrown away.
    public static let bodyByteCountMax = 16 << 20

    /// So many bytes lie behind the body, for parsers that read ahead.
    static let paddingByteCount = 64

    /// The encoded properties, then the body, then at least 64 bytes that say nothing.
    public internal(set) var bytes: [UInt8] = []
    /// Where the encoded properties are.
    var encodedProperties = ByteRange.absent
    /// Where the body is.
    public internal(set) var body = ByteRange.absent
    /// The size of the body as the sender gave it.
    public internal(set) var bodyByteCount: UInt64 = 0
    /// `content_type`.
    public internal(set) var contentType = ByteRange.absent
    /// `content_encoding`.
    public internal(set) var contentEncoding = ByteRange.absent
    /// `reply_to`.
    public internal(set) var replyTo = ByteRange.absent
    /// `correlation_id`.
    public internal(set) var correlationID = ByteRange.absent
    /// `message_id`.
    public internal(set) var messageID = ByteRange.absent
    /// `app_id`.
    public internal(set) var appID = ByteRange.absent
    /// `type`.
    public internal(set) var type = ByteRange.absent
    /// The header `traceparent`, where it is text.
    public internal(set) var traceParent = ByteRange.absent
    /// The header `tracestate`, where it is text.
    public internal(set) var traceState = ByteRange.absent
    /// The attributes of a CloudEvent in the binary mode: the headers `cloudEvents_NAME` and `cloudEvents:NAME`.
    public internal(set) var eventHeaders: [EventHeader] = []
    /// Whether there are any of those.
    public var hasEventHeaders: Bool { !eventHeaders.isEmpty }
    /// `timestamp`, in seconds since 1970.
    public internal(set) var timestamp: UInt64?
    /// How often a quorum queue has delivered the message before; 0 where it does not say.
    public internal(set) var deliveryCount: UInt64 = 0
    /// Where a returned message was meant to go.
    public internal(set) var returnedRoutingKey = ByteRange.absent

    /// Makes an empty message.
    public init() {}

    /// Whether the body was too large to be held.
    public var isBodyDiscarded: Bool { bodyByteCount > UInt64(Self.bodyByteCountMax) }

    /// The bytes that the message holds on to.
    public var heldByteCount: Int { body.indices.upperBound + Self.paddingByteCount }

    /// Text at a place, with invalid UTF-8 repaired.
    public func text(_ range: ByteRange) -> String {
        String(decoding: bytes[range.indices], as: UTF8.self)
    }

    /// Whether `message_id` is these bytes, which may be none.
    public func hasMessageID(_ id: [UInt8]) -> Bool { bytes[messageID.indices].elementsEqual(id) }

    /// Gives up the storage, which is otherwise used again.
    public func dropStorage() { bytes = [] }

    /// Whether text at a place is the one given.
    public func text(_ range: ByteRange, equals text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return text.utf8CodeUnitCount == 0 }
            return unsafe memcmp(start + range.indices.lowerBound, text.utf8Start, range.count) == 0
        }
    }

    func reset() {
        bytes.removeAll(keepingCapacity: true)
        forgetProperties()
    }

    /// Forgets everything but the bytes.
    func forgetProperties() {
        encodedProperties = .absent
        body = .absent
        bodyByteCount = 0
        contentType = .absent
        contentEncoding = .absent
        replyTo = .absent
        correlationID = .absent
        messageID = .absent
        appID = .absent
        type = .absent
        traceParent = .absent
        traceState = .absent
        if !eventHeaders.isEmpty { eventHeaders.removeAll(keepingCapacity: true) }
        timestamp = nil
        deliveryCount = 0
        returnedRoutingKey = .absent
    }
}
