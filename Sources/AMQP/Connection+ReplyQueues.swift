internal import CRabbitMQ

extension Connection {
    /// Declares a queue that goes with this connection, under a name that the broker chooses.
    ///
    /// It waits for the broker.
    public func declareReplyQueue(_ arguments: [QueueDeclaration.Argument] = []) throws(AMQPError) -> String {
        try declare(
            QueueDeclaration(name: "", arguments: arguments), isPassive: false,
            QueueFlags(isDurable: false, isExclusive: true, isAutoDelete: true)
        ).name
    }

    /// Declares a durable queue under a name that the broker chooses; it goes when nobody has used it for so long.
    ///
    /// It survives a restart of the broker, and other connections may use it. It waits for the broker.
    public func declareGeneratedQueue(expiresAfter duration: Duration) throws(AMQPError) -> String {
        let milliseconds = Int(min(duration, .seconds(2_000_000)) / .milliseconds(1))
        let arguments: [QueueDeclaration.Argument] = [.init("x-expires", .number(max(1, milliseconds)))]
        return try declare(QueueDeclaration(name: "", arguments: arguments), isPassive: false, QueueFlags()).name
    }

    /// Deletes a queue with what is in it; waits for the broker.
    public func delete(queue name: String) throws(AMQPError) {
        try unsafe name.withBytes { (name) throws(AMQPError) in
            _ = unsafe amqp_queue_delete(state, Self.channel, name, 0, 0)
        }
        try checkReply("delete the queue \(name)")
    }
}
