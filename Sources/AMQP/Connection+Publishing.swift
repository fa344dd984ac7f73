internal import CRabbitMQ

extension Connection {
    /// Publishes a message to a queue through the default exchange.
    public func publish(_ message: borrowing OutgoingMessage, body: Span<UInt8>) throws(AMQPError) {
        guard isSecure else { return try encode(message, body) }
        var properties = unsafe amqp_basic_properties_t()
        try unsafe message.bytes.withUnsafeBufferPointer { (texts) throws(AMQPError) in
            unsafe message.fill(&properties, texts: texts, headerEntries: headerEntries)
            try unsafe publish(
                routingKey: message.routingKey.bytes(in: texts), isMandatory: message.isMandatory, &properties,
                body: body, room: texts.count + 256 + 8 * message.headers.count)
        }
    }

    /// Encodes the three kinds of frame of a message, without the library's structures in between.
    private func encode(_ message: borrowing OutgoingMessage, _ body: Span<UInt8>) throws(AMQPError) {
        output.reserve(message.encodedByteCountMax)
        var writer = unsafe FieldWriter(output.tail)
        try unsafe message.bytes.withUnsafeBufferPointer { (texts) throws(AMQPError) in
            unsafe writer.putPublishFrame(queue: message.routingKey, isMandatory: message.isMandatory, of: texts)
            unsafe message.writeHeaderFrame(to: &writer, texts, bodyByteCount: body.count)
        }
        guard !writer.isTextTooLong else {
            throw AMQPError(.configuration, "The name of a queue or a property of a message is longer than 255 bytes.")
        }
        output.advance(writer.count)
        unsafe body.withUnsafeBufferPointer { unsafe encodeBody($0) }
    }

    /// Writes the three kinds of frame of a message; `room` bounds the encoded properties.
    func publish(
        routingKey: amqp_bytes_t, isMandatory: Bool, _ properties: inout amqp_basic_properties_t, body: Span<UInt8>,
        room: Int
    ) throws(AMQPError) {
        try unsafe body.withUnsafeBufferPointer { (body) throws(AMQPError) in
            if isSecure {
                let content = unsafe amqp_bytes_t(
                    len: body.count, bytes: UnsafeMutableRawPointer(mutating: body.baseAddress))
                let status = unsafe amqp_basic_publish(
                    state, Self.channel, amqp_bytes_t(), routingKey, isMandatory ? 1 : 0, 0, &properties, content)
                guard status == AMQP_STATUS_OK.rawValue else { throw failure(status, "publishing") }
                return
            }
            var publish = unsafe amqp_basic_publish_t()
            unsafe publish.routing_key = routingKey
            unsafe publish.mandatory = isMandatory ? 1 : 0
            try unsafe encode(.basicPublish, &publish)
            try unsafe encodeHeader(&properties, bodyByteCount: body.count, room: room)
            unsafe encodeBody(body)
        }
    }

    private func encodeHeader(
        _ properties: inout amqp_basic_properties_t, bodyByteCount: Int, room: Int
    ) throws(AMQPError) {
        output.reserve(room + 20)
        let frame = unsafe output.tail
        let space = unsafe amqp_bytes_t(len: room, bytes: frame + 19)
        let count = unsafe amqp_encode_properties(Self.basicClass, &properties, space)
        guard count >= 0 else { throw failure(count, "encoding a message's properties") }
        unsafe FrameHeader.write(2, channel: Self.channel, payloadByteCount: 12 + Int(count), to: frame)
        unsafe FrameHeader.put(UInt32(Self.basicClass) << 16, to: frame + 7)
        unsafe FrameHeader.put(UInt64(bodyByteCount), to: frame + 11)
        unsafe frame[19 + Int(count)] = FrameHeader.end
        output.advance(20 + Int(count))
    }

    private func encodeBody(_ body: UnsafeBufferPointer<UInt8>) {
        let partMax = frameByteCountMax - 8
        var start = 0
        while start < body.count {
            let count = min(partMax, body.count - start)
            guard let source = body.baseAddress else { return }
            output.reserve(count + 8)
            let frame = unsafe output.tail
            unsafe FrameHeader.write(3, channel: Self.channel, payloadByteCount: count, to: frame)
            unsafe (frame + 7).update(from: source + start, count: count)
            unsafe frame[7 + count] = FrameHeader.end
            output.advance(count + 8)
            start += count
        }
    }

    static var basicClass: UInt16 { 60 }
}

extension ByteRange {
    func bytes(in texts: UnsafeBufferPointer<UInt8>) -> amqp_bytes_t {
        guard !isEmpty, let base = texts.baseAddress else { return unsafe amqp_bytes_t() }
        return unsafe amqp_bytes_t(len: count, bytes: UnsafeMutableRawPointer(mutating: base + Int(start)))
    }
}

extension OutgoingMessage {
    /// Fills the library's properties with pointers to this message's texts.
    func fill(
        _ properties: inout amqp_basic_properties_t, texts: UnsafeBufferPointer<UInt8>,
        headerEntries: UnsafeMutablePointer<amqp_table_entry_t>
    ) {
        unsafe properties._flags = propertyFlags
        unsafe properties.delivery_mode = isPersistent ? 2 : 1
        unsafe properties.content_type = contentType.bytes(in: texts)
        unsafe properties.correlation_id = correlationID.bytes(in: texts)
        unsafe properties.reply_to = replyTo.bytes(in: texts)
        unsafe properties.message_id = messageID.bytes(in: texts)
        unsafe properties.type = type.bytes(in: texts)
        unsafe properties.app_id = appID.bytes(in: texts)
        unsafe properties.timestamp = timestamp ?? 0
        var count = 0
        func header(_ name: StaticString, _ range: ByteRange) {
            guard !range.isEmpty else { return }
            unsafe headerEntries[count] = amqp_table_entry_t(key: name.bytes, value: .text(range.bytes(in: texts)))
            count += 1
        }
        header("traceparent", traceParent)
        header("tracestate", traceState)
        for (name, text) in headers {
            unsafe headerEntries[count] = amqp_table_entry_t(
                key: name.bytes(in: texts), value: .text(text.bytes(in: texts)))
            count += 1
        }
        unsafe properties.headers = amqp_table_t(num_entries: Int32(count), entries: headerEntries)
    }
}

extension StaticString {
    /// The text as the library takes it; it lives for ever.
    var bytes: amqp_bytes_t {
        unsafe amqp_bytes_t(len: utf8CodeUnitCount, bytes: UnsafeMutableRawPointer(mutating: utf8Start))
    }
}

extension amqp_field_value_t {
    static func text(_ bytes: amqp_bytes_t) -> amqp_field_value_t {
        var value = unsafe amqp_field_value_t()
        unsafe value.kind = UInt8(ascii: "S")
        unsafe value.value.bytes = bytes
        return unsafe value
    }
}
