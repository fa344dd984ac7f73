internal import CRabbitMQ
internal import Glibc

/// One connection to a broker with one channel: frames in as events, frames out in batches, without blocking.
///
/// It belongs to one thread at a time and is the only owner of the library's state. Reading decodes into the library's
/// buffers and copies from there what must last; writing on plain TCP encodes into an own buffer that `flush` sends as
/// far as the socket takes it. On TLS the library writes itself, and may block for as long as TCP_USER_TIMEOUT.
@safe
public final class Connection {
    /// The largest frame that is asked for; RabbitMQ 4.1 refuses less than 8,192.
    public static let frameByteCountMax = 131_072
    static let channel: amqp_channel_t = 1

    let state: amqp_connection_state_t
    /// Whether the connection is encrypted.
    public let isSecure: Bool
    /// Where the connection leads, fit for logs.
    public let peer: String
    /// The socket, for `poll`; it is never read or written by others.
    public let descriptor: Int32
    let frameByteCountMax: Int
    /// The agreed heartbeat; zero: none.
    public let heartbeat: Duration
    var output = OutputBuffer(capacity: 64 << 10)
    /// The message that the last delivery or return brought; swap it out to keep it.
    public var message = ReceivedMessage()
    var assembly = Assembly()
    let headerEntries: UnsafeMutablePointer<amqp_table_entry_t>
    /// When bytes came last, as far as the caller said so.
    var lastReceived: ContinuousClock.Instant
    var lastSent: ContinuousClock.Instant
    /// Whether frames may wait that `poll` does not know of.
    public internal(set) var mayHaveInput = true

    /// Takes over a state that is logged in.
    init(state: amqp_connection_state_t, isSecure: Bool, peer: String, heartbeat: Duration) {
        unsafe self.state = state
        self.isSecure = isSecure
        self.peer = peer
        self.heartbeat = heartbeat
        descriptor = unsafe amqp_get_sockfd(state)
        frameByteCountMax = Int(unsafe amqp_get_frame_max(state))
        unsafe headerEntries = .allocate(capacity: 2 + OutgoingMessage.headerCountMax)
        lastReceived = .now
        lastSent = lastReceived
    }

    deinit {
        unsafe headerEntries.deallocate()
        unsafe amqp_destroy_connection(state)
    }

    /// Whether bytes wait for the socket.
    public var hasOutput: Bool { output.count > 0 }

    /// Whether the socket takes output now; plain TCP always does, for what it does not take waits in a buffer here.
    ///
    /// On TLS the library would block until it does, so that large batches should not be written at once.
    public var takesOutput: Bool { !isSecure || TCPSocket.isWritable(descriptor) }

    /// How many bytes wait for the socket.
    public var outputByteCount: Int { output.count }

    /// Sends what the socket takes now.
    public func flush(now: ContinuousClock.Instant) throws(AMQPError) {
        guard output.count > 0 else { return }
        if try output.send(to: descriptor) > 0 { lastSent = now }
    }

    /// Says that the socket became readable.
    public func noteInput(now: ContinuousClock.Instant) {
        lastReceived = now
        mayHaveInput = true
    }

    /// Sends a heartbeat when it is due, and throws when the peer has been silent for two of its own.
    ///
    /// A caller that does not read on purpose passes `isReading` false, for then silence says nothing.
    public func beat(now: ContinuousClock.Instant, isReading: Bool = true) throws(AMQPError) {
        guard heartbeat > .zero else { return }
        if !isReading {
            lastReceived = now
        } else if now - lastReceived > heartbeat * 2 {
            throw AMQPError(.closed, "The broker at \(peer) has been silent for \(now - lastReceived).")
        }
        if now - lastSent >= heartbeat / 2 {
            lastSent = now
            try writeHeartbeat()
        }
    }

    /// When `beat` has something to do next.
    public var nextBeat: ContinuousClock.Instant? {
        guard heartbeat > .zero else { return nil }
        return min(lastSent + heartbeat / 2, lastReceived + heartbeat * 2)
    }

    func failure(_ status: Int32, _ doing: String) -> AMQPError {
        let words = unsafe String(cString: amqp_error_string2(status))
        let code: AMQPError.Code =
            status == AMQP_STATUS_BAD_AMQP_DATA.rawValue || status == AMQP_STATUS_UNKNOWN_METHOD.rawValue
                || status == AMQP_STATUS_UNKNOWN_CLASS.rawValue
            ? .protocolViolation : .closed
        return AMQPError(code, "The connection to the broker at \(peer) broke while \(doing): \(words).")
    }
}
