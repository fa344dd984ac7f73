internal import CRabbitMQ
internal import Glibc

/// How far a message that comes in frames is.
struct Assembly {
    /// What the method before the content was.
    enum Kind {
        case delivery(tag: UInt64, isRedelivered: Bool)
        case returned(code: UInt16)
    }

    var kind: Kind?
    var bodyBytesLeft: UInt64 = 0
}

extension Connection {
    /// The next event, nil when nothing more has come; never waits.
    ///
    /// Read until nil: what the library has buffered makes no descriptor readable.
    public func nextEvent() throws(AMQPError) -> FrameEvent? {
        while true {
            var frame = unsafe amqp_frame_t()
            var noTime = timeval()
            let status = unsafe amqp_simple_wait_frame_noblock(state, &frame, &noTime)
            if status == AMQP_STATUS_TIMEOUT.rawValue {
                mayHaveInput = false
                return nil
            }
            guard status == AMQP_STATUS_OK.rawValue else { throw failure(status, "reading") }
            let event: FrameEvent?
            switch unsafe Int32(frame.frame_type) {
            case AMQP_FRAME_METHOD: event = try unsafe readMethod(frame.payload.method)
            case AMQP_FRAME_HEADER:
                // The library decodes the properties of whatever class a header names, and only one class has content.
                guard unsafe frame.payload.properties.class_id == Self.basicClass else {
                    throw violation("a content header of another class")
                }
                event = try unsafe readHeader(
                    bodyByteCount: frame.payload.properties.body_size, decoded: frame.payload.properties.decoded,
                    raw: frame.payload.properties.raw)
            case AMQP_FRAME_BODY: event = try unsafe readBody(frame.payload.body_fragment)
            default: event = nil
            }
            unsafe amqp_maybe_release_buffers_on_channel(state, frame.channel)
            if let event { return event }
        }
    }

    private func readHeader(
        bodyByteCount: UInt64, decoded: UnsafeMutableRawPointer?, raw: amqp_bytes_t
    ) throws(AMQPError) -> FrameEvent? {
        guard assembly.kind != nil, let decoded = unsafe decoded else { throw violation("a content header alone") }
        message.bodyByteCount = bodyByteCount
        unsafe message.take(decoded.assumingMemoryBound(to: amqp_basic_properties_t.self), raw: raw)
        assembly.bodyBytesLeft = bodyByteCount
        let start = message.bytes.count
        if message.isBodyDiscarded {
            message.body = ByteRange(start: start)
        } else {
            message.body = ByteRange(start: start, count: Int(bodyByteCount))
            // A body in several frames shall not grow the storage step by step.
            if bodyByteCount > 4096 { message.bytes.reserveCapacity(start + Int(bodyByteCount)) }
        }
        return bodyByteCount == 0 ? finishedMessage() : nil
    }

    private func readBody(_ fragment: amqp_bytes_t) throws(AMQPError) -> FrameEvent? {
        let count = unsafe fragment.len
        guard assembly.kind != nil, count <= assembly.bodyBytesLeft else { throw violation("too much of a body") }
        assembly.bodyBytesLeft -= UInt64(count)
        if !message.isBodyDiscarded { unsafe message.append(fragment) }
        return assembly.bodyBytesLeft == 0 ? finishedMessage() : nil
    }

    private func finishedMessage() -> FrameEvent? {
        defer { assembly.kind = nil }
        switch assembly.kind {
        case .delivery(let tag, let isRedelivered): return .delivery(tag: tag, isRedelivered: isRedelivered)
        case .returned(let code): return .returned(code: code)
        case nil: return nil
        }
    }

    func begin(_ kind: Assembly.Kind) throws(AMQPError) {
        guard assembly.kind == nil else { throw violation("a method within a message") }
        assembly.kind = kind
        message.reset()
    }

    func violation(_ what: String) -> AMQPError {
        AMQPError(.protocolViolation, "The broker at \(peer) sent \(what), which AMQP 0-9-1 does not allow.")
    }
}
