internal import AMQP

extension Pipeline {
    /// Settles a request for which nothing is to be confirmed any more.
    mutating func settleIfDone(_ slot: Int32) {
        guard !requests[slot].needsAnswer, !requests[slot].needsDeadLetter else { return }
        // A batch that is under way holds the slot until it has finished, and settles it then.
        guard requests[slot].stage != .resolving else { return }
        let tag = requests[slot].tag
        if requests[slot].rejection == nil {
            tally.settled(isAnswer: work.answers, notHandled: requests[slot].reasonIndex, in: metrics)
        } else {
            if let rejection = requests[slot].rejection { metrics.countDeadLetter(rejection.reason) }
            metrics.countSettled(requests[slot].isGivenToBroker ? .rejected : .deadLettered)
        }
        if let sent = requests[slot].sentAt { tally.aged(since: sent, in: metrics) }
        latencies.add(since: requests[slot].receivedAt, now: now, to: metrics.latency)
        let isGivenToBroker = requests[slot].isGivenToBroker
        forgetTrouble(slot)
        release(slot)
        idleSince = now
        if isGivenToBroker {
            rejectDelivery(tag)
        } else {
            acks.settle(tag)
            if acknowledgeAt == nil { acknowledgeAt = now + Self.acknowledgeDelay }
        }
    }

    private mutating func rejectDelivery(_ tag: UInt64) {
        acks.reject(tag)
        do throws(AMQPError) {
            try consuming.connection?.reject(tag)
        } catch {
            loseConsuming(.lost, error.description)
        }
    }

    /// Frees a slot.
    mutating func release(_ slot: Int32) {
        heldByteCount -= requests[slot].byteCount
        if requests[slot].isHeldBack { heldBackCount -= 1 }
        requests.release(slot)
    }

    /// Acknowledges what is settled: many at once while there is more work, at once when there is none.
    mutating func acknowledge() {
        guard acks.settledCount > 0 else {
            acknowledgeAt = nil
            return
        }
        if acks.outstandingCount == 0 { return writeAcknowledgements() }
        let isDue = acknowledgeDeadline.map { now >= $0 } ?? false
        if drain.isDraining {
            // At the end of a drain everything is acknowledged with one `multiple`; a hole makes some wait too long for it.
            if isDue { writeAcknowledgements(areLast: true) }
        } else if isDue || acks.settledCount >= max(1, settings.prefetch / 10) {
            writeAcknowledgements()
        }
    }

    /// When acknowledgements are due that nothing else calls for.
    var acknowledgeDeadline: Moment? {
        guard acks.settledCount > 0 else { return nil }
        let collected =
            drain.isDraining
            ? acknowledgeAt.map { $0 - Self.acknowledgeDelay + AckTracker.holePatience } : acknowledgeAt
        guard let collected, let behindHole = acks.deadline else { return collected ?? acks.deadline }
        return min(collected, behindHole)
    }

    /// Writes every acknowledgement that can be written; the last ones do not wait behind a hole.
    mutating func writeAcknowledgements(areLast: Bool = false) {
        guard let connection = consuming.connection else { return }
        acknowledgements.removeAll(keepingCapacity: true)
        acks.take(now: now, areLast: areLast, into: &acknowledgements)
        acknowledgeAt = nil
        do throws(AMQPError) {
            for acknowledgement in acknowledgements {
                try connection.acknowledge(acknowledgement.tag, multiple: acknowledgement.multiple)
            }
        } catch {
            loseConsuming(.lost, error.description)
        }
    }

    /// Sends heartbeats and what waits for the sockets, and notices silent peers.
    mutating func beatAndFlush() {
        if let connection = publishing.connection {
            do throws(AMQPError) {
                try connection.beat(now: now.instant)
                try connection.flush(now: now.instant)
            } catch {
                countSilence(error)
                losePublishing(.lost, error.description)
            }
        }
        if let connection = consuming.connection {
            do throws(AMQPError) {
                try connection.beat(now: now.instant, isReading: mayReadDeliveries)
                try connection.flush(now: now.instant)
            } catch {
                countSilence(error)
                loseConsuming(.lost, error.description)
            }
        }
    }

    private func countSilence(_ error: AMQPError) {
        if error.code == .timeout { metrics.heartbeatMisses.count() }
    }
}
