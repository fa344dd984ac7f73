internal import CRabbitMQ
internal import Glibc

/// What a user may do, asked without changing anything.
extension Connection {
    /// Whether the user may read a queue; nil where the broker's answer does not tell.
    ///
    /// It asks for a consumer with an argument that no broker takes: the permission is checked first. It waits for the
    /// broker, and leaves the channel open.
    public func mayRead(queue name: String) throws(AMQPError) -> Bool? {
        var entry = unsafe amqp_table_entry_t(
            key: ("x-priority" as StaticString).bytes, value: .text(("none" as StaticString).bytes))
        let arguments = unsafe withUnsafeMutablePointer(to: &entry) { unsafe amqp_table_t(num_entries: 1, entries: $0) }
        try unsafe name.withBytes { (name) throws(AMQPError) in
            _ = unsafe amqp_basic_consume(state, Self.channel, name, amqp_bytes_t(), 0, 0, 0, arguments)
        }
        do throws(AMQPError) { try checkReply("read the queue \(name)") } catch {
            switch error.replyCode {
            case 403:
                try reopenChannel()
                return false
            case 406:
                try reopenChannel()
                return true
            case 404:
                try reopenChannel()
                return nil
            default: throw error
            }
        }
        throw AMQPError(.protocolViolation, "The broker \(peer) takes a consumer whose priority is no number.")
    }

    /// Whether the user may publish to queues, and whether the broker takes a message of that size.
    ///
    /// A message to a queue that does not exist comes back. It waits for the broker; unless all is well the channel is
    /// closed, so drop the connection.
    public func tryPublishing(byteCount: Int, within limit: Duration) throws(AMQPError) -> PublishTrial {
        try selectConfirms()
        var message = OutgoingMessage()
        message.routingKey = message.text("deeplink-worker.doctor.\(UInt64.random(in: .min ... .max))")
        message.isPersistent = false
        let body = [UInt8](repeating: UInt8(ascii: " "), count: byteCount)
        try publish(message, body: body.span)
        var isReturned = false
        var poll = DescriptorPoll()
        let deadline = ContinuousClock.now + limit
        while .now < deadline {
            try flush(now: .now)
            while let event = try nextEvent() {
                switch event {
                case .returned: isReturned = true
                case .confirmed where isReturned: return .taken
                case .confirmed: return .taken
                case .blocked(let reason): return .blocked(reason)
                case .channelClosed(let reason) where reason.code == 403: return .denied
                case .channelClosed(let reason), .connectionClosed(let reason): return .refused(reason.text)
                default: break
                }
            }
            poll.reset()
            let place = poll.add(descriptor, reading: true, writing: hasOutput)
            poll.wait(until: deadline)
            if poll.isReady(place) { noteInput(now: .now) }
        }
        throw AMQPError(.timeout, "The broker \(peer) has not confirmed a message within \(limit).")
    }

    /// What became of a message to no queue.
    public enum PublishTrial: Sendable, Hashable {
        /// The broker took it and gave it back.
        case taken
        /// The user may not publish to the default exchange.
        case denied
        /// The broker takes no messages for now, for the reason given.
        case blocked(String)
        /// The broker does not take such a message, in its own words.
        case refused(String)
    }

    /// How many seconds the broker's clock is before this one's; a fraction of a second is not seen.
    ///
    /// A message that expires in a queue of its own is marked with the broker's time. Nil where none came. It waits for
    /// the broker; the queues go with the connection.
    public func clockOffset(within limit: Duration) throws(AMQPError) -> Int? {
        let target = try declareReplyQueue()
        let source = try declareReplyQueue([
            .init("x-message-ttl", .number(0)), .init("x-dead-letter-exchange", .text("")),
            .init("x-dead-letter-routing-key", .text(target)),
        ])
        try consume(queue: target, prefetch: 0, tag: "clock", needsAcknowledging: false)
        var message = OutgoingMessage()
        message.routingKey = message.text(source)
        message.isPersistent = false
        let body: [UInt8] = []
        try publish(message, body: body.span)
        var poll = DescriptorPoll()
        let deadline = ContinuousClock.now + limit
        while .now < deadline {
            try flush(now: .now)
            while let event = try nextEvent() {
                guard case .delivery = event else { continue }
                let here = time(nil)
                return self.message.properties().brokerTime.map { Int(clamping: $0) - here }
            }
            poll.reset()
            let place = poll.add(descriptor, reading: true, writing: hasOutput)
            poll.wait(until: deadline)
            if poll.isReady(place) { noteInput(now: .now) }
        }
        return nil
    }
}

extension MessageProperties {
    /// When the broker dead-lettered the message last, in seconds since 1970.
    public var brokerTime: UInt64? {
        guard case .array(let deaths)? = headers.first(where: { $0.name == "x-death" })?.value,
            case .table(let newest)? = deaths.first,
            case .timestamp(let seconds)? = newest.first(where: { $0.name == "time" })?.value
        else { return nil }
        return seconds
    }
}
