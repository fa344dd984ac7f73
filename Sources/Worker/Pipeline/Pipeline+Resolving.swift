internal import AMQP
internal import Activities
internal import Items
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
            guard let rejection = addToBatch(slot) else {
                batch.append(slot)
                requests[slot].stage = .resolving
                return
            }
            setRejection(slot, rejection)
        }
        publishRejection(slot)
    }

    /// Decodes a message into the batch; a rejection says why it cannot be.
    private mutating func addToBatch(_ slot: Int32) -> Rejection? {
        guard work.answers else {
            do throws(ItemError) { try takeItems(slot) } catch {
                return Rejection(reason: .malformedMessage, detail: error.description)
            }
            return nil
        }
        do throws(ActivityError) {
            activities.append(try decode(slot))
        } catch {
            return Rejection(reason: .malformedMessage, detail: error.description)
        }
        if choosesApps { noteApp(slot) }
        return nil
    }

    private mutating func decode(_ slot: Int32) throws(ActivityError) -> Activity {
        let form = requests[slot].form
        let message = requests[slot].message
        let bytes = message.bytes
        if form == .structured {
            var event: CloudEvent?
            defer { requests[slot].event = event }
            return try decoder.decodeEvent(bytes.span.extracting(message.body.indices), noting: &event)
        }
        if form != .none { requests[slot].event = try CloudEvent(headersOf: message) }
        let body = message.body.indices
        return try decoder.decode(
            bytes.span.extracting(body.lowerBound..<body.upperBound + JSONParser.paddingByteCount), isPadded: true)
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
        switch work {
        case .resolving(let resolver): progressed(resolver.begin(activities))
        case .applying(let applier): progressed(applier.begin(itemMessages))
        }
    }

    /// Goes on with a batch whose store is ready, or whose time is up.
    mutating func resumeResolving() {
        guard let wait = resolverWait, isResolverReady || now >= wait.deadline else { return }
        isResolverReady = false
        progressed(work.resume())
    }

    private mutating func progressed(_ progress: ResolvingProgress) {
        switch progress {
        case .pending(let descriptor, let forWriting, let deadline):
            resolverWait = ResolverWait(descriptor: descriptor, forWriting: forWriting, deadline: Moment(deadline))
        case .finished:
            resolverWait = nil
            metrics.storeTime.observe(.now - batchBegan)
            if isProbing { return finishProbe() }
            switch work {
            case .resolving(let resolver): finishActivities(resolver)
            case .applying(let applier): finishItems(applier)
            }
        }
    }

    private mutating func finishActivities(_ resolver: any ActivityResolving) {
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
            finish(slot, outcome, index)
        }
        resolver.end()
        batch.removeAll(keepingCapacity: true)
        activities.removeAll(keepingCapacity: true)
    }

    private mutating func finish(_ slot: Int32, _ outcome: ResolvingOutcome, _ index: Int) {
        switch outcome {
        case .command(let isHandled, let reason):
            requests[slot].reasonIndex = isHandled ? nil : Metrics.index(ofReason: reason)
            publishAnswer(slot)
        case .deferred:
            let ceiling = Backoff.ceiling(
                base: Self.deferral.base, limit: Self.deferral.limit, failures: requests[slot].attempts)
            postpone(slot, by: ceiling)
        case .unavailable(let error):
            park(slot, error, probe: .activity(activities[index]))
        }
    }

    /// Keeps a message until its store answers again, and lets it be the one that tries.
    mutating func park(_ slot: Int32, _ error: StoreError, probe: StoreProbe) {
        if !outage.isActive {
            log.warning("a store is unavailable", ("reason", .text(error.description)))
            metrics.storeOutages.count()
        }
        outage.storeUnavailable(now: now)
        self.probe = probe
        requests[slot].stage = .parked
        parked.append(requests.reference(slot))
    }

    /// Tries the store again, or gives the held requests back.
    mutating func stepOutage() {
        guard outage.isActive, resolverWait == nil else { return }
        switch outage.step(now: now) {
        case .probe:
            guard let probe else { return outageEnded() }
            isProbing = true
            batchBegan = .now
            progressed(begin(probe))
        case .giveBack:
            loseConsuming(.gaveBack, "A store has been unavailable for \(settings.holdLimit).")
        case nil: break
        }
    }

    private func begin(_ probe: StoreProbe) -> ResolvingProgress {
        switch (work, probe) {
        case (.resolving(let resolver), .activity(let activity)): resolver.begin([activity])
        case (.applying(let applier), .items(let message)): applier.begin([message])
        case (.resolving, .items), (.applying, .activity): preconditionFailure("a pipeline does one kind of work")
        }
    }

    private var isProbeUnanswered: Bool {
        switch work {
        case .resolving(let resolver):
            var writer = JSONWriter()
            guard case .unavailable = resolver.outcome(0, writingTo: &writer) else { return false }
        case .applying(let applier):
            guard case .unavailable = applier.outcome(0) else { return false }
        }
        return true
    }

    private mutating func finishProbe() {
        isProbing = false
        if isProbeUnanswered { outage.storeUnavailable(now: now) } else { outageEnded() }
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
