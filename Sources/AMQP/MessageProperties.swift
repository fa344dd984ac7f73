internal import CRabbitMQ

/// All properties of a message, for showing them; nil where one is absent.
public struct MessageProperties: Sendable, Hashable {
    /// `content_type`.
    public var contentType: String?
    /// `content_encoding`.
    public var contentEncoding: String?
    /// `delivery_mode`: 1 is transient, 2 persistent.
    public var deliveryMode: UInt8?
    /// `priority`.
    public var priority: UInt8?
    /// `correlation_id`.
    public var correlationID: String?
    /// `reply_to`.
    public var replyTo: String?
    /// `expiration`.
    public var expiration: String?
    /// `message_id`.
    public var messageID: String?
    /// `timestamp`, in seconds since 1970.
    public var timestamp: UInt64?
    /// `type`.
    public var type: String?
    /// `user_id`.
    public var userID: String?
    /// `app_id`.
    public var appID: String?
    /// `cluster_id`.
    public var clusterID: String?
    /// The headers.
    public var headers: [Field] = []

    /// Makes properties that are all absent.
    public init() {}

    /// The text of a header, nil where there is none or it is no text.
    public func text(_ name: String) -> String? {
        guard case .text(let bytes)? = headers.first(where: { $0.name == name })?.value else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ReceivedMessage {
    /// All properties; the headers of hostile messages need a stack of 16 MiB.
    public func properties() -> MessageProperties {
        var pool = unsafe amqp_pool_t()
        unsafe init_amqp_pool(&pool, 4096)
        defer { unsafe empty_amqp_pool(&pool) }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            var decoded: UnsafeMutableRawPointer?
            let encoded = unsafe encodedProperties.bytes(in: bytes)
            let status = unsafe amqp_decode_properties(Connection.basicClass, &pool, encoded, &decoded)
            guard status >= 0, let decoded = unsafe decoded else { return MessageProperties() }
            return unsafe MessageProperties(decoded.assumingMemoryBound(to: amqp_basic_properties_t.self).pointee)
        }
    }
}

extension MessageProperties {
    /// Copies properties out of the library's buffer.
    init(_ source: amqp_basic_properties_t) {
        let flags = unsafe source._flags
        func text(_ flag: amqp_flags_t, _ bytes: amqp_bytes_t) -> String? {
            flags & flag == 0 ? nil : unsafe String(decoding: bytes.buffer, as: UTF8.self)
        }
        contentType = unsafe text(PropertyFlag.contentType, source.content_type)
        contentEncoding = unsafe text(PropertyFlag.contentEncoding, source.content_encoding)
        deliveryMode = flags & PropertyFlag.deliveryMode == 0 ? nil : unsafe source.delivery_mode
        priority = flags & PropertyFlag.priority == 0 ? nil : unsafe source.priority
        correlationID = unsafe text(PropertyFlag.correlationID, source.correlation_id)
        replyTo = unsafe text(PropertyFlag.replyTo, source.reply_to)
        expiration = unsafe text(PropertyFlag.expiration, source.expiration)
        messageID = unsafe text(PropertyFlag.messageID, source.message_id)
        timestamp = flags & PropertyFlag.timestamp == 0 ? nil : unsafe source.timestamp
        type = unsafe text(PropertyFlag.type, source.type)
        userID = unsafe text(PropertyFlag.userID, source.user_id)
        appID = unsafe text(PropertyFlag.appID, source.app_id)
        clusterID = unsafe text(PropertyFlag.clusterID, source.cluster_id)
        if flags & PropertyFlag.headers != 0 { headers = unsafe Field.fields(source.headers, depth: 0) }
    }
}
