internal import AMQP

extension Pipeline {
    private static let retry: (base: Duration, limit: Duration) = (.milliseconds(100), .seconds(10))

    /// An answer was refused or not confirmed: it is sent again later, unless its queue is in too much trouble.
    mutating func trouble(_ slot: Int32, _ problem: String) {
        let queue = replyQueue(slot)
        if !requests[slot].isTroubled {
            guard troubles.admit(queue, byteCount: requests[slot].message.heldByteCount) else {
                return deadLetter(
                    slot, .replyRefused,
                    "\(problem)\(queue), and \(troubles.count(queue)) others for it are being sent again; no more are held."
                )
            }
            requests[slot].isTroubled = true
            requests[slot].troubleSince = now
        }
        if let since = requests[slot].troubleSince, now - since >= settings.refusalLimit {
            return deadLetter(slot, .replyRefused, "\(problem)\(queue) for \(settings.refusalLimit).")
        }
        holdBack(slot, for: retryWait(slot))
    }

    /// A request alone made the broker close the publishing channel or connection; `closing` begins the sentence.
    mutating func refuse(_ slot: Int32, becauseOf closing: String, _ reason: String) {
        if requests[slot].rejection == nil {
            return deadLetter(slot, .replyRefused, "\(closing) over the answer: \(reason)")
        }
        if requests[slot].needsAnswer {
            // The answer that says why is no part of the promise; the dead letter is.
            requests[slot].needsAnswer = false
            guard requests[slot].needsDeadLetter else { return settleIfDone(slot) }
            suspects.append(requests.reference(slot))
        } else {
            holdDeadLetter(slot, becauseOf: reason)
        }
    }

    /// A dead letter alone made the broker close the channel: its request is kept, and it is tried again.
    ///
    /// Every attempt costs the others their channel, so all such dead letters wait together, and one of them tries.
    private mutating func holdDeadLetter(_ slot: Int32, becauseOf reason: String) {
        let ceiling = Backoff.ceiling(base: Self.retry.base, limit: Self.retry.limit, failures: deadLetterCloses)
        let wait = ceiling * Double.random(in: 0.5...1)
        deadLetterCloses += 1
        deadLetterDue = now + wait
        requests[slot].closesChannel = true
        log.warning(
            "the broker does not take a dead letter", ("reason", .text(reason)), ("queue", .text(settings.deadQueue)),
            ("tag", .number(Int(requests[slot].tag))))
        holdBack(slot, for: wait)
    }

    mutating func forgetTrouble(_ slot: Int32) {
        guard requests[slot].isTroubled else { return }
        requests[slot].isTroubled = false
        troubles.forget(replyQueue(slot), byteCount: requests[slot].message.heldByteCount)
    }

    /// The wait before a message is published again.
    func retryWait(_ slot: Int32) -> Duration {
        let ceiling = Backoff.ceiling(
            base: Self.retry.base, limit: Self.retry.limit, failures: requests[slot].attempts)
        return ceiling * Double.random(in: 0.5...1)
    }

    /// Puts a request off because a queue does not take what it caused: it has not killed the worker, and others pass it.
    mutating func holdBack(_ slot: Int32, for duration: Duration) {
        if !requests[slot].isHeldBack {
            requests[slot].isHeldBack = true
            heldBackCount += 1
        }
        postpone(slot, by: duration)
    }

    /// Puts a request off.
    mutating func postpone(_ slot: Int32, by duration: Duration) {
        requests[slot].attempts += 1
        requests[slot].notBefore = now + duration
        requests[slot].stage = .waiting
        waiting.append(requests.reference(slot))
        if nextWaiting.map({ requests[slot].notBefore < $0 }) ?? true { nextWaiting = requests[slot].notBefore }
    }

    /// Makes ready what has waited long enough.
    mutating func wakeWaiting() {
        guard let due = nextWaiting, now >= due else { return }
        nextWaiting = nil
        var kept = 0
        for reference in waiting {
            guard requests.isCurrent(reference.slot, reference.generation),
                requests[reference.slot].stage == .waiting
            else { continue }
            let moment = requests[reference.slot].notBefore
            if now >= moment {
                requests[reference.slot].stage = .ready
                if requests[reference.slot].closesChannel {
                    suspects.append(reference)
                } else {
                    ready.append(reference)
                }
            } else {
                waiting[kept] = reference
                kept += 1
                if nextWaiting.map({ moment < $0 }) ?? true { nextWaiting = moment }
            }
        }
        waiting.removeSubrange(kept...)
    }

    /// When the oldest publish has been unconfirmed for too long.
    var nextConfirmTime: Moment? {
        guard let item = confirms.oldest, requests.isCurrent(item.slot, item.generation) else { return nil }
        return patience.deadline(publishedAt: requests[item.slot].publishedAt, now: now)
    }

    /// Puts publishes aside that were not confirmed in time, and sees to it that they are sent again.
    mutating func checkConfirmTimes() {
        while let item = confirms.oldest {
            guard requests.isCurrent(item.slot, item.generation), requests[item.slot].stage == .published else {
                confirms.putOldestAside()
                continue
            }
            guard let due = patience.deadline(publishedAt: requests[item.slot].publishedAt, now: now), now >= due
            else { return }
            confirms.putOldestAside()
            metrics.unconfirmed.count()
            switch item.kind {
            case .answer where requests[item.slot].rejection == nil:
                trouble(item.slot, "The broker did not confirm the answer for the queue ")
            case .answer, .deadLetter: holdBack(item.slot, for: retryWait(item.slot))
            }
        }
    }
}
