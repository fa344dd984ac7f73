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
    /// What reading one frame came to.
    enum Step {
        case nothing
        /// A frame that is a part of something.
        case part
        case event(FrameEvent)

        init(_ event: FrameEvent?) { self = event.map { .event($0) } ?? .part }
    }

    /// Reads frames where they lie from now on, which costs less; on TLS the library goes on reading.
    ///
    /// Afterwards no function may be called that waits for the broker, for the library would not see its answer.
    public func readDirectly() { isDirect = !isSecure }

    /// The next event, nil when nothing more has come; never waits.
    ///
    /// Read until nil: what is buffered makes no descriptor readable.
    public func nextEvent() throws(AMQPError) -> FrameEvent? {
        if libraryReads, isDirect { libraryReads = unsafe !isDrained(state) }
        while true {
            switch libraryReads ? try readByLibrary() : try readFrame() {
            case .part: continue
            case .event(let event): return event
            case .nothing:
                mayHaveInput = false
                return nil
            }
        }
    }

    /// Whether the library holds nothing that it has read, not even a part of a frame.
    private func isDrained(_ state: amqp_connection_state_t) -> Bool {
        unsafe amqp_frames_enqueued(state) == 0 && amqp_data_in_buffer(state) == 0
            && amqp_release_buffers_ok(state) != 0
    }

    private func readFrame() throws(AMQPError) -> Step {
        let incoming: Incoming
        do throws(InputBuffer.Failure) {
            guard let next = try input.next(from: descriptor, mayBeDelivery: assembly.kind == nil) else {
                return .nothing
            }
            incoming = next
        } catch {
            switch error {
            case .ended: throw failure(AMQP_STATUS_CONNECTION_CLOSED.rawValue, "reading")
            case .broken(let number):
                let problem = SystemError.text(number)
                throw AMQPError(.closed, "The connection to the broker at \(peer) broke while reading: \(problem).")
            case .malformed: throw violation("bytes that are no frame")
            }
        }
        switch incoming {
        case .delivery(let delivery):
            guard message.take(delivery) else { throw violation("properties that are cut off") }
            return .event(.delivery(tag: delivery.tag, isRedelivered: delivery.isRedelivered))
        case .frame(let frame): return try read(frame)
        }
    }

    private func read(_ frame: Frame) throws(AMQPError) -> Step {
        switch Int32(frame.type) {
        case AMQP_FRAME_METHOD: Step(try unsafe readMethod(frame.payload))
        case AMQP_FRAME_HEADER: Step(try unsafe readHeader(frame.payload))
        case AMQP_FRAME_BODY: Step(try unsafe readBody(frame.payload))
        default: .part
        }
    }

    private func readByLibrary() throws(AMQPError) -> Step {
        var frame = unsafe amqp_frame_t()
        var noTime = timeval()
        let status = unsafe amqp_simple_wait_frame_noblock(state, &frame, &noTime)
        if status == AMQP_STATUS_TIMEOUT.rawValue { return .nothing }
        guard status == AMQP_STATUS_OK.rawValue else { throw failure(status, "reading") }
        defer { unsafe amqp_maybe_release_buffers_on_channel(state, frame.channel) }
        switch unsafe Int32(frame.frame_type) {
        case AMQP_FRAME_METHOD:
            return Step(try unsafe readMethod(frame.payload.method.id, frame.payload.method.decoded))
        case AMQP_FRAME_HEADER:
            // The library decodes the properties of whatever class a header names, and only one class has content.
            guard unsafe frame.payload.properties.class_id == Self.basicClass else {
                throw violation("a content header of another class")
            }
            return Step(
                try unsafe readProperties(
                    frame.payload.properties.raw.buffer, bodyByteCount: frame.payload.properties.body_size))
        case AMQP_FRAME_BODY: return Step(try unsafe readBody(frame.payload.body_fragment.buffer))
        default: return .part
        }
    }

    /// The class, a number without meaning, the body's size, and the properties.
    private func readHeader(_ payload: UnsafeRawBufferPointer) throws(AMQPError) -> FrameEvent? {
        var reader = unsafe FieldReader(payload)
        let classID = reader.number(UInt16.self)
        _ = reader.skip(2)
        let bodyByteCount = reader.number(UInt64.self)
        guard reader.isComplete else { throw violation("a content header that is cut off") }
        guard classID == Self.basicClass else { throw violation("a content header of another class") }
        return try unsafe readProperties(
            UnsafeRawBufferPointer(rebasing: payload[reader.offset...]), bodyByteCount: bodyByteCount)
    }

    private func readProperties(
        _ properties: UnsafeRawBufferPointer, bodyByteCount: UInt64
    ) throws(AMQPError) -> FrameEvent? {
        guard assembly.kind != nil else { throw violation("a content header alone") }
        message.bodyByteCount = bodyByteCount
        guard unsafe message.take(properties: properties) else { throw violation("properties that are cut off") }
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

    private func readBody(_ fragment: UnsafeRawBufferPointer) throws(AMQPError) -> FrameEvent? {
        guard assembly.kind != nil, fragment.count <= assembly.bodyBytesLeft else {
            throw violation("too much of a body")
        }
        assembly.bodyBytesLeft -= UInt64(fragment.count)
        if !message.isBodyDiscarded { unsafe message.bytes.append(contentsOf: fragment) }
        return assembly.bodyBytesLeft == 0 ? finishedMessage() : nil
    }

    private func finishedMessage() -> FrameEvent? {
        defer { assembly.kind = nil }
        message.bytes.append(contentsOf: repeatElement(0, count: ReceivedMessage.paddingByteCount))
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
