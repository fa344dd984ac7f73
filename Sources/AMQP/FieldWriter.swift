internal import CRabbitMQ
internal import Glibc

/// Writes the fields of frames, by their types in AMQP 0-9-1, into memory that has room for them.
@safe
struct FieldWriter {
    private let base: UnsafeMutablePointer<UInt8>
    /// How much has been written.
    private(set) var count = 0
    /// Whether a text was longer than its length can say; nothing of the frames is to be used then.
    private(set) var isTextTooLong = false

    init(_ base: UnsafeMutablePointer<UInt8>) { unsafe self.base = base }

    @inline(__always)
    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: number.bigEndian, as: Number.self)
        count += MemoryLayout<Number>.size
    }

    /// Writes bytes that are encoded already.
    @inline(__always)
    mutating func put(encoded bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe memcpy(base + count, source, bytes.count)
        }
        count += bytes.count
    }

    /// Writes a text of at most 255 bytes.
    @inline(__always)
    mutating func putShort(_ text: ByteRange, of texts: UnsafeBufferPointer<UInt8>) {
        if text.count > 255 { isTextTooLong = true }
        put(UInt8(truncatingIfNeeded: text.count))
        unsafe putBytes(text, of: texts)
    }

    /// Writes a text in a table, by its name.
    mutating func putEntry(_ name: StaticString, _ text: ByteRange, of texts: UnsafeBufferPointer<UInt8>) {
        put(UInt8(truncatingIfNeeded: name.utf8CodeUnitCount))
        unsafe (base + count).update(from: name.utf8Start, count: name.utf8CodeUnitCount)
        count += name.utf8CodeUnitCount
        unsafe putLong(text, of: texts)
    }

    /// Writes a text in a table, by its name.
    mutating func putEntry(_ name: ByteRange, _ text: ByteRange, of texts: UnsafeBufferPointer<UInt8>) {
        unsafe putShort(name, of: texts)
        unsafe putLong(text, of: texts)
    }

    private mutating func putLong(_ text: ByteRange, of texts: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "S"))
        put(UInt32(text.count))
        unsafe putBytes(text, of: texts)
    }

    @inline(__always)
    mutating func putBytes(_ text: ByteRange, of texts: UnsafeBufferPointer<UInt8>) {
        guard !text.isEmpty, let source = texts.baseAddress else { return }
        unsafe memcpy(base + count, source + text.indices.lowerBound, text.count)
        count += text.count
    }

    /// Writes a number over what was written `before`, such as a size that is known now.
    @inline(__always)
    func replace<Number: FixedWidthInteger>(at before: Int, by number: Number) {
        unsafe UnsafeMutableRawPointer(base + before).storeBytes(of: number.bigEndian, as: Number.self)
    }

    /// Begins a frame, which `endFrame` completes; returns where it begins.
    mutating func beginFrame(_ type: UInt8) -> Int {
        put(type)
        put(Connection.channel)
        put(UInt32(0))
        return count
    }

    /// Writes the frame of `basic.publish` through the default exchange.
    mutating func putPublishFrame(queue: ByteRange, isMandatory: Bool, of texts: UnsafeBufferPointer<UInt8>) {
        let start = beginFrame(1)
        put(MethodID.basicPublish.rawValue)
        // A number without meaning, and the exchange.
        put(UInt16(0))
        put(UInt8(0))
        unsafe putShort(queue, of: texts)
        put(UInt8(isMandatory ? 1 : 0))
        endFrame(start)
    }

    mutating func endFrame(_ start: Int) {
        replace(at: start - 4, by: UInt32(count - start))
        put(FrameHeader.end)
    }
}

extension OutgoingMessage {
    /// The most bytes that the method's and the header's frame take.
    var encodedByteCountMax: Int {
        let fixed = 128
        let texts =
            routingKey.count + contentType.count + correlationID.count + replyTo.count + messageID.count + type.count
            + appID.count + traceParent.count + traceState.count
        return headers.reduce(fixed + texts) { $0 + 8 + $1.name.count + $1.text.count }
    }

    func writeHeaderFrame(
        to writer: inout FieldWriter, _ texts: UnsafeBufferPointer<UInt8>, bodyByteCount: Int
    ) {
        let start = writer.beginFrame(2)
        writer.put(UInt32(Connection.basicClass) << 16)
        writer.put(UInt64(bodyByteCount))
        writer.put(UInt16(truncatingIfNeeded: propertyFlags))
        // In the order of the flags.
        if !contentType.isEmpty { unsafe writer.putShort(contentType, of: texts) }
        if hasHeaders { unsafe writeHeaders(to: &writer, texts) }
        writer.put(UInt8(isPersistent ? 2 : 1))
        if !correlationID.isEmpty { unsafe writer.putShort(correlationID, of: texts) }
        if !replyTo.isEmpty { unsafe writer.putShort(replyTo, of: texts) }
        if !messageID.isEmpty { unsafe writer.putShort(messageID, of: texts) }
        if let timestamp { writer.put(timestamp) }
        if !type.isEmpty { unsafe writer.putShort(type, of: texts) }
        if !appID.isEmpty { unsafe writer.putShort(appID, of: texts) }
        writer.endFrame(start)
    }

    var hasHeaders: Bool { !traceParent.isEmpty || !traceState.isEmpty || !headers.isEmpty }

    /// Which properties there are.
    var propertyFlags: amqp_flags_t {
        var flags = PropertyFlag.deliveryMode
        if !contentType.isEmpty { flags |= PropertyFlag.contentType }
        if hasHeaders { flags |= PropertyFlag.headers }
        if !correlationID.isEmpty { flags |= PropertyFlag.correlationID }
        if !replyTo.isEmpty { flags |= PropertyFlag.replyTo }
        if !messageID.isEmpty { flags |= PropertyFlag.messageID }
        if timestamp != nil { flags |= PropertyFlag.timestamp }
        if !type.isEmpty { flags |= PropertyFlag.type }
        if !appID.isEmpty { flags |= PropertyFlag.appID }
        return flags
    }

    private func writeHeaders(to writer: inout FieldWriter, _ texts: UnsafeBufferPointer<UInt8>) {
        let start = writer.count
        writer.put(UInt32(0))
        if !traceParent.isEmpty { unsafe writer.putEntry("traceparent", traceParent, of: texts) }
        if !traceState.isEmpty { unsafe writer.putEntry("tracestate", traceState, of: texts) }
        for (name, text) in headers { unsafe writer.putEntry(name, text, of: texts) }
        writer.replace(at: start, by: UInt32(writer.count - start - 4))
    }
}
