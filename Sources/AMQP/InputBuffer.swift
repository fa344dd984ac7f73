internal import Glibc

/// A frame where it lies in the input: its payload is valid until the next one is taken.
@safe
struct Frame {
    let type: UInt8
    let payload: UnsafeRawBufferPointer
}

/// What is taken from the input at once.
enum Incoming {
    case frame(Frame)
    case delivery(WholeDelivery)
}

/// Bytes that came from a socket: received at the end, taken from the start frame by frame, without ever blocking.
///
/// Like `OutputBuffer` it owns raw memory, so that nothing is copied before it is known where it belongs.
@safe
struct InputBuffer: ~Copyable {
    /// Why there will be no more frames.
    enum Failure: Error {
        /// The peer has closed the connection.
        case ended
        /// The socket broke, with this error number.
        case broken(Int32)
        /// What came is no frame.
        case malformed
    }

    /// The type, the channel and the payload's size.
    private static let headerByteCount = 7

    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private let frameByteCountMax: Int
    private var start = 0
    private var end = 0
    /// Whether the last receiving took all that there was; then only `poll` can tell of more.
    private var isSocketEmpty = false

    /// Makes room for a frame of the largest size and what may come with it.
    init(frameByteCountMax: Int) {
        self.frameByteCountMax = frameByteCountMax
        capacity = frameByteCountMax + 1 << 17
        // A message is copied with what follows it.
        unsafe base = .allocate(byteCount: capacity + ReceivedMessage.paddingByteCount, alignment: 16)
    }

    deinit { unsafe base.deallocate() }

    /// The next whole frame, or the frames of a delivery where one may begin; nil when no more has come.
    mutating func next(from descriptor: Int32, mayBeDelivery: Bool) throws(Failure) -> Incoming? {
        while true {
            if mayBeDelivery, let delivery = wholeDelivery() { return .delivery(delivery) }
            if let frame = try wholeFrame() { return .frame(frame) }
            guard !isSocketEmpty, try receive(descriptor) else {
                isSocketEmpty = false
                return nil
            }
        }
    }

    private mutating func wholeDelivery() -> WholeDelivery? {
        let input = unsafe UnsafeRawBufferPointer(start: base + start, count: end - start)
        guard let delivery = unsafe WholeDelivery(input, frameByteCountMax: frameByteCountMax) else { return nil }
        start += delivery.byteCount
        return delivery
    }

    private mutating func wholeFrame() throws(Failure) -> Frame? {
        let count = end - start
        guard count >= Self.headerByteCount else { return nil }
        let head = unsafe base + start
        let size = unsafe Int(UInt32(bigEndian: head.loadUnaligned(fromByteOffset: 3, as: UInt32.self)))
        let whole = size + Self.headerByteCount + 1
        guard whole <= frameByteCountMax else { throw .malformed }
        guard count >= whole else { return nil }
        guard unsafe head.load(fromByteOffset: whole - 1, as: UInt8.self) == FrameHeader.end else { throw .malformed }
        start += whole
        let payload = unsafe UnsafeRawBufferPointer(start: head + Self.headerByteCount, count: size)
        return unsafe Frame(type: head.load(as: UInt8.self), payload: payload)
    }

    /// Receives once, what there is room for; false where nothing has come.
    private mutating func receive(_ descriptor: Int32) throws(Failure) -> Bool {
        if start > 0 {
            unsafe memmove(base, base + start, end - start)
            end -= start
            start = 0
        }
        let room = capacity - end
        while true {
            let count = unsafe recv(descriptor, base + end, room, Int32(MSG_DONTWAIT))
            if count > 0 {
                end += count
                isSocketEmpty = count < room
                return true
            }
            if count == 0 { throw .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return false
            default: throw .broken(errno)
            }
        }
    }
}
