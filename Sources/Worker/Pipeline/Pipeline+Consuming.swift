internal import AMQP

extension Pipeline {
    /// How many events are read before other work gets its turn.
    private static let eventCountMax = 512

    /// Reads what the consuming connection has, as far as it may be held.
    mutating func readDeliveries() {
        guard let connection = consuming.connection, connection.mayHaveInput else { return }
        var count = 0
        var deliveries = 0
        defer { countBatch(deliveries) }
        do throws(AMQPError) {
            while count < Self.eventCountMax, mayReadDeliveries, let event = try connection.nextEvent() {
                count += 1
                switch event {
                case .delivery(let tag, let isRedelivered):
                    guard receive(tag, isRedelivered, from: connection) else { return }
                    deliveries += 1
                case .consumeOK:
                    consumer.receivedConsumeOK()
                    idleSince = now
                    consuming.proved()
                    log.info("consuming", ("queue", .text(queue)), ("prefetch", .number(consumer.prefetch)))
                case .cancelOK: consumer.receivedCancelOK()
                case .cancelled: consumerCancelled()
                case .channelClosed(let reason):
                    metrics.countClose(reason.code)
                    if drainIsClosing { return consuming.end() }
                    if reason.code == 403, !consuming.state.wasProved { exitStatus = .noPermission }
                    return loseConsuming(.channelClosed, Self.explained(reason))
                case .connectionClosed(let reason):
                    metrics.countClose(reason.code)
                    return loseConsuming(.connectionClosed, reason.description)
                case .connectionCloseOK: return consuming.end()
                case .qosOK, .channelCloseOK, .blocked, .unblocked, .confirmed, .refused, .returned, .other: break
                }
            }
        } catch {
            if drainIsClosing { return consuming.end() }
            loseConsuming(.lost, error.description)
        }
    }

    private func countBatch(_ deliveries: Int) {
        guard deliveries > 0 else { return }
        metrics.deliveries.count(deliveries)
        metrics.batchSizes.observe(Double(deliveries))
    }

    /// Takes a delivery over; false when the connection is lost over it.
    private mutating func receive(_ tag: UInt64, _ isRedelivered: Bool, from connection: Connection) -> Bool {
        guard acks.delivered(tag) else {
            loseConsuming(.lost, "The broker numbered a delivery \(tag), which is not the next number.")
            return false
        }
        let slot = requests.allocate(tag: tag, now: now)
        swap(&requests[slot].message, &connection.message)
        let message = requests[slot].message
        let byteCount = message.heldByteCount
        requests[slot].byteCount = byteCount
        requests[slot].sentAt = message.timestamp
        heldByteCount += byteCount
        if isRedelivered { metrics.redeliveries.count() }
        prefetch.observed(deliveryCount: message.deliveryCount, isRedelivered: isRedelivered)
        isolation.observed(isSuspected: prefetch.isIsolating, by: index)
        guard work.answers else {
            judgeItems(slot)
            ready.append(requests.reference(slot))
            return true
        }
        let route = replyPolicy.route(of: message)
        requests[slot].route = route
        let form = EventForm(of: message)
        requests[slot].form = form
        if route == .forbidden {
            let name = message.text(message.replyTo)
            setRejection(
                slot,
                Rejection(
                    reason: .replyToNotAllowed,
                    detail: "The reply queue \(name) is not allowed; name it in the configuration under replyTo."))
        } else if let rejection = judge.judge(message, as: form) {
            setRejection(slot, rejection)
        }
        ready.append(requests.reference(slot))
        return true
    }

    /// The broker cancelled the consumer, for its queue is deleted or moved; what was delivered is still worked on.
    private mutating func consumerCancelled() {
        log.warning("the broker cancelled the consumer", ("queue", .text(queue)))
        consumer.lost()
        needsDeclaration = true
    }

    /// Brings the consumer to what it should be.
    mutating func stepConsumer() {
        if consuming.connection != nil, !isPaused { isKeptAway = !isolation.mayConsume(index) }
        if let end = idleIsolationEnd, now >= end { isolation.end(index) }
        let isWanted = !isPaused && !isKeptAway
        if !isWanted || consumer.phase != .stopped { consumerMissingSince = now }
        guard let connection = consuming.connection, !drainIsClosing else { return }
        do throws(AMQPError) {
            let before = consumer
            defer { if consumer != before || !mayReadDeliveries { consumerAskedAt = now } }
            if consumer.isAnswerDue, mayReadDeliveries, now - consumerAskedAt >= settings.consumerTimeout {
                throw AMQPError(.timeout, "The broker did not answer within \(settings.consumerTimeout).")
            }
            switch consumer.step(wanted: isWanted ? wantedPrefetch : nil) {
            case .consume(let prefetch):
                chooseConsumerTag()
                consumerStart = acks.nextTag
                try connection.consume(queue: queue, prefetch: UInt16(prefetch), tag: consumerTag)
            case .cancel: try connection.cancel(tag: consumerTag)
            case nil: break
            }
        } catch {
            loseConsuming(.lost, error.description)
        }
    }

    /// Whether nothing shall be taken for now.
    var isPaused: Bool { drain.isDraining || outage.isActive || needsDeclaration }

    /// When the one pipeline that consumes has been without work for so long that nothing can be suspected.
    var idleIsolationEnd: Moment? {
        guard isolation.pipelineCount > 1, isolation.isHeld(by: index) else { return nil }
        guard consumer.isRunning, acks.unacknowledgedCount == 0 else { return nil }
        return idleSince + Self.idleTime
    }

    private var wantedPrefetch: Int? {
        let room = ConsumerRoom(
            limit: prefetch.limit(heldBack: heldBackCount), unacknowledged: acks.unacknowledgedCount,
            inherited: acks.unacknowledgedCount(before: consumerStart), isIsolating: prefetch.isIsolating)
        return room.prefetch(in: consumer.phase, waited: now - consumerMissingSince)
    }

    /// What the broker says, and what to do about it where that is not plain.
    private static func explained(_ reason: CloseReason) -> String {
        guard reason.code == 406, reason.text.contains("imeout") else { return reason.description }
        return "\(reason). An answer took longer than the broker's consumer_timeout; raise it, or lower --hold-limit."
    }
}
