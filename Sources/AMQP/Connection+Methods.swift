internal import CRabbitMQ

extension Connection {
    /// Turns a method frame's payload into an event; nil where a message follows.
    ///
    /// The methods that come with every message are read here, the others by the library.
    func readMethod(_ payload: UnsafeRawBufferPointer) throws(AMQPError) -> FrameEvent? {
        var reader = unsafe FieldReader(payload)
        let number = reader.number(UInt32.self)
        switch number {
        case MethodID.basicDeliver.rawValue:
            _ = reader.shortText()
            let tag = reader.number(UInt64.self)
            let isRedelivered = reader.number(UInt8.self) & 1 != 0
            guard reader.isComplete else { throw violation("a delivery that is cut off") }
            try begin(.delivery(tag: tag, isRedelivered: isRedelivered))
            return nil
        case MethodID.basicAck.rawValue:
            let tag = reader.number(UInt64.self)
            let isMultiple = reader.number(UInt8.self) & 1 != 0
            guard reader.isComplete else { throw violation("a confirm that is cut off") }
            return .confirmed(tag: tag, multiple: isMultiple)
        default: break
        }
        var pool = unsafe amqp_pool_t()
        unsafe init_amqp_pool(&pool, 4096)
        defer { unsafe empty_amqp_pool(&pool) }
        let fields = unsafe UnsafeMutableRawPointer(mutating: payload.baseAddress).map { unsafe $0 + reader.offset }
        let encoded = unsafe amqp_bytes_t(len: payload.count - reader.offset, bytes: fields)
        var decoded: UnsafeMutableRawPointer?
        let status = unsafe amqp_decode_method(number, &pool, encoded, &decoded)
        guard status >= 0 else { throw failure(status, "reading") }
        return try unsafe readMethod(number, decoded)
    }

    /// Turns a method that the library has decoded into an event; nil where a message follows.
    func readMethod(
        _ number: amqp_method_number_t, _ fields: UnsafeMutableRawPointer?
    ) throws(AMQPError) -> FrameEvent? {
        guard let id = MethodID(rawValue: number) else { return .other(number) }
        guard let fields = unsafe fields else { throw violation("a method without fields") }
        switch id {
        case .basicDeliver:
            let deliver = unsafe fields.assumingMemoryBound(to: amqp_basic_deliver_t.self)
            try begin(
                unsafe .delivery(tag: deliver.pointee.delivery_tag, isRedelivered: deliver.pointee.redelivered != 0))
            return nil
        case .basicReturn:
            let returned = unsafe fields.assumingMemoryBound(to: amqp_basic_return_t.self)
            try begin(unsafe .returned(code: returned.pointee.reply_code))
            unsafe message.take(routingKey: returned.pointee.routing_key.buffer)
            return nil
        case .basicAck:
            let ack = unsafe fields.assumingMemoryBound(to: amqp_basic_ack_t.self)
            return unsafe .confirmed(tag: ack.pointee.delivery_tag, multiple: ack.pointee.multiple != 0)
        case .basicNack:
            let nack = unsafe fields.assumingMemoryBound(to: amqp_basic_nack_t.self)
            return unsafe .refused(tag: nack.pointee.delivery_tag, multiple: nack.pointee.multiple != 0)
        case .basicConsumeOK: return .consumeOK
        case .basicCancelOK: return .cancelOK
        case .basicCancel: return .cancelled
        case .basicQoSOK: return .qosOK
        case .channelClose, .channelCloseOK, .connectionClose, .connectionCloseOK, .connectionBlocked,
            .connectionUnblocked:
            return try unsafe readLife(id, fields)
        case .basicQoS, .basicConsume, .basicPublish, .basicReject:
            throw violation("a method that only a client sends")
        }
    }

    /// What concerns the channel or the connection itself; closes are answered at once.
    private func readLife(_ id: MethodID, _ fields: UnsafeMutableRawPointer) throws(AMQPError) -> FrameEvent {
        switch id {
        case .channelClose:
            let close = unsafe fields.assumingMemoryBound(to: amqp_channel_close_t.self)
            let reason = unsafe CloseReason(code: close.pointee.reply_code, words: close.pointee.reply_text)
            assembly.kind = nil
            try sendChannelCloseOK()
            return .channelClosed(reason)
        case .connectionClose:
            let close = unsafe fields.assumingMemoryBound(to: amqp_connection_close_t.self)
            let reason = unsafe CloseReason(code: close.pointee.reply_code, words: close.pointee.reply_text)
            try sendConnectionCloseOK()
            return .connectionClosed(reason)
        case .connectionBlocked:
            let blocked = unsafe fields.assumingMemoryBound(to: amqp_connection_blocked_t.self)
            return unsafe .blocked(blocked.pointee.reason.printableText)
        case .connectionUnblocked: return .unblocked
        case .channelCloseOK: return .channelCloseOK
        default: return .connectionCloseOK
        }
    }
}

extension CloseReason {
    init(code: UInt16, words: amqp_bytes_t) {
        self.init(code: code, text: unsafe words.printableText)
    }
}
