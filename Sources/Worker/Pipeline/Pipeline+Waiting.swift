internal import AMQP

extension Pipeline {
    /// Waits for something to do.
    mutating func wait() {
        poller.reset()
        _ = poller.add(control.wakeUp.descriptor, reading: true, writing: false)
        let consume = consuming.connection.map {
            poller.add($0.descriptor, reading: mayReadDeliveries, writing: $0.hasOutput)
        }
        let publish = publishing.connection.map {
            poller.add($0.descriptor, reading: true, writing: $0.hasOutput || !$0.takesOutput)
        }
        let store = resolverWait.map {
            poller.add($0.descriptor, reading: !$0.forWriting, writing: $0.forWriting)
        }
        poller.wait(hasWork ? .zero : max(.zero, nearestDeadline - .now))
        now = .now
        if poller.isReady(0) { control.wakeUp.clear() }
        if let consume, poller.isReadable(consume) { consuming.connection?.noteInput(now: now.instant) }
        if let publish, poller.isReadable(publish) {
            publishing.connection?.noteInput(now: now.instant)
            patience.heard(now: now)
        }
        if let store, poller.isReady(store) { isResolverReady = true }
    }

    /// Whether more deliveries may be held.
    var mayReadDeliveries: Bool { heldByteCount < settings.inflightByteCountMax }

    /// Whether there is work that no descriptor tells of.
    private var hasWork: Bool {
        if publishing.connection?.mayHaveInput == true { return true }
        if consuming.connection?.mayHaveInput == true, mayReadDeliveries { return true }
        return !ready.isEmpty && mayDispatch || suspects.hasNext && mayPublish
    }

    private var nearestDeadline: Moment {
        var nearest = now + Self.turnTime
        func consider(_ moment: Moment?) {
            if let moment, moment < nearest { nearest = moment }
        }
        if !drain.isDraining {
            consider(consuming.deadline(now: now))
            consider(needsDeclaration ? declaring.deadline(now: now) : nil)
        }
        consider(needsToPublish ? publishing.deadline(now: now) : nil)
        consider((consuming.connection?.nextBeat).map { Moment($0) })
        consider((publishing.connection?.nextBeat).map { Moment($0) })
        consider(resolverWait?.deadline)
        consider(nextWaiting)
        consider(nextConfirmTime)
        consider(outage.deadline)
        consider(drain.deadline)
        consider(acknowledgeDeadline)
        if consumer.isAnswerDue { consider(consumerAskedAt + settings.consumerTimeout) }
        consider(idleIsolationEnd)
        if consumer.phase == .stopped, !isPaused, !isKeptAway {
            consider(ConsumerRoom.deadline(since: consumerMissingSince, now: now))
        }
        return nearest
    }
}
