import AMQP
import Activities
import Foundation
import PersistentStore
import Synchronization
import TestSupport
import Testing
import Worker

/// A resolver that needs no store: it opens the screen that the activity type names.
///
/// The title steers it: `deferred N` is answered after N deferrals, and while `gate` is closed nothing is available.
final class EchoResolver: ActivityResolving {
    final class Gate: Sendable {
        let isClosed = Atomic<Bool>(false)
        let attempts = Atomic<Int>(0)
    }

    private let gate: Gate
    private var activities: [Activity] = []
    private var deferrals: [String: Int] = [:]

    init(gate: Gate) { self.gate = gate }

    func begin(_ activities: [Activity]) -> ResolvingProgress {
        gate.attempts.add(1, ordering: .relaxed)
        self.activities = activities
        return .finished
    }

    func resume() -> ResolvingProgress { .finished }

    func outcome(_ index: Int, writingTo writer: inout JSONWriter) -> ResolvingOutcome {
        let activity = activities[index]
        if gate.isClosed.load(ordering: .relaxed) {
            return .unavailable(StoreError(.unavailable, "The test's store is away."))
        }
        if let title = activity.title, title.hasPrefix("deferred "), let wanted = Int(title.dropFirst(9)) {
            deferrals[title, default: 0] += 1
            if deferrals[title, default: 0] <= wanted { return .deferred }
        }
        let isHandled = activity.activityType != "unknown"
        writer.beginObject()
        writer.key("activityType" as StaticString)
        writer.string(activity.activityType)
        writer.key("handled" as StaticString)
        writer.boolean(isHandled)
        if let title = activity.title {
            writer.key("title" as StaticString)
            writer.string(title)
        }
        writer.endObject()
        return .command(isHandled: isHandled, reason: isHandled ? nil : "activityNotRouted")
    }
}

/// Where a worker gets its resolvers: the echo, unless a test has its own.
struct ResolverSource {
    var make: Worker.MakeResolver?
}

/// A worker in this process, on a thread of its own.
final class RunningWorker {
    let worker: Worker
    let gate = EchoResolver.Gate()
    let queues: QueueNames
    private final class Box: Sendable {
        let status = Mutex<ExitCode?>(nil)
    }
    private let box = Box()
    private let thread: Thread

    init(
        _ queues: QueueNames = QueueNames(), replyTo: [String] = [], url: AMQPURL? = nil,
        resolver: ResolverSource = ResolverSource(), change: (inout WorkerSettings) -> Void = { _ in }
    ) throws {
        self.queues = queues
        var settings = WorkerSettings(urls: [try url ?? Broker.url()])
        settings.queue = queues.input
        settings.replyQueue = queues.reply
        settings.deadQueue = queues.dead
        settings.itemsQueue = queues.items
        change(&settings)
        let level: Log.Level = ProcessInfo.processInfo.environment["DEEPLINK_TEST_LOG"] == nil ? .error : .debug
        let worker = Worker(
            settings: settings, makeResolver: Self.makeResolver(resolver, gate), replyTo: ReplyPatterns(replyTo),
            log: Log(level: level))
        self.worker = worker
        thread = Thread { [box] in
            let status = worker.run()
            box.status.withLock { $0 = status }
        }
        thread.start()
    }

    // Swift 6.3 calls a closure with typed throws wrongly when it is the right side of `??`, so there is none here.
    private static func makeResolver(_ source: ResolverSource, _ gate: EchoResolver.Gate) -> Worker.MakeResolver {
        if let make = source.make { return make }
        return { () throws(StoreError) in EchoResolver(gate: gate) }
    }

    /// Waits until the worker consumes.
    func ready() throws {
        try eventually("the worker to be ready") {
            worker.unreadyReasons.isEmpty || box.status.withLock { $0 != nil }
        }
        try #require(box.status.withLock { $0 } == nil)
    }

    /// Stops the worker and returns its status.
    @discardableResult
    func stop(now: Bool = false) throws -> ExitCode {
        if now { worker.stopNow() } else { worker.stop() }
        return try end()
    }

    /// Waits for the end.
    func end() throws -> ExitCode {
        try eventually("the worker's end", within: .seconds(40)) { box.status.withLock { $0 != nil } }
        return try #require(box.status.withLock { $0 })
    }
}
