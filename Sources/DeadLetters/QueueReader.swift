public import AMQP

/// Goes through the messages of a queue in their order; what is not removed stays where it is.
///
/// RabbitMQ puts what a quorum queue gets back behind all that it got back before, so the order is kept only when all
/// messages are given back together, in their order. Therefore the reader has the broker hand out every message at once,
/// however many are read in the end: a consumer's prefetch is handed out in one step, whenever the client dies. They are
/// given back by closing the connection, as the broker also does for a dead client; `nack` would mix them up on 3.x. A
/// delivery counts towards a quorum queue's delivery limit, however it is given back; `LookingPermission` tells whether
/// that can do harm.
public final class QueueReader {
    /// What `poll` found.
    public enum Step: Sendable {
        /// A message; it is in `message`.
        case message
        /// Nothing has come yet.
        case nothing
        /// All messages that were there at the beginning have been read.
        case end
    }

    /// How many messages can be held: what several consumers hold comes back in the order of their tags, as long as the
    /// queue has at most 32 consumers.
    public static let messageCountMax = consumerCountMax * prefetchMax
    private static let consumerCountMax = 30
    private static let prefetchMax = 65_535
    /// How long the broker may take for the next message while there are other consumers, and while there are none.
    private static let patienceWithOthers: Duration = .seconds(15)
    private static let patienceAlone: Duration = .seconds(120)

    /// The queue.
    public let queue: String
    /// How many messages were ready at the beginning; no more are read.
    public let messageCount: Int
    /// How many messages were read.
    public private(set) var readCount = 0
    /// The delivery tag of the message that was read last.
    public private(set) var deliveryTag: UInt64 = 0
    private var removedCount = 0
    private var consumerCount = 0
    private let connection: Connection
    private let control: Connection
    private var descriptors = DescriptorPoll()
    private var emptySince: ContinuousClock.Instant?
    /// Whether messages that were there at the beginning did not come, for others have taken them.
    public private(set) var isExhausted = false

    /// Takes the queue's messages; `control` is another connection to the same broker, for questions.
    public init(_ urls: [AMQPURL], queue: String, control: Connection) throws(AMQPError) {
        self.queue = queue
        self.control = control
        connection = try Connection.open(urls, name: "deeplink-worker dead")
        messageCount = try control.inspect(queue: queue).messageCount
        guard messageCount <= Self.messageCountMax else {
            throw AMQPError(
                .configuration,
                "The queue \(queue) has \(messageCount) messages; no more than \(Self.messageCountMax) can be held at a time, "
                    + "and fewer would come back in another order. Purge it, or let a program of its own consume it.")
        }
        // All in one piece: a client that dies in between has taken a part only, which comes back behind the others.
        var rest = messageCount
        for number in 1...Self.consumerCountMax where rest > 0 {
            let prefetch = min(rest, Self.prefetchMax)
            let tag = "deeplink-worker.dead.\(number < 10 ? "0" : "")\(number)"
            try connection.consume(queue: queue, prefetch: UInt16(prefetch), tag: tag)
            rest -= prefetch
            consumerCount = number
        }
        try connection.flush(now: .now)
    }

    /// The message that was read last.
    public var message: ReceivedMessage {
        get { connection.message }
        set { connection.message = newValue }
    }

    /// The descriptor to wait for.
    var descriptor: Int32 { connection.descriptor }
    /// Whether `poll` may find something without waiting.
    var mayHaveInput: Bool { connection.mayHaveInput }
    /// Whether there is something to write.
    var hasOutput: Bool { connection.hasOutput }

    private var heldCount: Int { messageCount - removedCount }

    /// Reads the next message if it has come; never waits.
    public func poll() throws(AMQPError) -> Step {
        guard readCount < messageCount, !isExhausted else { return .end }
        while let event = try connection.nextEvent() {
            switch event {
            case .delivery(let tag, _):
                readCount += 1
                deliveryTag = tag
                emptySince = nil
                return .message
            case .cancelled:
                throw AMQPError(.missing, "The queue \(queue) was deleted while it was read.")
            case .channelClosed(let reason), .connectionClosed(let reason):
                throw reason.error(at: connection.peer, doing: "read the queue \(queue)")
            default: break
            }
        }
        return .nothing
    }

