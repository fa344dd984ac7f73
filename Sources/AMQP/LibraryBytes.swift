internal import CRabbitMQ

extension amqp_bytes_t {
    /// The bytes, valid as long as the library's buffer is.
    var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : len) }

    /// The text without control characters, for people; invalid UTF-8 is repaired.
    var printableText: String {
        let text = unsafe String(decoding: buffer, as: UTF8.self)
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return String(result)
    }

    /// Whether the text begins with `cloudEvents_` or `cloudEvents:`, and goes on.
    var isEventHeader: Bool {
        let prefix = EventHeader.prefix
        guard unsafe len > prefix.utf8CodeUnitCount + 1 else { return false }
        let separator = unsafe buffer[prefix.utf8CodeUnitCount]
        guard separator == UInt8(ascii: "_") || separator == UInt8(ascii: ":") else { return false }
        return prefix.withUTF8Buffer { unsafe buffer.starts(with: $0) }
    }

    func equals(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { unsafe buffer.elementsEqual($0) }
    }
}

extension ReceivedMessage {
    /// Copies the properties out of the library's buffer.
    mutating func take(_ decoded: UnsafePointer<amqp_basic_properties_t>, raw: amqp_bytes_t) {
        let start = bytes.count
        unsafe append(raw)
        encodedProperties = ByteRange(start: start, count: bytes.count - start)
        let flags = unsafe decoded.pointee._flags
        if flags & PropertyFlag.contentType != 0 { contentType = unsafe place(decoded.pointee.content_type, raw) }
        if flags & PropertyFlag.contentEncoding != 0 {
            contentEncoding = unsafe place(decoded.pointee.content_encoding, raw)
        }
        if flags & PropertyFlag.replyTo != 0 { replyTo = unsafe place(decoded.pointee.reply_to, raw) }
        if flags & PropertyFlag.correlationID != 0 { correlationID = unsafe place(decoded.pointee.correlation_id, raw) }
        if flags & PropertyFlag.messageID != 0 { messageID = unsafe place(decoded.pointee.message_id, raw) }
        if flags & PropertyFlag.appID != 0 { appID = unsafe place(decoded.pointee.app_id, raw) }
        if flags & PropertyFlag.type != 0 { type = unsafe place(decoded.pointee.type, raw) }
        if flags & PropertyFlag.timestamp != 0 { timestamp = unsafe decoded.pointee.timestamp }
        if flags & PropertyFlag.headers != 0 { unsafe takeHeaders(decoded.pointee.headers, raw) }
    }

    mutating func takeRoutingKey(_ key: amqp_bytes_t) {
        let start = bytes.count
        unsafe append(key)
        returnedRoutingKey = ByteRange(start: start, count: bytes.count - start)
    }

    mutating func append(_ part: amqp_bytes_t) {
        unsafe bytes.append(contentsOf: part.buffer)
    }

    private mutating func takeHeaders(_ table: amqp_table_t, _ raw: amqp_bytes_t) {
        for index in 0..<Int(unsafe table.num_entries) {
            let entry = unsafe table.entries[index]
            if unsafe entry.key.equals("x-delivery-count") {
                deliveryCount = unsafe entry.value.count ?? 0
            } else if unsafe entry.key.equals("traceparent") {
                traceParent = unsafe entry.value.isText ? place(entry.value.value.bytes, raw) : .absent
            } else if unsafe entry.key.equals("tracestate") {
                traceState = unsafe entry.value.isText ? place(entry.value.value.bytes, raw) : .absent
            } else if unsafe entry.key.isEventHeader {
                unsafe takeEventHeader(entry, raw)
            }
        }
    }

    private mutating func takeEventHeader(_ entry: amqp_table_entry_t, _ raw: amqp_bytes_t) {
        let name = unsafe place(entry.key, raw)
        let prefixByteCount = EventHeader.prefix.utf8CodeUnitCount
        eventHeaders.append(
            EventHeader(
                separator: bytes[name.indices.lowerBound + prefixByteCount],
                name: name.dropFirst(prefixByteCount + 1),
                text: unsafe entry.value.isText ? place(entry.value.value.bytes, raw) : .absent))
    }

    /// Where a text lies in the copied properties: the library's pointer leads into what was copied.
    private mutating func place(_ text: amqp_bytes_t, _ raw: amqp_bytes_t) -> ByteRange {
        guard unsafe text.len > 0, let at = unsafe text.bytes, let start = unsafe raw.bytes else { return .absent }
        let offset = unsafe at - start
        if unsafe offset >= 0 && offset + text.len <= raw.len {
            return unsafe ByteRange(start: Int(encodedProperties.start) + offset, count: text.len)
        }
        let end = bytes.count
        unsafe append(text)
        return unsafe ByteRange(start: end, count: text.len)
    }
}

extension amqp_field_value_t {
    var isText: Bool { unsafe kind == UInt8(ascii: "S") || kind == UInt8(ascii: "x") }

    /// A whole number that is not negative.
    var count: UInt64? {
        switch unsafe UnicodeScalar(kind) {
        case "b": unsafe UInt64(exactly: value.i8)
        case "B": unsafe UInt64(value.u8)
        case "s": unsafe UInt64(exactly: value.i16)
        case "u": unsafe UInt64(value.u16)
        case "I": unsafe UInt64(exactly: value.i32)
        case "i": unsafe UInt64(value.u32)
        case "l": unsafe UInt64(exactly: value.i64)
        case "L": unsafe value.u64
        default: nil
        }
    }
}

/// The bits that say which properties a message has.
enum PropertyFlag {
    static let contentType: amqp_flags_t = 1 << 15
    static let contentEncoding: amqp_flags_t = 1 << 14
    static let headers: amqp_flags_t = 1 << 13
    static let deliveryMode: amqp_flags_t = 1 << 12
    static let priority: amqp_flags_t = 1 << 11
    static let correlationID: amqp_flags_t = 1 << 10
    static let replyTo: amqp_flags_t = 1 << 9
    static let expiration: amqp_flags_t = 1 << 8
    static let messageID: amqp_flags_t = 1 << 7
    static let timestamp: amqp_flags_t = 1 << 6
    static let type: amqp_flags_t = 1 << 5
    static let userID: amqp_flags_t = 1 << 4
    static let appID: amqp_flags_t = 1 << 3
    static let clusterID: amqp_flags_t = 1 << 2
}
