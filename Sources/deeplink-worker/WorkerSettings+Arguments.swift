import AMQP
import Arguments
import Worker

extension WorkerSettings {
    /// The settings of `run` from its flags.
    init(_ arguments: ParsedArguments) throws {
        self.init(urls: try arguments.brokerURLs())
        try takeQueues(arguments)
        declaresQueues = !arguments.flag("no-declare")
        prefetch = try arguments.count("prefetch", in: 1...65_535)
        pipelines = try arguments.count("pipelines", in: 1...64)
        bodyByteCountMax = try arguments.byteCount("max-body-bytes", in: Flags.bodyByteCounts)
        inflightByteCountMax = try arguments.byteCount("max-inflight-bytes", in: 1 << 16...1 << 40)
        drainTimeout = try arguments.duration("drain-timeout")
        holdLimit = try arguments.duration("hold-limit")
    }

    /// Takes the queues' names and type over.
    mutating func takeQueues(_ arguments: ParsedArguments) throws {
        queue = try arguments.queueName("queue")
        replyQueue = try arguments.queueName("reply-queue")
        deadQueue = try arguments.queueName("dead-queue")
        itemsQueue = try arguments.queueName("items-queue")
        let names = [queue, replyQueue, deadQueue, itemsQueue]
        guard Set(names).count == names.count else {
            throw UsageError("--queue, --reply-queue, --dead-queue and --items-queue must name four different queues.")
        }
        queueType = try arguments.choice("queue-type", QueueType.self)
    }
}

extension ParsedArguments {
    /// A queue's name: 1 to 255 bytes.
    func queueName(_ flag: String) throws(UsageError) -> String {
        let name = try required(flag)
        guard name.utf8.count <= 255 else {
            throw UsageError("--\(flag) is longer than the 255 bytes of a queue's name.")
        }
        return name
    }
}