    /// Waits for the next message; false at the end, and when `isInterrupted` says that no more is wanted.
    public func next(isInterrupted: () -> Bool = { false }) throws(AMQPError) -> Bool {
        while !isInterrupted() {
            switch try poll() {
            case .message: return true
            case .end: return false
            case .nothing: break
            }
            if try !wait(until: .now + .milliseconds(500)) { try noticeOthers() }
        }
        return false
    }

    /// Notices, when nothing comes for long, that others have taken the rest.
    ///
    /// A broker may also need long for a single message, whose headers are nested in thousands of tables.
    func noticeOthers() throws(AMQPError) {
        let status = try control.inspect(queue: queue)
        guard status.messageCount == 0 else { return emptySince = nil }
        let patience = status.consumerCount > consumerCount ? Self.patienceWithOthers : Self.patienceAlone
        if let since = emptySince, since.duration(to: .now) > patience { isExhausted = true }
        emptySince = emptySince ?? .now
    }

    /// Removes a message that was read from the queue.
    public func remove(_ tag: UInt64) throws(AMQPError) {
        removedCount += 1
        try connection.acknowledge(tag, multiple: false)
    }

    /// Removes every message that was read up to this one; none of them is to stay, and `count` were not yet removed.
    func removeAll(through tag: UInt64, count: Int) throws(AMQPError) {
        removedCount += count
        try connection.acknowledge(tag, multiple: true)
    }

    /// Keeps the connections alive while nothing is read, for example while a reader of the output pauses.
    public func idle() throws(AMQPError) { try beat(isReading: false) }

    /// Says that the socket is ready.
    func noteInput() { connection.noteInput(now: .now) }

    /// Keeps the connection alive, and writes what waits.
    func beat(isReading: Bool = true) throws(AMQPError) {
        try connection.beat(now: .now, isReading: isReading)
        try connection.flush(now: .now)
        // What comes in there waits for the next question.
        try control.beat(now: .now, isReading: false)
        try control.flush(now: .now)
    }

    /// Gives everything that was read and not removed back, in its order, and waits until the queue has it.
    public func end() throws(AMQPError) {
        try settleRemovals()
        try connection.close()
        try readUntil(within: .seconds(5)) { if case .connectionCloseOK = $0 { true } else { false } }
        let deadline = ContinuousClock.now + .seconds(5)
        while heldCount > 0, !isExhausted, try control.inspect(queue: queue).messageCount < heldCount, .now < deadline {
            descriptors.reset()
            descriptors.wait(until: .now + .milliseconds(20))
        }
    }

    /// Sees to it that the queue has the acknowledgements before the channel closes.
    ///
    /// RabbitMQ 3.10 gives back what was acknowledged singly just before; so it gets the time to take it.
    private func settleRemovals() throws(AMQPError) {
        guard removedCount > 0 else { return }
        try connection.askForRoundTrip()
        try readUntil(within: .seconds(30)) { if case .qosOK = $0 { true } else { false } }
        let settled = ContinuousClock.now + .milliseconds(250)
        while .now < settled {
            descriptors.reset()
            descriptors.wait(until: settled)
        }
    }

    private func readUntil(within limit: Duration, _ isAwaited: (FrameEvent) -> Bool) throws(AMQPError) {
        let deadline = ContinuousClock.now + limit
        while .now < deadline {
            while let event = try connection.nextEvent() { if isAwaited(event) { return } }
            _ = try wait(until: min(deadline, .now + .milliseconds(200)))
        }
    }

    /// Waits for the socket; false when the time has come first.
    private func wait(until deadline: ContinuousClock.Instant) throws(AMQPError) -> Bool {
        try beat()
        if connection.mayHaveInput { return true }
        descriptors.reset()
        let place = descriptors.add(connection.descriptor, reading: true, writing: connection.hasOutput)
        descriptors.wait(until: deadline)
        guard descriptors.isReady(place) else { return false }
        connection.noteInput(now: .now)
        return true
    }
}
