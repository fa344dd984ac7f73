internal import CRabbitMQ

extension Connection {
    /// Declares a durable queue; one that exists must have the same arguments.
    ///
    /// It waits for the broker. After an error the channel is closed: drop the connection.
    @discardableResult
    public func declare(_ queue: QueueDeclaration) throws(AMQPError) -> QueueStatus {
        do throws(AMQPError) {
            return try declare(queue, isPassive: false, QueueFlags())
        } catch  where error.code == .mismatch {
            throw AMQPError(
                .mismatch,
                "The queue \(queue.name) exists with other arguments than the worker's (\(Self.difference(error))). "
                    + "Delete it when it is empty, so that the worker declares it; or make the arguments equal; or run "
                    + "with --no-declare to take it as it is.", replyCode: error.replyCode)
        } catch  where error.code == .denied {
            throw AMQPError(
                .denied,
                error.description + " To use queues that others declare, run with --no-declare.",
                replyCode: error.replyCode)
        }
    }

    /// Looks whether a queue exists, and how many messages it has; waits for the broker.
    ///
    /// After an error the channel is closed: drop the connection.
    public func inspect(queue name: String) throws(AMQPError) -> QueueStatus {
        do throws(AMQPError) {
            return try declare(QueueDeclaration(name: name, arguments: []), isPassive: true, QueueFlags())
        } catch  where error.code == .missing {
            throw AMQPError(
                .missing, "The queue \(name) does not exist. Declare it, or run the worker without --no-declare.",
                replyCode: 404)
        }
    }

    /// Declares a queue that goes with this connection, under a name that the broker chooses.
    ///
    /// It waits for the broker.
    public func declareReplyQueue() throws(AMQPError) -> String {
        letLibraryRead()
        let result = unsafe amqp_queue_declare(state, Self.channel, amqp_bytes_t(), 0, 0, 1, 1, amqp_table_t())
        try checkReply("declare a reply queue")
        guard let result = unsafe result else { throw violation("no name of a queue") }
        return unsafe result.pointee.queue.printableText
    }

    /// Declares a queue, or looks for it; the error repeats the broker's words.
    func declare(
        _ queue: QueueDeclaration, isPassive: Bool, _ flags: QueueFlags
    ) throws(AMQPError) -> QueueStatus {
        letLibraryRead()
        // The library takes pointers: the texts lie in one buffer, the entries point into it.
        var texts: [UInt8] = []
        var places: [(name: ByteRange, value: ByteRange)] = []
        func place(_ text: String) -> ByteRange {
            defer { texts.append(contentsOf: text.utf8) }
            return ByteRange(start: texts.count, count: text.utf8.count)
        }
        for argument in queue.arguments {
            var value = ByteRange.absent
            if case .text(let text) = argument.value { value = place(text) }
            places.append((place(argument.name), value))
        }
        let name = place(queue.name)
        let result = unsafe texts.withUnsafeBufferPointer { texts in
            var entries = unsafe zip(queue.arguments, places).map { argument, place in
                let value: amqp_field_value_t =
                    switch argument.value {
                    case .number(let number): unsafe .number(number)
                    case .flag(let flag): unsafe .flag(flag)
                    case .text: unsafe .text(place.value.bytes(in: texts))
                    }
                return unsafe amqp_table_entry_t(key: place.name.bytes(in: texts), value: value)
            }
            return unsafe entries.withUnsafeMutableBufferPointer { entries in
                let table = unsafe amqp_table_t(num_entries: Int32(entries.count), entries: entries.baseAddress)
                return unsafe amqp_queue_declare(
                    state, Self.channel, name.bytes(in: texts), isPassive ? 1 : 0, flags.isDurable ? 1 : 0, 0,
                    flags.isAutoDelete ? 1 : 0, table)
            }
        }
        try checkReply("\(isPassive ? "find" : "declare") the queue \(queue.name)")
        guard let result = unsafe result else { throw violation("no status of a queue") }
        return unsafe QueueStatus(
            name: result.pointee.queue.printableText, messageCount: Int(result.pointee.message_count),
            consumerCount: Int(result.pointee.consumer_count))
    }

    /// The broker's own words about the first argument that differs.
    private static func difference(_ error: AMQPError) -> String {
        let text = error.description
        guard let start = text.range(of: "inequivalent arg ") else { return text }
        return "argument " + text[start.upperBound...].trimmingSuffix(".")
    }
}

/// What a queue is beside its arguments.
struct QueueFlags {
    var isDurable = true
    var isAutoDelete = false
}

extension amqp_field_value_t {
    /// A number of 32 bits where it fits, for that is what other clients send.
    static func number(_ number: Int) -> amqp_field_value_t {
        var value = unsafe amqp_field_value_t()
        if let small = Int32(exactly: number) {
            unsafe value.kind = UInt8(ascii: "I")
            unsafe value.value.i32 = small
        } else {
            unsafe value.kind = UInt8(ascii: "l")
            unsafe value.value.i64 = Int64(number)
        }
        return unsafe value
    }

    static func flag(_ flag: Bool) -> amqp_field_value_t {
        var value = unsafe amqp_field_value_t()
        unsafe value.kind = UInt8(ascii: "t")
        unsafe value.value.boolean = flag ? 1 : 0
        return unsafe value
    }
}

extension StringProtocol {
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }

    fileprivate func trimmingSuffix(_ text: String) -> String {
        hasSuffix(text) ? String(dropLast(text.count)) : String(self)
    }
}
