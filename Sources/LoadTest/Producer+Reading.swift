internal import AMQP

extension Producer {
    /// How many answers may be unacknowledged before they are acknowledged together.
    private static let acknowledgeEvery = 500
    private static let refusalWait: Int64 = 100_000_000
    private static let handledMark = Array(#""handled":true"#.utf8)

    /// Takes confirms and refusals.
    func readPublisher() {
        guard let publisher else { return }
        do throws(AMQPError) {
            while let event = try publisher.nextEvent() {
                publisher.noteInput(now: .now)
                switch event {
                case .confirmed(let tag, let multiple): confirms.settle(tag, multiple: multiple)
                case .refused(let tag, let multiple):
                    confirms.settle(tag, multiple: multiple) { request in
                        report.refused += 1
                        again.append(request)
                        againAt = now + Self.refusalWait
                    }
                case .returned: try takeReturn(publisher)
                case .blocked: isBlocked = true
                case .unblocked: isBlocked = false
                case .channelClosed(let reason), .connectionClosed(let reason):
                    if reason.code == 403 {
                        report.problem =
                            reason.error(at: publisher.peer, doing: "publish to the queue \(settings.queue)")
                            .description
                    }
                    return losePublisher()
                default: break
                }
            }
        } catch { losePublisher() }
    }

    /// A request came back, for its queue is gone: it is sent again, for the queue may be declared again.
    private func takeReturn(_ publisher: Connection) throws(AMQPError) {
        report.refused += 1
        guard let request = names.request(publisher.message.bytes[publisher.message.correlationID.indices]) else {
            return
        }
        again.append(request)
        againAt = now + Self.refusalWait
    }

    /// Takes answers, and acknowledges them.
    func readAnswers() {
        guard let consumer else { return }
        do throws(AMQPError) {
            var time = now
            var count = 0
            while let event = try consumer.nextEvent() {
                switch event {
                case .delivery(let tag, let isRedelivered):
                    // The time is asked for now and then, for asking takes longer than counting.
                    if count & 15 == 15 {
                        time = now
                        consumer.noteInput(now: .now)
                    }
                    count += 1
                    take(consumer.message, isRedelivered: isRedelivered, at: time)
                    lastTag = tag
                    unacknowledgedCount += 1
                    if unacknowledgedCount >= Self.acknowledgeEvery { try acknowledge(consumer) }
                case .cancelled:
                    isReplyQueueGone = true
                    return loseConsumer()
                case .channelClosed, .connectionClosed: return loseConsumer()
                default: break
                }
            }
            if count > 0 { consumer.noteInput(now: .now) }
            if unacknowledgedCount > 0 { try acknowledge(consumer) }
        } catch { loseConsumer() }
    }

    private func acknowledge(_ consumer: Connection) throws(AMQPError) {
        unacknowledgedCount = 0
        guard settings.replyMode == .durable else { return }
        try consumer.acknowledge(lastTag, multiple: true)
    }

    private func take(_ message: borrowing ReceivedMessage, isRedelivered: Bool, at time: Int64) {
        guard let request = names.request(message.bytes[message.correlationID.indices]),
            names.isAnswer(message.bytes[message.messageID.indices], to: message.bytes[message.correlationID.indices])
        else { return report.unexpected += 1 }
        switch answers.answer(request) {
        case .first(let intended, let isLate):
            let latency = UInt64(max(0, time - intended))
            report.latencies.record(latency)
            report.timeline.answered(at: time, after: latency)
            if isLate { report.outOfOrder += 1 }
            if Self.isHandled(message) { report.handled += 1 }
            answered(at: time)
        case .duplicate where isRedelivered: report.redelivered += 1
        case .duplicate: report.duplicate += 1
        case .unknown: report.unexpected += 1
        }
    }

    /// Whether an answer opens something: its keys are sorted and compact, so the text tells.
    private static func isHandled(_ message: borrowing ReceivedMessage) -> Bool {
        let content = message.bytes
        let bytes = content.span, mark = handledMark.span
        var place = message.body.indices.lowerBound
        let end = message.body.indices.upperBound - mark.count
        while place <= end {
            if bytes[place] == mark[0], bytes[place + 1] == mark[1] {
                var length = 2
                while length < mark.count, bytes[place + length] == mark[length] { length += 1 }
                if length == mark.count { return true }
            }
            place += 1
        }
        return false
    }
}
