internal import AMQP

extension Pipeline {
    /// Whether the connections are being closed, so that their end is no loss.
    var drainIsClosing: Bool {
        switch drain.phase {
        case .closing, .ended: true
        case .running, .finishing, .settling: false
        }
    }

    /// Goes on with the drain; a status is the end.
    mutating func stepDrain() -> ExitCode? {
        guard drain.isDraining else { return nil }
        while let action = drain.step(
            now: now, isIdle: isIdle, isFlushed: !(consuming.connection?.hasOutput ?? false),
            isClosed: consuming.connection == nil && (publishing.connection == nil || !drainIsClosing))
        {
            switch action {
            case .acknowledge:
                if acks.outstandingCount > 0 {
                    log.warning("the drain's time is up", ("unsettled", .number(acks.outstandingCount)))
                }
                writeAcknowledgements(areLast: true)
                beatAndFlush()
            case .close: closeConnections()
            case .end:
                log.info("drained", ("clean", drain.isClean ? "yes" : "no"))
                return drain.isClean ? .clean : .unavailable
            }
        }
        return nil
    }

    /// Whether everything that was delivered is settled, and no more can come.
    private var isIdle: Bool {
        consuming.connection == nil || consumer.phase == .stopped && acks.outstandingCount == 0
    }

    private mutating func closeConnections() {
        do throws(AMQPError) {
            try consuming.connection?.closeChannel()
            try consuming.connection?.close()
            try consuming.connection?.flush(now: now.instant)
        } catch {
            consuming.end()
        }
        // A broker that reads nothing is not told.
        guard publishing.connection?.takesOutput != false else { return publishing.end() }
        do throws(AMQPError) {
            try publishing.connection?.close()
            try publishing.connection?.flush(now: now.instant)
        } catch {
            publishing.end()
        }
    }
}
