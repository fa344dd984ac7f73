internal import AMQP
internal import Activities

extension Pipeline {
    /// Publishes the answer whose body is in `answerWriter`.
    mutating func publishAnswer(_ slot: Int32) {
        guard let connection = publishing.connection else {
            ready.append(requests.reference(slot))
            return
        }
        do throws(AMQPError) {
            if requests[slot].form == .none {
                try publishCommand(slot, on: connection)
            } else {
                answers.fill(&outgoing, for: requests[slot].message, route: requests[slot].route)
                var body = answerWriter.bytes
                answers.makeEvent(&outgoing, &body, as: requests[slot].form, answering: requests[slot].event)
                try connection.publish(outgoing, body: body.span)
            }
            published(slot, .answer)
        } catch {
            ready.append(requests.reference(slot))
            losePublishing(.lost, error.description)
        }
    }

    private mutating func publishCommand(_ slot: Int32, on connection: Connection) throws(AMQPError) {
        let message = requests[slot].message
        if let form = answers.form, let reply = answers.reply(to: message, route: requests[slot].route) {
            let isPublished = answerWriter.withBytes { connection.publish(reply, to: message, as: form, body: $0) }
            if isPublished { return }
        }
        answers.fill(&outgoing, for: message, route: requests[slot].route)
        try answerWriter.withBytes { (body) throws(AMQPError) in try connection.publish(outgoing, body: body) }
    }

    /// Publishes what a rejected request still needs: its dead letter, and the answer that says why.
    mutating func publishRejection(_ slot: Int32) {
        guard let connection = publishing.connection, let rejection = requests[slot].rejection else {
            ready.append(requests.reference(slot))
            return
        }
        if requests[slot].closesChannel, let due = deadLetterDue, now < due { return postpone(slot, by: due - now) }
        answers.time = WallClock.seconds
        do throws(AMQPError) {
            if requests[slot].needsDeadLetter {
                if try publishDeadLetter(slot, rejection, connection) {
                    published(slot, .deadLetter)
                } else {
                    log.warning("a dead letter cannot be copied", ("reason", "its headers exceed a frame"))
                    requests[slot].needsDeadLetter = false
                    requests[slot].isGivenToBroker = true
                }
            }
            if requests[slot].needsAnswer {
                var body = AnswerWriter.rejection(rejection.detail)
                answers.fill(&outgoing, for: requests[slot].message, route: requests[slot].route)
                answers.makeEvent(&outgoing, &body, as: requests[slot].form, answering: requests[slot].event)
                try connection.publish(outgoing, body: body.span)
                published(slot, .answer)
            }
        } catch {
            requests[slot].stage = .ready
            ready.append(requests.reference(slot))
            return losePublishing(.lost, error.description)
        }
        settleIfDone(slot)
    }

    private func publishDeadLetter(
        _ slot: Int32, _ rejection: Rejection, _ connection: Connection
    ) throws(AMQPError) -> Bool {
        let headers: [AddedHeader] = [
            ("deeplink-reason", Array(rejection.reason.rawValue.utf8)),
            ("deeplink-detail", rejection.headerText),
            ("deeplink-source-queue", Array(queue.utf8)),
            ("deeplink-time", Array(WallClock.text(Double(answers.time)).utf8)),
        ]
        return try connection.republish(
            requests[slot].message, to: settings.deadQueue, replacingHeaders: "deeplink-", by: headers)
    }

    private mutating func published(_ slot: Int32, _ kind: ConfirmTracker.Kind) {
        requests[slot].stage = .published
        requests[slot].publishedAt = now
        confirms.published(.init(slot: slot, generation: requests[slot].generation, kind: kind))
    }

    /// Turns a request into a dead letter, to be published next.
    mutating func setRejection(_ slot: Int32, _ rejection: Rejection) {
        let message = requests[slot].message
        requests[slot].rejection = rejection
        requests[slot].isAnswerReturned = false
        // A body that is not held cannot be copied; the broker dead-letters what it rejects. It would drop a message of
        // items, whose queue dead-letters to none: there the copy has no body.
        requests[slot].isGivenToBroker = message.isBodyDiscarded && work.answers
        requests[slot].needsDeadLetter = !requests[slot].isGivenToBroker
        requests[slot].needsAnswer =
            rejection.reason.isAnswered && (requests[slot].route == .named || requests[slot].route == .direct)
        log.info(
            "rejected a request", ("reason", .text(rejection.reason.rawValue)),
            ("tag", .number(Int(requests[slot].tag))), ("detail", .text(rejection.detail)))
    }

    /// A request's answer cannot be delivered: it becomes a dead letter.
    mutating func deadLetter(_ slot: Int32, _ reason: RejectionReason, _ detail: String) {
        forgetTrouble(slot)
        setRejection(slot, Rejection(reason: reason, detail: detail))
        requests[slot].attempts = 0
        requests[slot].stage = .ready
        ready.append(requests.reference(slot))
    }

    /// The name of the queue that a request's answer goes to.
    func replyQueue(_ slot: Int32) -> String {
        requests[slot].route == .standard
            ? settings.replyQueue : requests[slot].message.text(requests[slot].message.replyTo)
    }
}
