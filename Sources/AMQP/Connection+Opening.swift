internal import CRabbitMQ
internal import Glibc

extension Connection {
    /// Connects and logs in, and opens the channel: the URLs in random order, each host's addresses in random order.
    ///
    /// It waits, at most for the URL's time-out in each step. The error is one that may pass, if any URL's may: only where
    /// none is worth another attempt is it one that no retry can help.
    public static func open(_ urls: [AMQPURL], name: String) throws(AMQPError) -> Connection {
        var problem = AMQPError(.configuration, "No AMQP URL is given.")
        for url in urls.shuffled() {
            do throws(AMQPError) {
                return try open(url, name: name)
            } catch {
                if error.mayPass || !problem.mayPass { problem = error }
            }
        }
        throw problem
    }

    private static func open(_ url: AMQPURL, name: String) throws(AMQPError) -> Connection {
        var problem = AMQPError(.unreachable, "The name \(url.host) leads to no address.")
        for address in try Address.resolve(url.host, port: url.port, within: url.connectionTimeout).shuffled() {
            do throws(AMQPError) {
                return try openByAnyMechanism(url, at: address, name: name)
            } catch {
                problem = error
                guard error.mayPass else { break }
            }
        }
        throw problem
    }

    /// A broker that does not offer the first mechanism is asked again with the next.
    private static func openByAnyMechanism(
        _ url: AMQPURL, at address: Address, name: String
    ) throws(AMQPError) -> Connection {
        for mechanism in url.mechanisms.dropLast() {
            do throws(AMQPError) {
                return try open(url, at: address, login: Login(url: url, name: name, mechanism: mechanism))
            } catch  where error.code == .denied && error.replyCode == nil {
                continue
            }
        }
        return try open(url, at: address, login: Login(url: url, name: name, mechanism: url.mechanisms.last ?? .plain))
    }

    private static func open(_ url: AMQPURL, at address: Address, login: Login) throws(AMQPError) -> Connection {
        guard let state = unsafe amqp_new_connection() else { fatalError("out of memory") }
        var isOwned = false
        defer { if !isOwned { unsafe amqp_destroy_connection(state) } }
        try unsafe attachSocket(state, url, address)
        let heartbeat = try unsafe login.perform(state)
        isOwned = true
        let connection = unsafe Connection(
            state: state, isSecure: url.isSecure, peer: "\(url.host):\(url.port)", heartbeat: .seconds(heartbeat))
        TCPSocket.configure(connection.descriptor)
        connection.expectReading(true)
        _ = unsafe amqp_channel_open(state, channel)
        try connection.checkReply("open a channel")
        return connection
    }

    private static func attachSocket(
        _ state: amqp_connection_state_t, _ url: AMQPURL, _ address: Address
    ) throws(AMQPError) {
        unsafe Login.setTimeouts(state, url.connectionTimeout)
        guard url.isSecure else {
            guard let socket = unsafe amqp_tcp_socket_new(state) else { fatalError("out of memory") }
            let descriptor = try TCPSocket.connect(to: address, within: url.connectionTimeout)
            unsafe amqp_tcp_socket_set_sockfd(socket, descriptor)
            return
        }
        guard let socket = unsafe amqp_ssl_socket_new(state) else { fatalError("out of memory") }
        try unsafe TLSSettings.apply(url, to: socket)
        var time = timeval(url.connectionTimeout)
        let status = unsafe amqp_socket_open_noblock(socket, address.host, Int32(address.port), &time)
        guard status != AMQP_STATUS_OK.rawValue else { return }
        let place = "\(url.host):\(address.port)"
        if status == AMQP_STATUS_SSL_CONNECTION_FAILED.rawValue || status == AMQP_STATUS_SSL_ERROR.rawValue {
            let reason = TLSSettings.lastReason() ?? "the handshake failed"
            throw AMQPError(
                .tls,
                "TLS with the broker at \(place) failed: \(reason). Check its certificate, cacertfile and the name.")
        }
        let words = unsafe String(cString: amqp_error_string2(status))
        let code: AMQPError.Code = status == AMQP_STATUS_TIMEOUT.rawValue ? .timeout : .unreachable
        throw AMQPError(code, "No connection to the broker at \(place): \(words).")
    }

    /// Whether the broker should read what is sent: then the kernel ends the connection when it does not for two heartbeats.
    ///
    /// A broker that blocks a connection stops reading it, and lives; heartbeats still tell when it does not.
    public func expectReading(_ isExpected: Bool) {
        let limit: Duration = heartbeat > .zero ? heartbeat * 2 : .seconds(60)
        TCPSocket.limitSilence(of: descriptor, to: isExpected || heartbeat == .zero ? limit : .zero)
    }

    /// Turns confirms on: every later publish is confirmed or refused, numbered from 1.
    public func selectConfirms() throws(AMQPError) {
        _ = unsafe amqp_confirm_select(state, Self.channel)
        try checkReply("turn on publisher confirms")
    }

    /// Opens the channel again after the broker has closed it over a call that waits; the connection stays.
    func reopenChannel() throws(AMQPError) {
        var closeOK = amqp_channel_close_ok_t(dummy: 0)
        let status = unsafe amqp_send_method(state, Self.channel, MethodID.channelCloseOK.rawValue, &closeOK)
        guard status == AMQP_STATUS_OK.rawValue else { throw failure(status, "closing a channel") }
        _ = unsafe amqp_channel_open(state, Self.channel)
        try checkReply("open a channel")
    }

    /// Throws when the last call that waits for the broker failed.
    func checkReply(_ doing: String) throws(AMQPError) {
        let reply = unsafe amqp_get_rpc_reply(state)
        try unsafe Login.check(reply, peer: peer, doing: doing)
    }
}

extension timeval {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}
