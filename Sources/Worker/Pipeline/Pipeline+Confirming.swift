internal import AMQP

extension Pipeline {
    /// How often an answer is sent again after the worker's own reply queue was declared again.
    private static let declarationsMax = 10

    /// Reads what the publishing connection has: confirms, returns, and its own fate.
    mutating func readConfirms() {
        guard let connection = publishing.connection, connection.mayHaveInput else { return }
        do throws(AMQPError) {
            while let event = try connection.nextEvent() {
                switch event {
                case .confirmed(let tag, let multiple): takeConfirms(tag, multiple, areGood: true)
                case .refused(let tag, let multiple):
                    takeConfirms(tag, multiple, areGood: false)
                    guard publishing.connection === connection else { return }
                case .returned(let code): returned(connection.message, code)
                case .blocked(let reason): setBlocked(reason)
                case .unblocked: setBlocked(nil)
                case .channelClosed(let reason):
                    metrics.countClose(reason.code)
                    if drainIsClosing { return publishing.end() }
                    return losePublishing(.channelClosed, reason.description, isError: reason.isError)
                case .connectionClosed(let reason):
                    metrics.countClose(reason.code)
                    return losePublishing(.connectionClosed, reason.description, isError: reason.isError)
                case .connectionCloseOK: return publishing.end()
                case .delivery, .consumeOK, .cancelOK, .cancelled, .qosOK, .channelCloseOK, .other: break
                }
            }
        } catch {
            if drainIsClosing { return publishing.end() }
            losePublishing(.lost, error.description)
        }
    }

    private mutating func takeConfirms(_ tag: UInt64, _ multiple: Bool, areGood: Bool) {
        confirmed.removeAll(keepingCapacity: true)
        confirms.take(tag, multiple: multiple, into: &confirmed)
        if !areGood, isConnectionRefused() {
            metrics.refused.count(confirmed.count)
            let reason = "The broker refused the first answers on it; another connection may have more luck."
            return losePublishing(.lost, reason, returning: confirmed)
        }
        publishing.proved()
        for item in confirmed {
            guard requests.isCurrent(item.slot, item.generation) else {
                metrics.staleConfirms.count()
                continue
            }
            if areGood { accepted(item) } else { refused(item) }
        }
    }

    /// Whether what was refused, some answer for the worker's own reply queue, speaks against the connection alone.
    private mutating func isConnectionRefused() -> Bool {
        let isReply = confirmed.contains { item in
            item.kind == .answer && requests.isCurrent(item.slot, item.generation)
                && requests[item.slot].route == .standard
        }
        return isReply && !drain.isDraining && firstRefusals.refused()
    }

    /// The broker has what was published, or has returned it just before.
    private mutating func accepted(_ item: ConfirmTracker.Item) {
        let slot = item.slot
        if requests[slot].stage == .published {
            confirmLatencies.add(since: requests[slot].publishedAt, now: now, to: metrics.confirmLatency)
        }
        switch item.kind {
        case .answer:
            if requests[slot].route == .standard { firstRefusals.accepted() }
            guard requests[slot].needsAnswer else { return }
            let wasReturned = requests[slot].isAnswerReturned
            requests[slot].isAnswerReturned = false
            // It is being made again, and its next return will tell the same.
            if wasReturned, requests[slot].stage == .resolving { return }
            requests[slot].needsAnswer = false
            if wasReturned, requests[slot].rejection == nil { return unroutable(slot) }
        case .deadLetter:
            guard requests[slot].needsDeadLetter else { return }
            if requests[slot].isDeadLetterReturned {
                requests[slot].isDeadLetterReturned = false
                // The dead-letter queue is gone; with it declared again the copy finds its way.
                needsDeclaration = needsDeclaration || settings.declaresQueues
                return holdBack(slot, for: retryWait(slot))
            }
            requests[slot].needsDeadLetter = false
            deadLetterDue = nil
            deadLetterCloses = 0
        }
        settleIfDone(slot)
    }

    /// No queue took an answer.
    private mutating func unroutable(_ slot: Int32) {
        if requests[slot].route == .standard, settings.declaresQueues, requests[slot].attempts < Self.declarationsMax {
            // The worker's own reply queue is gone: with it declared again the answer finds its way.
            needsDeclaration = true
            requests[slot].needsAnswer = true
            return holdBack(slot, for: retryWait(slot))
        }
        deadLetter(slot, .replyUnroutable, "The broker returned the answer: there is no queue \(replyQueue(slot)).")
    }

    /// The broker did not take what was published.
    private mutating func refused(_ item: ConfirmTracker.Item) {
        metrics.refused.count()
        notTaken(item, "The broker refused the answer for the queue ")
    }

    private mutating func notTaken(_ item: ConfirmTracker.Item, _ problem: String) {
        let slot = item.slot
        guard requests[slot].stage == .published else { return }
        switch item.kind {
        case .answer where requests[slot].rejection != nil:
            // The dead letter tells; the sender's queue does not take the answer.
            requests[slot].needsAnswer = false
            settleIfDone(slot)
        case .answer:
            guard requests[slot].needsAnswer else { return }
            trouble(slot, problem)
        case .deadLetter:
            guard requests[slot].needsDeadLetter else { return }
            holdBack(slot, for: retryWait(slot))
        }
    }

    /// A mandatory message came back, just before its confirm: marks the oldest publish that it can be.
    private mutating func returned(_ message: ReceivedMessage, _ code: UInt16) {
        metrics.returned.count()
        let queue = message.text(message.returnedRoutingKey)
        let isDeadLetter = queue == settings.deadQueue
        let messageID = Array(message.bytes[message.messageID.indices])
        var found: ConfirmTracker.Item?
        var scratch = OutgoingMessage()
        found = confirms.first { item in
            guard requests.isCurrent(item.slot, item.generation) else { return false }
            switch item.kind {
            case .deadLetter:
                return isDeadLetter && !requests[item.slot].isDeadLetterReturned
                    && requests[item.slot].message.hasMessageID(messageID)
            case .answer:
                guard !isDeadLetter, !requests[item.slot].isAnswerReturned, replyQueue(item.slot) == queue else {
                    return false
                }
                answers.fill(&scratch, for: requests[item.slot].message, route: requests[item.slot].route)
                return scratch.hasMessageID(messageID)
            }
        }
        log.warning(
            "the broker returned a message", ("queue", .text(queue)), ("code", .number(Int(code))),
            ("kind", isDeadLetter ? "dead letter" : "answer"))
        guard let found else { return }
        switch found.kind {
        case .answer: requests[found.slot].isAnswerReturned = true
        case .deadLetter: requests[found.slot].isDeadLetterReturned = true
        }
    }
}
