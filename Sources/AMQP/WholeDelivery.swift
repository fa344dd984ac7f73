/// A delivery of which all frames have come, with the body in one of them, where it lies in the input.
///
/// So nearly all come, and three frames read at once cost less than one after the other. Whatever is not exactly so is
/// left to the reading of single frames, which also tells what is wrong. It is valid until something else is taken.
@safe
struct WholeDelivery {
    let tag: UInt64
    let isRedelivered: Bool
    /// The encoded properties.
    let properties: UnsafeRawBufferPointer
    /// Where the body is, counted from the start of the properties.
    let body: Range<Int>
    /// The size of all its frames.
    let byteCount: Int

    /// Finds a delivery at the start of the input.
    init?(_ input: UnsafeRawBufferPointer, frameByteCountMax: Int) {
        let frames = unsafe Frames(input: input, payloadByteCountMax: frameByteCountMax - Frames.byteCountAround)
        guard let method = frames.payload(1, at: 0), method.count > 5,
            frames.number(at: method.lowerBound, UInt32.self) == MethodID.basicDeliver.rawValue
        else { return nil }
        // The consumer's tag, the delivery's number, and whether it comes again.
        let place = method.lowerBound + 5 + Int(frames.number(at: method.lowerBound + 4, UInt8.self))
        guard place + 9 <= method.upperBound, let header = frames.payload(2, at: method.upperBound + 1),
            header.count >= 12, frames.number(at: header.lowerBound, UInt16.self) == Connection.basicClass,
            let body = frames.payload(3, at: header.upperBound + 1), !body.isEmpty,
            frames.number(at: header.lowerBound + 4, UInt64.self) == UInt64(body.count)
        else { return nil }
        tag = frames.number(at: place, UInt64.self)
        isRedelivered = frames.number(at: place + 8, UInt8.self) & 1 != 0
        let start = header.lowerBound + 12
        unsafe properties = UnsafeRawBufferPointer(rebasing: input[start..<header.upperBound])
        self.body = body.lowerBound - start..<body.upperBound - start
        byteCount = body.upperBound + 1
    }
}

/// Frames one behind the other in memory.
@safe
private struct Frames {
    /// The type, the channel and the size in front of a payload, and the end behind it.
    static let byteCountAround = 8

    let input: UnsafeRawBufferPointer
    let payloadByteCountMax: Int

    /// Where the payload of the frame is that begins at a place; nil where the frame is of another type, or not whole.
    @inline(__always)
    func payload(_ type: UInt8, at start: Int) -> Range<Int>? {
        let rest = unsafe input.count - start - Self.byteCountAround
        guard rest >= 0, number(at: start, UInt8.self) == type else { return nil }
        let size = Int(number(at: start + 3, UInt32.self))
        guard size <= payloadByteCountMax, size <= rest else { return nil }
        let payload = start + 7..<start + 7 + size
        return number(at: payload.upperBound, UInt8.self) == FrameHeader.end ? payload : nil
    }

    /// The number at a place that was found to be within the input.
    @inline(__always)
    func number<Number: FixedWidthInteger>(at place: Int, _ type: Number.Type) -> Number {
        unsafe Number(bigEndian: input.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
}
