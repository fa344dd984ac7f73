internal import AMQP
internal import Glibc

/// One producer: sends its share of the requests, takes their answers, and counts.
///
/// It has a thread, a connection for publishing and one for the answers. When a connection is lost it is opened again,
/// and what was not confirmed is published again under the same ids. A request's id is its run, its producer and its
/// number, so that an answer tells all of it.
final class Producer {
    /// After how long without a connection a run is given up.
    private static let patience: Duration = .seconds(120)
    /// How many publishes may be unconfirmed; more would only wait in the broker.
    private static let unconfirmedMax = 5000
    /// How many publishes are written before the answers are looked at again.
    private static let batchMax = 256
    private static let retryWait: Duration = .milliseconds(200)

    let settings: LoadSettings
    let number: Int
    let names: RequestNames
    let progress: ProducerProgress
    var start = ContinuousClock.now
    var report = LoadReport()
    var answers = AnswerLedger()
    var confirms = PublishLedger()
    var publisher: Connection?
    var consumer: Connection?
    var replyQueue: String
    var isReplyQueueGone = false
    var isBlocked = false
    /// The requests to be published again, and when.
    var again: [Int] = []
    var againAt: Int64 = 0
    var unacknowledgedCount = 0
    var lastTag: UInt64 = 0
    private var lostAt: ContinuousClock.Instant?
    private var retryAt = ContinuousClock.now
    private var outgoing: OutgoingMessage
    private let queue: ByteRange
    private let contentType: ByteRange
    private var descriptors = DescriptorPoll()
    private let schedule: OpenLoopSchedule?
    private let countMax: Int
    private var lastAnswerAt: Int64 = 0

    /// Connects; the first attempt's error is thrown.
    init(_ settings: LoadSettings, run: String, number: Int, progress: ProducerProgress) throws(AMQPError) {
        self.settings = settings
        self.number = number
        self.progress = progress
        names = RequestNames(run: run, producer: number)
        schedule = settings.rate.map { OpenLoopSchedule(rate: $0, producer: number, of: settings.producers) }
        // What is the same in all requests is taken over once.
        var request = OutgoingMessage()
        queue = request.constant(settings.queue)
        contentType = request.constant("application/json")
        outgoing = request
        countMax = settings.count.map { ($0 + settings.producers - 1 - number) / settings.producers } ?? .max
        let publisher = try Connection.open(settings.urls, name: "deeplink-worker load \(number)")
        _ = try publisher.inspect(queue: settings.queue)
        try publisher.selectConfirms()
        let consumer = try Connection.open(settings.urls, name: "deeplink-worker load \(number) answers")
        replyQueue = try Self.declareReplyQueue(consumer, settings.replyMode)
        try Self.consume(consumer, replyQueue, settings.replyMode)
        self.publisher = publisher
        self.consumer = consumer
    }

    /// The nanoseconds from the beginning.
    var now: Int64 { Int64(start.duration(to: .now) / .nanoseconds(1)) }

    /// Works until everything is sent and answered, or no more answers come.
    func run(from start: ContinuousClock.Instant) {
        self.start = start
        var endAt: Int64?
        while true {
            reconnect()
            guard report.problem == nil else { break }
            let time = now
            let isSending = isSending(at: time)
            if isSending { send(until: time) } else if endAt == nil { endAt = time }
            sendAgain()
            readPublisher()
            readAnswers()
            flush()
            progress.update(report, answers, at: now)
            if let endAt, isFinished(since: endAt) { break }
            wait(isSending: isSending)
        }
        linger()
        report.sent = answers.sentCount
        report.answered = answers.answeredCount
        report.seconds = Double(max(lastAnswerAt, 1)) / 1e9
        close()
    }

    private func isSending(at time: Int64) -> Bool {
        if answers.sentCount >= countMax || progress.isInterrupted { return false }
        guard let duration = settings.duration else { return true }
        guard time >= Int64(duration / .nanoseconds(1)) else { return true }
        // What was meant to be sent before the end is still sent, for example after an outage.
        return schedule.map { answers.sentCount < $0.count(dueAt: Int64(duration / .nanoseconds(1)) - 1) } ?? false
    }

    private func isFinished(since end: Int64) -> Bool {
        if answers.openCount == 0, again.isEmpty, confirms.count == 0 { return true }
        guard publisher != nil, consumer != nil else { return false }
        return now - max(end, lastAnswerAt, lastConnectedAt) >= Int64(settings.timeout / .nanoseconds(1))
    }

    private var lastConnectedAt: Int64 = 0

    // MARK: Sending

    /// Publishes what is due, as far as confirms and the socket keep up.
    private func send(until time: Int64) {
        let end = settings.duration.map { Int64($0 / .nanoseconds(1)) - 1 } ?? .max
        let due = schedule?.count(dueAt: min(time, end)) ?? .max
        for _ in 0..<Self.batchMax {
            let count = answers.sentCount
            guard count < min(due, countMax), canPublish else { return }
            if schedule == nil, answers.openCount >= settings.windowMax { return }
            let intended = schedule?.time(of: count) ?? now
            let request = answers.send(intended: intended)
            report.timeline.sent(at: time)
            publish(request)
        }
    }

    private var canPublish: Bool {
        guard let publisher, !isBlocked else { return false }
        return confirms.count < Self.unconfirmedMax && publisher.outputByteCount < 1 << 20
    }

    private func sendAgain() {
        guard !again.isEmpty, now >= againAt else { return }
        var sent = 0
        while sent < again.count, canPublish, sent < Self.batchMax {
            let request = again[sent]
            sent += 1
            guard !answers.isAnswered(request) else { continue }
            report.resent += 1
            publish(request)
        }
        again.removeFirst(sent)
    }

