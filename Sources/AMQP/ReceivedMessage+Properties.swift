internal import CRabbitMQ

extension ReceivedMessage {
    /// Takes a whole delivery over, in one copy; false where its properties are malformed.
    ///
    /// The storage is overwritten, for shortening and growing it again would cost more than the copy.
    func take(_ delivery: WholeDelivery) -> Bool {
        let count = delivery.body.upperBound + Self.paddingByteCount
        unsafe take(UnsafeRawBufferPointer(start: delivery.properties.baseAddress, count: count))
        forgetProperties()
        bodyByteCount = UInt64(delivery.body.count)
        body = ByteRange(start: delivery.body.lowerBound, count: delivery.body.count)
        return unsafe read(properties: delivery.properties, at: 0)
    }

    private func take(_ content: UnsafeRawBufferPointer) {
        guard bytes.count >= content.count else {
            bytes.removeAll(keepingCapacity: true)
            unsafe bytes.append(contentsOf: content)
            return
        }
        unsafe bytes.withUnsafeMutableBytes { bytes in unsafe bytes.copyMemory(from: content) }
    }

    /// Copies encoded properties, and finds in them what is read of a message; false where they are malformed.
    func take(properties encoded: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.count
        unsafe bytes.append(contentsOf: encoded)
        return unsafe read(properties: encoded, at: start)
    }

    /// Finds in encoded properties what is read of a message; a copy of them is in `bytes`, at `start`.
    ///
    /// Headers that are tables are skipped, not read: a hostile sender can nest them as deep as a frame is long.
    private func read(properties encoded: UnsafeRawBufferPointer, at start: Int) -> Bool {
        encodedProperties = ByteRange(start: start, count: encoded.count)
        var reader = unsafe FieldReader(encoded)
        let flags = amqp_flags_t(reader.number(UInt16.self))
        func has(_ flag: amqp_flags_t) -> Bool { flags & flag != 0 }
        func place(_ range: Range<Int>) -> ByteRange { ByteRange(start: start + range.lowerBound, count: range.count) }
        // In the order in which they are encoded.
        if has(PropertyFlag.contentType) { contentType = place(reader.shortText()) }
        if has(PropertyFlag.contentEncoding) { contentEncoding = place(reader.shortText()) }
        if has(PropertyFlag.headers) { takeHeaders(&reader, at: start) }
        if has(PropertyFlag.deliveryMode) { _ = reader.skip(1) }
        if has(PropertyFlag.priority) { _ = reader.skip(1) }
        if has(PropertyFlag.correlationID) { correlationID = place(reader.shortText()) }
        if has(PropertyFlag.replyTo) { replyTo = place(reader.shortText()) }
        if has(PropertyFlag.expiration) { _ = reader.shortText() }
        if has(PropertyFlag.messageID) { messageID = place(reader.shortText()) }
        if has(PropertyFlag.timestamp) { timestamp = reader.number(UInt64.self) }
        if has(PropertyFlag.type) { type = place(reader.shortText()) }
        if has(PropertyFlag.userID) { _ = reader.shortText() }
        if has(PropertyFlag.appID) { appID = place(reader.shortText()) }
        return reader.isComplete
    }

    private func takeHeaders(_ reader: inout FieldReader, at start: Int) {
        func place(_ range: Range<Int>) -> ByteRange { ByteRange(start: start + range.lowerBound, count: range.count) }
        let size = Int(reader.number(UInt32.self))
        let end = reader.offset + size
        while reader.offset < end, reader.isComplete {
            let name = reader.shortText()
            let value = reader.value()
            var text = ByteRange.absent
            if case .text(let range) = value { text = place(range) }
            if reader.text(name, equals: "x-delivery-count") {
                deliveryCount = if case .count(let count) = value { count } else { 0 }
            } else if reader.text(name, equals: "traceparent") {
                traceParent = text
            } else if reader.text(name, equals: "tracestate") {
                traceState = text
            } else if reader.isEventHeader(name) {
                let prefixByteCount = EventHeader.prefix.utf8CodeUnitCount
                let place = place(name)
                eventHeaders.append(
                    EventHeader(
                        separator: bytes[place.indices.lowerBound + prefixByteCount],
                        name: place.dropFirst(prefixByteCount + 1), text: text))
            }
        }
    }

    /// Copies the routing key of a message that was returned.
    func take(routingKey: UnsafeRawBufferPointer) {
        returnedRoutingKey = ByteRange(start: bytes.count, count: routingKey.count)
        unsafe bytes.append(contentsOf: routingKey)
    }
}

/// The bits that say which properties a message has; also their order.
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
