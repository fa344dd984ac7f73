internal import CRabbitMQ
internal import Glibc

/// The log-in: who the client is and what it can do.
struct Login {
    let url: AMQPURL
    let name: String
    let mechanism: AMQPURL.Mechanism

    /// The capabilities that make the broker send what the worker must know.
    private static let capabilities: [StaticString] = [
        "consumer_cancel_notify", "connection.blocked", "publisher_confirms", "basic.nack",
        "authentication_failure_close", "per_consumer_qos",
    ]

    static func setTimeouts(_ state: amqp_connection_state_t, _ timeout: Duration) {
        var time = timeval(timeout)
        unsafe amqp_set_handshake_timeout(state, &time)
        unsafe amqp_set_rpc_timeout(state, &time)
    }

    /// Logs in and returns the agreed heartbeat in seconds.
    ///
    /// The library's own heartbeats are turned off: they would break into a frame that is written in part.
    func perform(_ state: amqp_connection_state_t) throws(AMQPError) -> Int {
        let reply = unsafe logIn(state)
        try unsafe Self.check(reply, peer: "\(url.host):\(url.port)", doing: "log in")
        let heartbeat = unsafe Int(amqp_get_heartbeat(state))
        let status = unsafe amqp_tune_connection(state, amqp_get_channel_max(state), amqp_get_frame_max(state), 0)
        guard status == AMQP_STATUS_OK.rawValue else { fatalError("out of memory") }
        return heartbeat
    }

    private func logIn(_ state: amqp_connection_state_t) -> amqp_rpc_reply_t {
        var capabilities = unsafe Self.capabilities.map { name in
            var value = unsafe amqp_field_value_t()
            unsafe value.kind = UInt8(ascii: "t")
            unsafe value.value.boolean = 1
            return unsafe amqp_table_entry_t(key: name.bytes, value: value)
        }
        var nameBytes = Array(name.utf8)
        return unsafe capabilities.withUnsafeMutableBufferPointer { capabilities in
            unsafe nameBytes.withUnsafeMutableBufferPointer { nameBytes in
                var table = unsafe amqp_field_value_t()
                unsafe table.kind = UInt8(ascii: "F")
                unsafe table.value.table = amqp_table_t(
                    num_entries: Int32(capabilities.count), entries: capabilities.baseAddress)
                let nameText = unsafe amqp_bytes_t(
                    len: nameBytes.count, bytes: UnsafeMutableRawPointer(nameBytes.baseAddress))
                var entries = unsafe [
                    amqp_table_entry_t(key: ("capabilities" as StaticString).bytes, value: table),
                    amqp_table_entry_t(key: ("connection_name" as StaticString).bytes, value: .text(nameText)),
                    amqp_table_entry_t(
                        key: ("product" as StaticString).bytes, value: .text(("deeplink-worker" as StaticString).bytes)),
                ]
                return unsafe entries.withUnsafeMutableBufferPointer { entries in
                    var properties = unsafe amqp_table_t(
                        num_entries: Int32(entries.count), entries: entries.baseAddress)
                    return unsafe crabbitmq_login(
                        state, url.virtualHost, Int32(url.channelMax), Int32(Connection.frameByteCountMax),
                        Int32(url.heartbeatSeconds), &properties, mechanism == .external ? 1 : 0, url.user,
                        url.password)
                }
            }
        }
    }

    /// Throws what a reply of the library says.
    static func check(_ reply: amqp_rpc_reply_t, peer: String, doing: String) throws(AMQPError) {
        switch unsafe reply.reply_type {
        case AMQP_RESPONSE_NORMAL: return
        case AMQP_RESPONSE_SERVER_EXCEPTION: throw unsafe refusal(reply.reply, peer: peer, doing: doing)
        default:
            let status = unsafe reply.library_error
            let words = reason(of: status)
            let code: AMQPError.Code =
                switch status {
                case AMQP_STATUS_TIMEOUT.rawValue: .timeout
                case AMQP_STATUS_SSL_ERROR.rawValue: .tls
                case AMQP_STATUS_BROKER_UNSUPPORTED_SASL_METHOD.rawValue: .denied
                case AMQP_STATUS_BAD_AMQP_DATA.rawValue, AMQP_STATUS_INCOMPATIBLE_AMQP_VERSION.rawValue:
                    .protocolViolation
                default: .closed
                }
            throw AMQPError(code, "Could not \(doing) at the broker \(peer): \(words).")
        }
    }

    /// OpenSSL's own words where TLS broke, for example over a certificate that the broker misses, else the library's.
    private static func reason(of status: Int32) -> String {
        if status == AMQP_STATUS_SSL_ERROR.rawValue, let reason = TLSSettings.lastReason() { return reason }
        return unsafe String(cString: amqp_error_string2(status))
    }

    private static func refusal(_ method: amqp_method_t, peer: String, doing: String) -> AMQPError {
        let reason: CloseReason
        guard let fields = unsafe method.decoded else { return AMQPError(.closed, "Could not \(doing) at \(peer).") }
        if unsafe method.id == MethodID.channelClose.rawValue {
            let close = unsafe fields.assumingMemoryBound(to: amqp_channel_close_t.self)
            reason = unsafe CloseReason(code: close.pointee.reply_code, words: close.pointee.reply_text)
        } else {
            let close = unsafe fields.assumingMemoryBound(to: amqp_connection_close_t.self)
            reason = unsafe CloseReason(code: close.pointee.reply_code, words: close.pointee.reply_text)
        }
        return refusal(reason, peer: peer, doing: doing)
    }

    static func refusal(_ reason: CloseReason, peer: String, doing: String) -> AMQPError {
        let words = reason.text.hasSuffix(".") ? String(reason.text.dropLast()) : reason.text
        let sentence = "Could not \(doing) at the broker \(peer): \(reason.code) \(words)."
        switch reason.code {
        case 403:
            return AMQPError(
                .denied, sentence + " Check the user, the password and the user's permissions.", replyCode: 403)
        case 530 where reason.text.contains("limit"):
            // A limit on connections or channels: there is room again when others leave.
            return AMQPError(.closed, sentence, replyCode: 530)
        case 530:
            return AMQPError(
                .denied, sentence + " Check the virtual host and the user's access to it.", replyCode: 530)
        case 404: return AMQPError(.missing, sentence, replyCode: 404)
        case 406: return AMQPError(.mismatch, sentence, replyCode: 406)
        default: return AMQPError(.closed, sentence, replyCode: reason.code)
        }
    }
}
