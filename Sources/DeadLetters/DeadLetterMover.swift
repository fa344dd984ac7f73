public import AMQP

/// Takes dead letters out of their queue, in its order: to another queue, or to nowhere.
///
/// A message is removed only after the broker has confirmed its copy. No more messages are looked at than there were at
/// the beginning, so that what comes back at once does not go round and round. After a crash between confirm and removal
/// a message is in both queues.
public final class DeadLetterMover {
    /// What became of the messages.
    public struct Report: Sendable, Hashable {
        /// How many messages were looked at.
        public var considered = 0
        /// How many of them met the conditions.
        public var matched = 0
        /// How many were moved, or removed.
        public var moved = 0
        /// Why it ended early, in a sentence; nil when all that matched were moved.
        public var problem: String?
    }

    /// How many copies may be unconfirmed.
    private static let windowMax = 500
    /// How long the broker may take to confirm a copy.
    private static let confirmTimeout: Duration = .seconds(60)

    private let reader: QueueReader
    private let publisher: Connection?
    private let target: String
    private let filter: DeadLetterFilter
    private let limit: Int
    private var report = Report()
    /// The tags of the messages whose copies are unconfirmed, by the number of the publish.
    private var unconfirmed: [UInt64: UInt64] = [:]
    private var publishCount: UInt64 = 0
    /// Whether a message stays behind, after which nothing may be acknowledged together.
    private var hasKept = false
    private var isBlocked = false
    private var isReturned = false
    private var lastProgress = ContinuousClock.now
    private var descriptors = DescriptorPoll()

    /// Prepares to move what meets the conditions, at most `limit` messages; `target` nil removes them.
    public init(
        _ urls: [AMQPURL], reader: QueueReader, to target: String?, filter: DeadLetterFilter, limit: Int = .max
    ) throws(AMQPError) {
        self.reader = reader
        self.filter = filter
        self.limit = limit
        self.target = target ?? ""
        guard let target else {
            publisher = nil
            return
        }
        let connection = try Connection.open(urls, name: "deeplink-worker dead")
        _ = try connection.inspect(queue: target)
        try connection.selectConfirms()
        publisher = connection
    }

    /// Moves, and gives back what stays; `progress` is told how many messages were looked at.
    ///
    /// When `isInterrupted` says so, nothing more is taken, and what is under way is finished.
    public func run(
        progress: (Int) -> Void = { _ in }, isInterrupted: () -> Bool = { false }
    ) throws(AMQPError) -> Report {
        lastProgress = .now
        var isAtEnd = false
        while !isAtEnd || !unconfirmed.isEmpty {
            if isInterrupted(), report.problem == nil { report.problem = "it was interrupted" }
            if report.problem != nil { isAtEnd = true }
            if !isAtEnd { isAtEnd = try take() }
            progress(report.considered)
            try readPublisher()
            if isConfirmOverdue {
                report.problem = "the broker has not confirmed copies for \(Self.confirmTimeout)"
                break
            }
            if !isAtEnd || !unconfirmed.isEmpty { try wait(isReading: !isAtEnd) }
        }
        try reader.end()
        return report
    }

    private var isConfirmOverdue: Bool {
        !unconfirmed.isEmpty && !isBlocked && lastProgress.duration(to: .now) > Self.confirmTimeout
    }

    /// Takes what has come, as far as the window allows; true when there is no more to take.
    private func take() throws(AMQPError) -> Bool {
        while unconfirmed.count < Self.windowMax, (publisher?.outputByteCount ?? 0) < 1 << 20 {
            guard report.matched < limit else { return true }
            switch try reader.poll() {
            case .end: return true
            case .nothing: return false
            case .message: try consider()
            }
        }
        return false
    }

    private func consider() throws(AMQPError) {
        report.considered += 1
        lastProgress = .now
        let isMatch = filter.isEmpty || filter.matches(DeadLetter(reader.message, position: reader.readCount))
        guard isMatch else { return hasKept = true }
        report.matched += 1
        guard let publisher else {
            try reader.remove(reader.deliveryTag)
            report.moved += 1
            return
        }
        guard !reader.message.isBodyDiscarded else {
            hasKept = true
            report.problem = "message \(reader.readCount) is larger than 16 MiB, which is not held in memory"
            return
        }
        guard try publisher.republish(reader.message, to: target, replacingHeaders: "deeplink-", by: []) else {
            hasKept = true
            report.problem = "the headers of message \(reader.readCount) do not fit in a frame"
            return
        }
        publishCount += 1
        unconfirmed[publishCount] = reader.deliveryTag
    }

    /// Takes confirms, and what the broker does not take.
    private func readPublisher() throws(AMQPError) {
        guard let publisher else { return }
        try publisher.flush(now: .now)
        while let event = try publisher.nextEvent() {
            switch event {
            case .confirmed(let number, let multiple):
                // The confirm of a message follows its return; what is confirmed with it cannot be told apart.
                if isReturned {
                    keep(number, multiple, "the queue \(target) is gone")
                } else {
                    try confirm(number, multiple)
                }
                isReturned = false
            case .refused(let number, let multiple):
                keep(number, multiple, "the queue \(target) takes no more messages")
            case .returned: isReturned = true
            case .blocked: isBlocked = true
            case .unblocked: isBlocked = false
            case .channelClosed(let reason), .connectionClosed(let reason):
                throw reason.error(at: publisher.peer, doing: "publish to the queue \(target)")
            default: break
            }
        }
    }

    private func keep(_ number: UInt64, _ multiple: Bool, _ problem: String) {
        for number in numbers(number, multiple) { unconfirmed[number] = nil }
        hasKept = true
        report.problem = report.problem ?? problem
    }

    private func confirm(_ number: UInt64, _ multiple: Bool) throws(AMQPError) {
        lastProgress = .now
        let numbers = numbers(number, multiple)
        report.moved += numbers.count
        let tags = numbers.compactMap { unconfirmed.removeValue(forKey: $0) }
        if multiple, !hasKept, let last = tags.last { return try reader.removeAll(through: last, count: tags.count) }
        for tag in tags { try reader.remove(tag) }
    }

    /// The unconfirmed publishes that an answer of the broker is about.
    private func numbers(_ number: UInt64, _ multiple: Bool) -> [UInt64] {
        multiple ? unconfirmed.keys.filter { $0 <= number }.sorted() : unconfirmed[number] == nil ? [] : [number]
    }

    private func wait(isReading: Bool) throws(AMQPError) {
        let isReading = isReading && unconfirmed.count < Self.windowMax
        try reader.beat(isReading: isReading)
        try publisher?.beat(now: .now)
        try publisher?.flush(now: .now)
        if publisher?.mayHaveInput == true || isReading && reader.mayHaveInput { return }
        descriptors.reset()
        let source = descriptors.add(reader.descriptor, reading: isReading, writing: reader.hasOutput)
        let sink = publisher.map { descriptors.add($0.descriptor, reading: true, writing: $0.hasOutput) }
        descriptors.wait(until: .now + .milliseconds(500))
        let hasSource = descriptors.isReady(source)
        if hasSource { reader.noteInput() }
        if let sink, descriptors.isReady(sink) { publisher?.noteInput(now: .now) }
        if isReading, !hasSource, unconfirmed.isEmpty { try reader.noticeOthers() }
    }
}
