internal import CRabbitMQ

extension Connection {
    /// Asks for deliveries: at most `prefetch` unacknowledged ones, of this consumer; all at once where they need not be
    /// acknowledged.
    public func consume(
        queue: String, prefetch: UInt16, tag: String, needsAcknowledging: Bool = true
    ) throws(AMQPError) {
        var qos = amqp_basic_qos_t(prefetch_size: 0, prefetch_count: prefetch, global: 0)
        try unsafe send(.basicQoS, &qos)
        try unsafe queue.withBytes { (queue) throws(AMQPError) in
            try unsafe tag.withBytes { (tag) throws(AMQPError) in
                var consume = unsafe amqp_basic_consume_t()
                unsafe consume.queue = queue
                unsafe consume.consumer_tag = tag
                unsafe consume.no_ack = needsAcknowledging ? 0 : 1
                try unsafe send(.basicConsume, &consume)
            }
        }
    }

    /// Asks to end a consumer; deliveries come until the answer.
    public func cancel(tag: String) throws(AMQPError) {
        try unsafe tag.withBytes { (tag) throws(AMQPError) in
            var cancel = unsafe amqp_basic_cancel_t(consumer_tag: tag, nowait: 0)
            try unsafe send(.basicCancel, &cancel)
        }
    }

    /// Acknowledges a delivery, and all unacknowledged ones before it when `multiple`.
    public func acknowledge(_ tag: UInt64, multiple: Bool) throws(AMQPError) {
        var ack = amqp_basic_ack_t(delivery_tag: tag, multiple: multiple ? 1 : 0)
        try unsafe send(.basicAck, &ack)
    }

    /// Gives a delivery up: the broker dead-letters it if the queue says where, or drops it.
    public func reject(_ tag: UInt64) throws(AMQPError) {
        var reject = amqp_basic_reject_t(delivery_tag: tag, requeue: 0)
        try unsafe send(.basicReject, &reject)
    }

    /// Asks to close the channel.
    public func closeChannel() throws(AMQPError) {
        try unsafe "bye".withBytes { (text) throws(AMQPError) in
            var close = unsafe amqp_channel_close_t(reply_code: 200, reply_text: text, class_id: 0, method_id: 0)
            try unsafe send(.channelClose, &close)
        }
    }

    /// Asks to close the connection.
    public func close() throws(AMQPError) {
        try unsafe "bye".withBytes { (text) throws(AMQPError) in
            var close = unsafe amqp_connection_close_t(reply_code: 200, reply_text: text, class_id: 0, method_id: 0)
            try unsafe send(.connectionClose, &close, channel: 0)
        }
    }

    func sendChannelCloseOK() throws(AMQPError) {
        var ok = amqp_channel_close_ok_t(dummy: 0)
        try unsafe send(.channelCloseOK, &ok)
    }

    func sendConnectionCloseOK() throws(AMQPError) {
        var ok = amqp_connection_close_ok_t(dummy: 0)
        try unsafe send(.connectionCloseOK, &ok, channel: 0)
    }

    func writeHeartbeat() throws(AMQPError) {
        guard !isSecure else {
            // What waits for the socket says as much, and a peer that reads nothing must not block the caller.
            guard takesOutput else { return }
            var frame = unsafe amqp_frame_t()
            unsafe frame.frame_type = UInt8(AMQP_FRAME_HEARTBEAT)
            let status = unsafe amqp_send_frame(state, &frame)
            guard status == AMQP_STATUS_OK.rawValue else { throw failure(status, "sending a heartbeat") }
            return
        }
        output.reserve(8)
        unsafe output.tail.update(from: [8, 0, 0, 0, 0, 0, 0, 0xCE], count: 8)
        output.advance(8)
    }

    /// Writes a method without content.
    func send(
        _ method: MethodID, _ fields: UnsafeMutableRawPointer, channel: amqp_channel_t = Connection.channel
    ) throws(AMQPError) {
        guard !isSecure else {
            let status = unsafe amqp_send_method(state, channel, method.rawValue, fields)
            guard status >= 0 else { throw failure(status, "writing") }
            return
        }
        try unsafe encode(method, fields, channel: channel)
    }

    /// Encodes a method frame into the output.
    func encode(
        _ method: MethodID, _ fields: UnsafeMutableRawPointer, channel: amqp_channel_t = Connection.channel
    ) throws(AMQPError) {
        // A method's texts are at most 255 bytes each; no method written here has more than three.
        let room = 1024
        output.reserve(room)
        let frame = unsafe output.tail
        let space = unsafe amqp_bytes_t(len: room - 12, bytes: frame + 11)
        let count = unsafe amqp_encode_method(method.rawValue, fields, space)
        guard count >= 0 else { throw failure(count, "encoding a method") }
        unsafe FrameHeader.write(1, channel: channel, payloadByteCount: 4 + Int(count), to: frame)
        unsafe FrameHeader.put(method.rawValue, to: frame + 7)
        unsafe frame[11 + Int(count)] = FrameHeader.end
        output.advance(12 + Int(count))
    }
}

/// A frame's first seven bytes: the type, the channel and the payload's size.
enum FrameHeader {
    static let end: UInt8 = 0xCE

    static func write(
        _ type: UInt8, channel: UInt16, payloadByteCount: Int, to place: UnsafeMutablePointer<UInt8>
    ) {
        unsafe place[0] = type
        unsafe place[1] = UInt8(channel >> 8)
        unsafe place[2] = UInt8(truncatingIfNeeded: channel)
        unsafe put(UInt32(payloadByteCount), to: place + 3)
    }

    /// Writes a number with the highest byte first.
    static func put<Number: FixedWidthInteger>(_ number: Number, to place: UnsafeMutablePointer<UInt8>) {
        unsafe UnsafeMutableRawPointer(place).storeBytes(of: number.bigEndian, as: Number.self)
    }
}

extension String {
    /// Lends the text as the library takes it.
    func withBytes<Result>(
        _ body: (amqp_bytes_t) throws(AMQPError) -> Result
    ) throws(AMQPError) -> Result {
        var copy = Array(utf8)
        let count = copy.count
        return try unsafe copy.withUnsafeMutableBufferPointer { (buffer) throws(AMQPError) in
            try unsafe body(amqp_bytes_t(len: count, bytes: UnsafeMutableRawPointer(buffer.baseAddress)))
        }
    }
}
