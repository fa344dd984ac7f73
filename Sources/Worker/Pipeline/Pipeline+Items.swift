internal import AMQP
internal import Items
internal import PersistentStore

extension Pipeline {
    /// Judges a message of items as it comes; nobody is answered.
    mutating func judgeItems(_ slot: Int32) {
        requests[slot].route = .standard
        requests[slot].form = .none
        requests[slot].needsAnswer = false
        if let rejection = judge.judge(requests[slot].message, as: .none) { setRejection(slot, rejection) }
    }

    /// Decodes a message of items into the batch.
    ///
    /// What it says without a version has the time at which the message was made, else the time at which it came.
    mutating func takeItems(_ slot: Int32) throws(ItemError) {
        let message = requests[slot].message
        let milliseconds = message.timestamp.flatMap { Int64(exactly: $0) }?.multipliedReportingOverflow(by: 1000)
        let time = milliseconds.flatMap { $0.overflow ? nil : $0.partialValue } ?? WallClock.milliseconds
        let bytes = message.bytes
        let operations = try itemDecoder.decode(
            bytes.span.extracting(message.body.indices), version: ItemVersion(time: time))
        let appID = message.appID.isEmpty ? nil : message.text(message.appID)
        itemMessages.append(ItemMessage(appID: appID, operations: operations))
    }

    /// Settles the messages of a batch that was applied.
    mutating func finishItems(_ applier: any ItemApplying) {
        answers.time = WallClock.seconds
        for (index, slot) in batch.enumerated() {
            guard !requests[slot].isOrphan else {
                release(slot)
                continue
            }
            requests[slot].stage = .ready
            finish(slot, applier.outcome(index), itemMessages[index])
        }
        batch.removeAll(keepingCapacity: true)
        itemMessages.removeAll(keepingCapacity: true)
    }

    private mutating func finish(_ slot: Int32, _ outcome: ApplyingOutcome, _ message: ItemMessage) {
        switch outcome {
        case .applied(let superseded):
            metrics.itemOperations.count(message.operations.count - superseded)
            metrics.supersededOperations.count(superseded)
            settleIfDone(slot)
        case .refused(let sentence):
            setRejection(slot, Rejection(reason: .malformedMessage, detail: sentence))
            publishRejection(slot)
        case .unavailable(let error):
            park(slot, error, probe: .items(message))
        }
    }
}
