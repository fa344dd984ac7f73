extension Connection {
    /// Compares a queue with its declaration, and changes nothing.
    ///
    /// AMQP does not show a queue's arguments, but the broker names the first one that differs from a declaration. So
    /// the queue is declared again with what the broker has told, until nothing differs. It needs the permission to
    /// configure the queue. It waits for the broker, and leaves the channel open.
    public func compare(_ queue: QueueDeclaration) throws(AMQPError) -> QueueComparison {
        do throws(AMQPError) {
            _ = try declare(QueueDeclaration(name: queue.name, arguments: []), isPassive: true, QueueFlags())
        } catch {
            switch (error.code, error.replyCode) {
            case (.missing, _):
                try reopenChannel()
                return .missing
            case (_, 405):
                try reopenChannel()
                let exclusive = QueueDifference("exclusive", wanted: .flag(false), current: .flag(true))
                return .different([exclusive], isComplete: false)
            default: throw error
            }
        }
        var trial = Trial(queue)
        while true {
            do throws(AMQPError) {
                _ = try declare(trial.queue, isPassive: false, trial.flags)
                return trial.differences.isEmpty ? .equal : .different(trial.differences, isComplete: true)
            } catch  where error.code == .mismatch {
                try reopenChannel()
                guard let difference = QueueDifference(refusal: error.description, of: queue) else { throw error }
                guard trial.take(difference) else {
                    return .different(trial.differences, isComplete: false)
                }
            }
        }
    }
}

/// A declaration on its way to what a queue is.
private struct Trial {
    private(set) var queue: QueueDeclaration
    private(set) var flags = QueueFlags()
    private(set) var differences: [QueueDifference] = []

    init(_ queue: QueueDeclaration) { self.queue = queue }

    /// Takes a difference over; false where there is nothing more to be learned.
    mutating func take(_ difference: QueueDifference) -> Bool {
        guard !differences.contains(where: { $0.name == difference.name }) else { return false }
        differences.append(difference)
        switch (difference.name, difference.current) {
        // The arguments of one type are no arguments of another.
        case ("x-queue-type", _), ("exclusive", _): return false
        case ("durable", .flag(let flag)?): flags.isDurable = flag
        case ("auto_delete", .flag(let flag)?): flags.isAutoDelete = flag
        case (let name, let value) where name.hasPrefix("x-"):
            var arguments = queue.arguments.filter { $0.name != name }
            if let value { arguments.append(.init(name, value)) }
            queue = QueueDeclaration(name: queue.name, arguments: arguments)
        default: return false
        }
        return true
    }
}
