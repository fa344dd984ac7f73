internal import AMQP
internal import Synchronization

extension Pipeline {
    /// Takes finished connections over, and begins to open what is missing.
    mutating func connectWhatIsMissing() {
        take(consuming.takeOutcome(now: now), of: .consuming)
        take(publishing.takeOutcome(now: now), of: .publishing)
        if case .declared? = take(declaring.takeOutcome(now: now), of: .declaring) { needsDeclaration = false }
        if needsDeclaration, !drain.isDraining {
            declaring.openIfDue(now: now, settings: settings, wakeUp: control.wakeUp)
        }
        if !drain.isDraining { consuming.openIfDue(now: now, settings: settings, wakeUp: control.wakeUp) }
        if needsToPublish { publishing.openIfDue(now: now, settings: settings, wakeUp: control.wakeUp) }
    }

    /// Whether there is, or may come, something to publish.
    var needsToPublish: Bool { !drain.isDraining || acks.outstandingCount > 0 }

    @discardableResult
    private mutating func take(_ outcome: Connector.Outcome?, of purpose: Connector.Purpose) -> Connector.Outcome? {
        switch outcome {
        case .opened(let connection):
            if purpose == .publishing {
                patience = ConfirmPatience(
                    timeout: settings.confirmTimeout, heartbeat: connection.heartbeat, now: now)
                firstRefusals.opened()
            }
            log.info("connected", ("for", "\(purpose)"), ("broker", .text(connection.peer)))
        case .declared:
            log.info("declared the queues again")
        case .failed(let error):
            failed(error, purpose)
        case nil: break
        }
        return outcome
    }

    private mutating func failed(_ error: AMQPError, _ purpose: Connector.Purpose) {
        metrics.countReconnect(.failed)
        guard exitStatus == nil else { return }
        let hasStarted = consuming.state.wasOpened && publishing.state.wasOpened
        if !hasStarted, let status = ExitCode(startFailure: error) {
            log.error("cannot start", ("reason", .text(error.description)))
            exitStatus = status
        } else {
            log.warning("cannot connect", ("for", "\(purpose)"), ("reason", .text(error.description)))
        }
    }

    /// The consuming channel is gone, and with it every delivery: the broker delivers them again.
    mutating func loseConsuming(_ cause: Metrics.ReconnectCause, _ reason: String) {
        guard consuming.connection != nil else { return }
        let unsettled = acks.outstandingCount
        log.warning(
            "lost the consuming connection", ("cause", .text(cause.name)), ("reason", .text(reason)),
            ("unsettled", .number(unsettled)))
        metrics.countReconnect(cause)
        metrics.staleAcks.count(acks.settledCount)
        if unsettled + acks.settledCount > 0 { drain.lostDeliveries() }
        consuming.lose(now: now)
        consumer.lost()
        isolation.leave(index)
        dropRequests()
    }

    /// Forgets every request; those that are being resolved are freed when the batch has finished.
    private mutating func dropRequests() {
        for slot in 0..<Int32(requests.capacity) {
            switch requests[slot].stage {
            case .free: break
            case .resolving: requests[slot].isOrphan = true
            case .ready, .waiting, .parked, .published: release(slot)
            }
        }
        acks = AckTracker(prefetch: settings.prefetch)
        acknowledgeAt = nil
        ready.removeAll()
        waiting.removeAll(keepingCapacity: true)
        parked.removeAll()
        suspects = SuspectQueue()
        troubles = Troubles(
            prefetch: settings.prefetch, inflightByteCountMax: settings.inflightByteCountMax)
    }

    /// The publishing channel is gone: what was unconfirmed on it is published again.
    ///
    /// When the broker closed because of what was published, it is published one at a time, until the one is found that
    /// alone makes the broker close.
    /// `refused` was unconfirmed as well.
    mutating func losePublishing(
        _ cause: Metrics.ReconnectCause, _ reason: String, isError: Bool = false,
        returning refused: [ConfirmTracker.Item] = []
    ) {
        guard publishing.connection != nil else { return }
        log.warning(
            "lost the publishing connection", ("cause", .text(cause.name)), ("reason", .text(reason)),
            ("unconfirmed", .number(confirms.count)))
        metrics.countReconnect(cause)
        publishing.lose(now: now, overMessage: isError)
        setBlocked(nil)
        let items = (refused + confirms.reset()).filter {
            requests.isCurrent($0.slot, $0.generation) && requests[$0.slot].stage == .published
        }
        let culprit = suspects.current
        let isAlone = items.allSatisfy { requests.reference($0.slot) == culprit }
        for item in items {
            // A request that caused two messages is seen twice.
            guard requests[item.slot].stage == .published else { continue }
            requests[item.slot].isAnswerReturned = false
            requests[item.slot].isDeadLetterReturned = false
            requests[item.slot].stage = .ready
            let reference = requests.reference(item.slot)
            if isError, reference == culprit, isAlone {
                refuse(
                    item.slot,
                    becauseOf: "The broker closed the \(cause == .connectionClosed ? "connection" : "channel")", reason)
            } else if isError || reference == culprit {
                suspects.append(reference)
            } else {
                ready.append(reference)
            }
        }
        suspects.current = nil
    }

    mutating func setBlocked(_ reason: String?) {
        if let reason {
            guard blockedSince == nil else { return }
            blockedSince = now
            patience.blocked(true, now: now)
            publishing.connection?.expectReading(false)
            metrics.blocked.add(1, ordering: .relaxed)
            log.warning("blocked by the broker", ("reason", .text(reason)))
        } else if let since = blockedSince {
            blockedSince = nil
            patience.blocked(false, now: now)
            publishing.connection?.expectReading(true)
            metrics.blocked.subtract(1, ordering: .relaxed)
            metrics.blockedNanoseconds.count(Int((now - since) / .nanoseconds(1)))
            log.info("no longer blocked by the broker")
        }
    }
}

extension ExitCode {
    /// The status for an error at the start that no retry helps; nil for one that may pass.
    init?(startFailure error: AMQPError) {
        switch error.code {
        case .configuration, .mismatch: self = .configuration
        case .denied: self = .noPermission
        case .unreachable, .timeout, .tls, .missing, .closed, .protocolViolation: return nil
        }
    }
}
