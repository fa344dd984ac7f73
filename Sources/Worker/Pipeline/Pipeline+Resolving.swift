internal import AMQP
internal import Activities
internal import PersistentStore

extension Pipeline {
    /// How long a request waits for something that is being built, at first and at most.
    private static let deferral: (base: Duration, limit: Duration) = (.milliseconds(10), .milliseconds(250))

    /// Whether something can be published now.
    var mayPublish: Bool {
        guard let connection = publishing.connection else { return false }
        return blockedSince == nil && resolverWait == nil && connection.outputByteCount < Self.outputByteCountMax
            && connection.takesOutput
    }

    /// On TLS the library writes at once and blocks when the socket is full, so that less is written between two looks.
    private var batchCountMax: Int {
        publishing.connection?.isSecure == true ? Self.secureBatchCountMax : Self.batchCountMax
    }

    /// Whether the next batch may begin.
    var mayDispatch: Bool {
        guard mayPublish, !suspects.isActive else { return false }
        return !prefetch.isIsolating || confirms.oldest == nil
    }

    /// Begins batches as long as there is work and room.
    mutating func dispatch() {
        if suspects.isActive { dispatchSuspect() }
        while !ready.isEmpty, mayDispatch {
            let limit = prefetch.isIsolating ? 1 : batchCountMax
            while batch.count < limit, let reference = ready.popFirst() {
                take(reference)
                if prefetch.isIsolating, confirms.oldest != nil { break }
            }
            beginBatch()
        }
    }

    /// One of several requests made the broker close the channel: each is published alone.
    private mutating func dispatchSuspect() {
        if let current = suspects.current {
            if isUnderWay(current), now - suspects.takenAt < SuspectQueue.patience { return }
            suspects.current = nil
        }
        while mayPublish, batch.isEmpty, let reference = suspects.next(now: now) {
            take(reference)
            beginBatch()
            if isUnderWay(reference) { return }
            suspects.current = nil
        }
    }

    /// Whether a suspect is being resolved or is not confirmed yet.
    private func isUnderWay(_ reference: SlotReference) -> Bool {
        guard requests.isCurrent(reference.slot, reference.generation) else { return false }
        return requests[reference.slot].stage == .published || requests[reference.slot].stage == .resolving
    }

    /// Decodes a request into the batch, or publishes its dead letter.
    private mutating func take(_ reference: SlotReference) {
        let slot = reference.slot
        guard requests.isCurrent(slot, reference.generation), requests[slot].stage == .ready else { return }
        if requests[slot].rejection == nil {
            do throws(ActivityError) {
                activities.append(try decode(slot))
                if choosesApps { noteApp(slot) }
                batch.append(slot)
                requests[slot].stage = .resolving
                return
            } catch {
                setRejection(slot, Rejection(reason: .malformedMessage, detail: error.description))
            }
        }
        publishRejection(slot)
    }

    private mutating func decode(_ slot: Int32) throws(ActivityError) -> Activity {
        let form = requests[slot].form
        if form == .structured {
            let message = requests[slot].message
            let (activity, event) = try decoder.decodeEvent(message.bytes.span.extracting(message.body.indices))
            requests[slot].event = event
            return activity
        }
        if form != .none { requests[slot].event = try CloudEvent(headersOf: requests[slot].message) }
        return try decode(requests[slot].message)
    }

    private func decode(_ message: borrowing ReceivedMessage) throws(ActivityError) -> Activity {
        try decoder.decode(message.bytes.span.extracting(message.body.indices))
    }

    /// Tells the last activity of the batch the app that its request names.
    private mutating func noteApp(_ slot: Int32) {
        let range = requests[slot].message.appID
        guard !range.isEmpty else { return }
        activities[activities.count - 1].requestAppID = requests[slot].message.text(range)
    }

    private mutating func beginBatch() {
        guard !batch.isEmpty else { return }
        batchBegan = .now
        progressed(resolver.begin(activities))
    }

    /// Goes on with a batch whose store is ready, or whose time is up.
    mutating func resumeResolving() {
        guard let wait = resolverWait, isResolverReady || now >= wait.deadline else { return }
        isResolverReady = false
        progressed(resolver.resume())
    }

    private mutating func progressed(_ progress: ResolvingProgress) {
        switch progress {
        case .pending(let descriptor, let forWriting, let deadline):
            resolverWait = ResolverWait(descriptor: descriptor, forWriting: forWriting, deadline: deadline)
        case .finished:
            resolverWait = nil
            metrics.storeTime.observe(.now - batchBegan)
            if isProbing { finishProbe() } else { finishBatch() }
        }
    }

    private mutating func finishBatch() {
        answers.time = WallClock.seconds
        for (index, slot) in batch.enumerated() {
            guard !requests[slot].isOrphan else {
                release(slot)
                continue
            }
            requests[slot].stage = .ready
            guard requests[slot].needsAnswer else {
                // An earlier answer was confirmed after all, while this one was made.
                settleIfDone(slot)
                continue
            }
            answerWriter.removeAll()
            let outcome = resolver.outcome(index, writingTo: &answerWriter)
            bodyBytes.removeAll(keepingCapacity: true)
            answerWriter.append(to: &bodyBytes)
            finish(slot, outcome, activities[index])
        }
        batch.removeAll(keepingCapacity: true)
        activities.removeAll(keepingCapacity: true)
    }

    private mutating func finish(_ slot: Int32, _ outcome: ResolvingOutcome, _ activity: Activity) {
        switch outcome {
        case .command(let isHandled, let reason):
            requests[slot].reasonIndex = isHandled ? nil : Metrics.index(ofReason: reason)
            publishAnswer(slot)
        case .deferred:
            let ceiling = Backoff.ceiling(
                base: Self.deferral.base, limit: Self.deferral.limit, failures: requests[slot].attempts)
            postpone(slot, by: ceiling)
        case .unavailable(let error):
            if !outage.isActive {
                log.warning("a store is unavailable", ("reason", .text(error.description)))
            }
            outage.storeUnavailable(now: now)
            probe = activity
            requests[slot].stage = .parked
            parked.append(requests.reference(slot))
        }
    }

    /// Tries the store again, or gives the held requests back.
    mutating func stepOutage() {
        guard outage.isActive, resolverWait == nil else { return }
        switch outage.step(now: now) {
        case .probe:
            guard let probe else { return outageEnded() }
            isProbing = true
            batchBegan = .now
            progressed(resolver.begin([probe]))
        case .giveBack:
            loseConsuming(.gaveBack, "A store has been unavailable for \(settings.holdLimit).")
        case nil: break
        }
    }

    private mutating func finishProbe() {
        isProbing = false
        var writer = JSONWriter()
        switch resolver.outcome(0, writingTo: &writer) {
        case .unavailable: outage.storeUnavailable(now: now)
        case .command, .deferred: outageEnded()
        }
    }

    private mutating func outageEnded() {
        log.info("the stores answer again")
        outage.storeAnswered()
        probe = nil
        while let reference = parked.popFirst() {
            guard requests.isCurrent(reference.slot, reference.generation) else { continue }
            requests[reference.slot].stage = .ready
            ready.append(reference)
        }
    }
}
