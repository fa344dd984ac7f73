/// A reply to a message that came, persistent and mandatory: which of the message's texts it repeats.
public struct Reply: Sendable {
    /// The queue that it goes to; absent: the form's.
    public var queue = ByteRange.absent
    /// `correlation_id`.
    public var correlationID: ByteRange
    /// `message_id`, behind the form's prefix.
    public var messageID: ByteRange
    /// `app_id`; may be absent.
    public var appID: ByteRange
    /// `timestamp`, in seconds since 1970.
    public var timestamp: UInt64

    /// Makes a reply to the form's queue.
    public init(correlationID: ByteRange, messageID: ByteRange, appID: ByteRange, timestamp: UInt64) {
        self.correlationID = correlationID
        self.messageID = messageID
        self.appID = appID
        self.timestamp = timestamp
    }
}

extension Connection {
    /// Publishes a reply in few steps; false, with nothing written, where it is not one of this simple kind.
    ///
    /// Then `publish` takes an `OutgoingMessage`: on TLS, without one of the two identifiers, for an identifier that is
    /// too long behind the prefix, and for a body that does not fit in a frame.
    public func publish(
        _ reply: Reply, to message: ReceivedMessage, as form: ReplyForm, body: Span<UInt8>
    ) -> Bool {
        guard !isSecure, !body.isEmpty, body.count <= frameByteCountMax - 8, !reply.correlationID.isEmpty,
            !reply.messageID.isEmpty, form.messageIDPrefix.count + reply.messageID.count <= 255
        else { return false }
        // Texts of a message that came have at most 255 bytes each.
        output.reserve(form.method.count + form.headerStart.count + form.type.count + body.count + 5 * 256)
        var writer = unsafe FieldWriter(output.tail)
        unsafe message.bytes.withUnsafeBufferPointer { texts in
            if reply.queue.isEmpty {
                writer.put(encoded: form.method)
            } else {
                unsafe writer.putPublishFrame(queue: reply.queue, isMandatory: true, of: texts)
            }
            unsafe writer.putHeader(reply, form, bodyByteCount: body.count, of: texts)
        }
        let start = writer.beginFrame(3)
        unsafe body.withUnsafeBufferPointer { body in
            unsafe writer.putBytes(ByteRange(start: 0, count: body.count), of: body)
        }
        writer.endFrame(start)
        output.advance(writer.count)
        return true
    }
}

extension FieldWriter {
    /// Writes the header's frame of a reply.
    @inline(__always)
    fileprivate mutating func putHeader(
        _ reply: Reply, _ form: ReplyForm, bodyByteCount: Int, of texts: UnsafeBufferPointer<UInt8>
    ) {
        let start = count
        put(encoded: form.headerStart)
        put(UInt8(2))
        unsafe putShort(reply.correlationID, of: texts)
        put(UInt8(truncatingIfNeeded: form.messageIDPrefix.count + reply.messageID.count))
        put(encoded: form.messageIDPrefix)
        unsafe putBytes(reply.messageID, of: texts)
        put(reply.timestamp)
        put(encoded: form.type)
        var flags = ReplyForm.flags
        if !reply.appID.isEmpty {
            flags |= UInt16(truncatingIfNeeded: PropertyFlag.appID)
            unsafe putShort(reply.appID, of: texts)
        }
        replace(at: start + ReplyForm.sizePlace, by: UInt32(count - start - 7))
        replace(at: start + ReplyForm.bodySizePlace, by: UInt64(bodyByteCount))
        replace(at: start + ReplyForm.flagsPlace, by: flags)
        put(FrameHeader.end)
    }
}
