import CRabbitMQ
import Glibc

@testable import AMQP

/// What comes from a broker, or names one.
enum BrokerBytes {
    /// What is read is described so that it can be read again, and the password is never told.
    static func takeURI(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let url = try? AMQPURL(text) else { return }
        guard let again = try? AMQPURL(url.description) else { preconditionFailure("a description is a URL") }
        precondition(
            again.virtualHost == url.virtualHost && again.host == url.host && again.port == url.port,
            "and of the same broker")
        precondition(again.isSecure == url.isSecure && again.password == "guest", "and holds no password")
    }

    /// The frames reach a connection through its socket, and become events or an error, never more.
    static func takeFrames(_ bytes: [UInt8]) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return }
        defer { close(ends[0]) }
        // A connection begins with the protocol's name, which the library would wait for.
        _ = unsafe send(ends[0], "AMQP\0\0\u{9}\u{1}", 8, Int32(MSG_NOSIGNAL))
        guard let connection = connection(on: ends[1]) else { return }
        // Both ways of reading get their share.
        if bytes.count.isMultiple(of: 2) { connection.readDirectly() }
        _ = unsafe send(ends[0], bytes, min(bytes.count, 1 << 17), Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        shutdown(ends[0], Int32(SHUT_WR))
        var left = bytes.count + 1
        do {
            while let event = try connection.nextEvent() {
                if case .delivery = event { use(connection.message) }
                if case .returned = event { use(connection.message) }
                left -= 1
                precondition(left > 0, "there are no more events than bytes")
            }
        } catch {
            precondition(!error.description.isEmpty, "an error says what is wrong")
        }
    }

    private static func connection(on descriptor: Int32) -> Connection? {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        guard let state = unsafe amqp_new_connection(), let socket = unsafe amqp_tcp_socket_new(state) else {
            return nil
        }
        unsafe amqp_tcp_socket_set_sockfd(socket, descriptor)
        var frame = unsafe amqp_frame_t()
        var time = timeval()
        guard unsafe amqp_simple_wait_frame_noblock(state, &frame, &time) == AMQP_STATUS_OK.rawValue else { return nil }
        unsafe amqp_tune_connection(state, 1, Int32(Connection.frameByteCountMax), 0)
        return unsafe Connection(state: state, isSecure: false, peer: "fuzz", heartbeat: .zero)
    }

    private static func use(_ message: ReceivedMessage) {
        precondition(message.bytes.count <= 1 << 18, "no more is held than came")
        for range in [message.contentType, message.replyTo, message.messageID, message.traceParent] {
            _ = message.text(range)
        }
        _ = message.textHeaders()
    }
}