    private func publish(_ request: Int) {
        guard let publisher else { return again.append(request) }
        outgoing.reset()
        outgoing.routingKey = queue
        outgoing.replyTo = outgoing.text(replyQueue)
        outgoing.contentType = contentType
        outgoing.timestamp = UInt64(max(0, time(nil)))
        let id = outgoing.append(names.id(of: request))
        outgoing.correlationID = id
        outgoing.messageID = id
        let body = settings.activities[request % settings.activities.count]
        do throws(AMQPError) {
            try publisher.publish(outgoing, body: body.span)
            confirms.publish(request)
        } catch {
            again.append(request)
            losePublisher()
        }
    }

    // MARK: Losing and finding connections

    func losePublisher() {
        guard publisher != nil else { return }
        publisher = nil
        isBlocked = false
        again = confirms.reset() + again
        lost()
    }

    func loseConsumer() {
        guard consumer != nil else { return }
        consumer = nil
        unacknowledgedCount = 0
        if settings.replyMode == .exclusive { isReplyQueueGone = true }
        lost()
    }

    private func lost() {
        lostAt = lostAt ?? .now
        retryAt = .now + Self.retryWait
    }

    private func reconnect() {
        guard publisher == nil || consumer == nil, .now >= retryAt else { return }
        do throws(AMQPError) {
            if consumer == nil { consumer = try openConsumer() }
            if publisher == nil {
                let connection = try Connection.open(settings.urls, name: "deeplink-worker load \(number)")
                try connection.selectConfirms()
                publisher = connection
            }
            report.reconnects += 1
            lostAt = nil
            lastConnectedAt = now
        } catch {
            retryAt = .now + Self.retryWait
            if let lostAt, lostAt.duration(to: .now) > Self.patience || progress.isInterrupted {
                report.problem = error.description
            }
        }
    }

    /// Takes the answers up again; where their queue is gone, every open request is sent again for a new one.
    private func openConsumer() throws(AMQPError) -> Connection {
        var connection = try Connection.open(settings.urls, name: "deeplink-worker load \(number) answers")
        if !isReplyQueueGone {
            do throws(AMQPError) { _ = try connection.inspect(queue: replyQueue) } catch  where error.code == .missing {
                isReplyQueueGone = true
                connection = try Connection.open(settings.urls, name: "deeplink-worker load \(number) answers")
            }
        }
        if isReplyQueueGone {
            replyQueue = try Self.declareReplyQueue(connection, settings.replyMode)
            isReplyQueueGone = false
            _ = confirms.reset()
            publisher = nil
            again = answers.open
        }
        try Self.consume(connection, replyQueue, settings.replyMode)
        return connection
    }

    private static func declareReplyQueue(
        _ connection: Connection, _ mode: LoadSettings.ReplyMode
    ) throws(AMQPError) -> String {
        switch mode {
        case .durable: try connection.declareGeneratedQueue(expiresAfter: .seconds(3600))
        case .exclusive: try connection.declareReplyQueue()
        }
    }

    private static func consume(
        _ connection: Connection, _ queue: String, _ mode: LoadSettings.ReplyMode
    ) throws(AMQPError) {
        try connection.consume(
            queue: queue, prefetch: mode == .durable ? 4000 : 0, tag: "answers", needsAcknowledging: mode == .durable)
    }

    // MARK: Waiting and ending

    func answered(at time: Int64) { lastAnswerAt = time }

    private func flush() {
        do throws(AMQPError) {
            try publisher?.flush(now: .now)
            try publisher?.beat(now: .now)
        } catch { losePublisher() }
        do throws(AMQPError) {
            try consumer?.flush(now: .now)
            try consumer?.beat(now: .now)
        } catch { loseConsumer() }
    }

    private func wait(isSending: Bool) {
        if publisher?.mayHaveInput == true || consumer?.mayHaveInput == true { return }
        var deadline = ContinuousClock.now + .milliseconds(200)
        if isSending, canPublish {
            // Without a rate the window is full here, unless the batch has ended.
            let next = schedule?.time(of: answers.sentCount) ?? (answers.openCount < settings.windowMax ? 0 : .max)
            if next <= now { return }
            if next < .max { deadline = min(deadline, start + .nanoseconds(next)) }
        }
        if !again.isEmpty, canPublish { deadline = min(deadline, start + .nanoseconds(againAt)) }
        if publisher == nil || consumer == nil { deadline = min(deadline, max(retryAt, .now + .milliseconds(1))) }
        descriptors.reset()
        let sink = publisher.map { descriptors.add($0.descriptor, reading: true, writing: $0.hasOutput) }
        let source = consumer.map { descriptors.add($0.descriptor, reading: true, writing: $0.hasOutput) }
        descriptors.wait(until: deadline)
        if let sink, descriptors.isReady(sink) { publisher?.noteInput(now: .now) }
        if let source, descriptors.isReady(source) { consumer?.noteInput(now: .now) }
    }

    /// Takes a little longer, for further answers that should not be there.
    private func linger() {
        let end = ContinuousClock.now + .milliseconds(300)
        while report.problem == nil, .now < end, consumer != nil {
            readAnswers()
            flush()
            descriptors.reset()
            guard let consumer else { return }
            let source = descriptors.add(consumer.descriptor, reading: true, writing: consumer.hasOutput)
            descriptors.wait(until: end)
            if descriptors.isReady(source) { consumer.noteInput(now: .now) }
        }
    }

    /// Closes the connections and deletes the reply queue; what fails here no longer matters.
    private func close() {
        if settings.replyMode == .durable, let consumer { try? consumer.delete(queue: replyQueue) }
        for connection in [publisher, consumer] {
            try? connection?.close()
            try? connection?.flush(now: .now)
        }
        publisher = nil
        consumer = nil
    }
}
