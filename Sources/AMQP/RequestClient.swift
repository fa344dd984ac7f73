internal import Glibc

/// A client that sends requests to a queue and gives the answers back in the order of the requests.
///
/// It has one connection, blocks the calling thread, and keeps a bounded number of requests under way.
public final class RequestClient {
    /// Where the answers come.
    public enum ReplyMode: Sendable {
        /// To a queue of this connection's own, which goes with it.
        case exclusiveQueue
        /// Straight to this connection (RabbitMQ's direct reply-to).
        case direct
    }

    /// What became of a request.
    public enum Outcome: Sendable, Hashable {
        /// The answer's body.
        case answer([UInt8])
        /// There is no such queue.
        case unroutable
        /// The broker did not take the request.
        case refused
        /// No answer came in time; the request may still be answered.
        case timeout
    }

    private let connection: Connection
    private let queue: String
    private let replyTo: String
    private let timeout: Duration
    private let windowMax: Int
    private let run: String
    private var outgoing = OutgoingMessage()
    private var sentAt: [Int: ContinuousClock.Instant] = [:]
    private var finished: [Int: Outcome] = [:]
    private var nextToReport = 0
    private var sentCount = 0

    /// Connects, and prepares where the answers come.
    ///
    /// `timeout` is how long an answer may take, `windowMax` how many requests are under way at most.
    public init(
        urls: [AMQPURL], queue: String, replyMode: ReplyMode = .exclusiveQueue, timeout: Duration = .seconds(30),
        windowMax: Int = 200
    ) throws(AMQPError) {
        connection = try Connection.open(urls, name: "deeplink-worker send")
        self.queue = queue
        self.timeout = timeout
        self.windowMax = windowMax
        run = String(UInt64.random(in: .min ... .max), radix: 16)
        try connection.selectConfirms()
        replyTo =
            switch replyMode {
            case .exclusiveQueue: try connection.declareReplyQueue()
            case .direct: "amq.rabbitmq.reply-to"
            }
        try connection.consume(queue: replyTo, prefetch: 0, tag: "answers", needsAcknowledging: false)
    }

    /// Sends what `next` gives until it gives nil, and calls `report` for each request in order.
    public func send(
        _ next: () -> [UInt8]?, report: (_ index: Int, _ outcome: Outcome) -> Void
    ) throws(AMQPError) {
        var isAtEnd = false
        while !isAtEnd || nextToReport < sentCount {
            while !isAtEnd, sentCount - nextToReport < windowMax, connection.outputByteCount < 1 << 20 {
                guard let body = next() else {
                    isAtEnd = true
                    break
                }
                try publish(body)
            }
            try connection.flush(now: .now)
            try wait()
            try read()
            expire()
            while let outcome = finished.removeValue(forKey: nextToReport) {
                report(nextToReport, outcome)
                nextToReport += 1
            }
        }
    }

    /// Sends one request and waits for its answer.
    public func send(_ body: [UInt8]) throws(AMQPError) -> Outcome {
        var rest: [UInt8]? = body
        var result = Outcome.timeout
        try send({ rest.take() }, report: { _, outcome in result = outcome })
        return result
    }

    private func publish(_ body: [UInt8]) throws(AMQPError) {
        outgoing.reset()
        outgoing.routingKey = outgoing.text(queue)
        outgoing.replyTo = outgoing.text(replyTo)
        outgoing.contentType = outgoing.text("application/json")
        outgoing.correlationID = outgoing.text("\(run)-\(sentCount)")
        outgoing.messageID = outgoing.text("\(run)-\(sentCount)")
        outgoing.timestamp = UInt64(max(0, time(nil)))
        try connection.publish(outgoing, body: body.span)
        sentAt[sentCount] = .now
        sentCount += 1
    }

    private func wait() throws(AMQPError) {
        guard sentCount > nextToReport, !connection.mayHaveInput else { return }
        let events = Int16(POLLIN) | (connection.hasOutput ? Int16(POLLOUT) : 0)
        let oldest = sentAt.values.min().map { $0 + timeout } ?? .now
        let deadline = min(oldest, .now + .seconds(1))
        if TCPSocket.wait(connection.descriptor, events: events, until: deadline) { connection.noteInput(now: .now) }
        try connection.beat(now: .now)
    }

    private func read() throws(AMQPError) {
        while let event = try connection.nextEvent() {
            switch event {
            case .delivery:
                let body = connection.message.bytes[connection.message.body.indices]
                finish(connection.message, .answer(Array(body)))
            case .returned: finish(connection.message, .unroutable)
            case .refused(let tag, let multiple): refused(tag, multiple)
            case .channelClosed(let reason), .connectionClosed(let reason):
                throw Login.refusal(reason, peer: connection.peer, doing: "send requests to \(queue)")
            case .cancelled:
                throw AMQPError(.closed, "The broker \(connection.peer) cancelled the reply queue.")
            case .confirmed, .consumeOK, .cancelOK, .qosOK, .blocked, .unblocked, .channelCloseOK,
                .connectionCloseOK, .other:
                break
            }
        }
    }

    private func finish(_ message: ReceivedMessage, _ outcome: Outcome) {
        let correlation = message.text(message.correlationID)
        guard correlation.hasPrefix(run + "-"), let index = Int(correlation.dropFirst(run.utf8.count + 1)),
            sentAt.removeValue(forKey: index) != nil
        else { return }
        finished[index] = outcome
    }

    /// Publishes are numbered from 1 as requests are from 0.
    private func refused(_ tag: UInt64, _ multiple: Bool) {
        let last = Int(tag) - 1
        for index in multiple ? nextToReport...max(nextToReport, last) : last...last
        where sentAt.removeValue(forKey: index) != nil {
            finished[index] = .refused
        }
    }

    private func expire() {
        let now = ContinuousClock.now
        for (index, moment) in sentAt where now - moment >= timeout {
            sentAt[index] = nil
            finished[index] = .timeout
        }
    }
}
