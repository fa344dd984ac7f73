internal import AMQP
public import PersistentStore
internal import Synchronization

/// The worker: one or more pipelines that consume, resolve, publish, await the confirm and acknowledge.
public final class Worker: Sendable {
    /// librabbitmq 0.11 decodes nested header tables recursively, without a limit but the frame's size.
    static let stackByteCount = 16 << 20

    /// Makes a pipeline's resolver, on the pipeline's thread.
    public typealias MakeResolver = @Sendable () throws(StoreError) -> any ActivityResolving
    /// Makes what applies items, on the thread of the pipeline that does it.
    public typealias MakeApplier = @Sendable () throws(StoreError) -> any ItemApplying

    private let settings: WorkerSettings
    private struct Rules {
        var makeResolver: MakeResolver
        var makeApplier: MakeApplier?
        var replyTo: ReplyPatterns

        func rules(ofPipeline index: Int, _ settings: WorkerSettings) throws(StoreError) -> PipelineRules {
            if index >= settings.pipelines, let makeApplier {
                return PipelineRules(work: .applying(try makeApplier()), replyTo: replyTo)
            }
            return PipelineRules(work: .resolving(try makeResolver()), replyTo: replyTo)
        }
    }

    private let rules: Mutex<Rules>
    private let log: Log
    private let controls: [PipelineControl]
    private let isolation: Isolation
    private let statuses: Mutex<[ExitCode]>
    /// What is counted of requests.
    public let metrics = Metrics()
    /// What is counted of messages of items.
    public let itemMetrics = Metrics()
    /// The pipelines' states.
    public let health: [PipelineHealth]

    /// Whether a pipeline of its own consumes the item queue.
    public let takesItems: Bool

    /// Makes a worker; `replyTo` holds the configuration's patterns of reply queues.
    ///
    /// With `makeApplier` the item queue is consumed too.
    public init(
        settings: WorkerSettings, makeResolver: @escaping MakeResolver, makeApplier: MakeApplier? = nil,
        replyTo: ReplyPatterns = [], log: Log = Log()
    ) {
        precondition(settings.pipelines > 0, "a worker needs a pipeline")
        precondition((1...65_535).contains(settings.prefetch), "the prefetch is a 16-bit number")
        self.settings = settings
        takesItems = makeApplier != nil
        rules = Mutex(Rules(makeResolver: makeResolver, makeApplier: makeApplier, replyTo: replyTo))
        self.log = log
        // The last one is that of the items.
        let count = settings.pipelines + (takesItems ? 1 : 0)
        let controls = (0..<count).map { _ in PipelineControl() }
        self.controls = controls
        isolation = Isolation(pipelines: count) { for control in controls { control.wakeUp.signal() } }
        health = (0..<count).map { _ in PipelineHealth() }
        statuses = Mutex([])
    }

    /// Works until it is stopped or cannot start, and returns the exit status.
    ///
    /// It blocks the calling thread, which should not be one of Swift's own.
    public func run() -> ExitCode {
        if settings.queueType == .classic, settings.declaresQueues {
            log.warning(
                "classic queues have no delivery limit",
                ("advice", "a message that crashes the worker comes back for ever; use quorum queues"))
        }
        if !settings.declaresQueues {
            log.info(
                "taking the queues as they are",
                ("advice", "the input queue needs a dead-letter exchange, or the broker drops what is rejected to it"))
        }
        var threads: [Runner] = []
        for index in controls.indices {
            threads.append(Runner { [self] in runPipeline(index) })
        }
        for thread in threads { thread.join() }
        log.tellFolded(all: true)
        return statuses.withLock { $0.first { $0 != .clean } ?? .clean }
    }

    /// Gives every pipeline a new resolver and new patterns of reply queues, which it takes over between two batches.
    ///
    /// May be called from any thread, but from one at a time. All resolvers are made here, before the first is handed
    /// over: after an error nothing has changed. A worker that takes items needs `makeApplier` here too, and only such
    /// a worker may have it.
    public func replaceResolvers(
        replyTo: ReplyPatterns, makeApplier: MakeApplier? = nil, makeResolver: @escaping MakeResolver
    ) throws(StoreError) {
        precondition((makeApplier != nil) == takesItems, "whether items are taken is decided at the start")
        let rules = Rules(makeResolver: makeResolver, makeApplier: makeApplier, replyTo: replyTo)
        var successors: [PipelineRules] = []
        for index in controls.indices { successors.append(try rules.rules(ofPipeline: index, settings)) }
        self.rules.withLock { $0 = rules }
        for (control, successor) in zip(controls, successors) { control.handOver(successor) }
    }

    /// Finishes what was delivered, then ends; may be called from any thread.
    public func stop() {
        for control in controls { control.ask(.stop) }
    }

    /// Ends at once; the broker delivers again what was not settled.
    public func stopNow() {
        for control in controls { control.ask(.stopNow) }
    }

    /// Whether every pipeline's loop turns, whatever the broker does.
    public var isLive: Bool { health.allSatisfy(\.isLive) }

    /// Whether every pipeline is ready; the reasons why not, each once.
    public var unreadyReasons: [UnreadyReason] {
        let reasons = health.flatMap(\.unreadyReasons)
        return UnreadyReason.allCases.filter(reasons.contains)
    }

    private func runPipeline(_ index: Int) {
        let status = resolveAndRun(index)
        isolation.leave(index)
        statuses.withLock { $0.append(status) }
        // One pipeline that cannot go on ends the worker; the others finish what they have.
        if status != .clean { stop() }
    }

    private func resolveAndRun(_ index: Int) -> ExitCode {
        let control = controls[index]
        let metrics = index < settings.pipelines ? metrics : itemMetrics
        var backoff = Backoff(base: .milliseconds(200), limit: .seconds(5))
        var told: String?
        while true {
            health[index].turned(at: .now)
            do throws(StoreError) {
                let rules = rules.withLock { $0 }
                var pipeline = Pipeline(
                    settings: settings, rules: try rules.rules(ofPipeline: index, settings), log: log,
                    metrics: metrics, health: health[index], control: control, isolation: isolation, index: index)
                return pipeline.run()
            } catch {
                guard error.code == .unavailable else {
                    log.error("cannot start", ("reason", .text(error.description)))
                    return ExitCode(startFailure: error)
                }
                if let told, told == error.description {
                    log.debug("a store is still unavailable", ("reason", .text(error.description)))
                } else {
                    log.warning("a store is unavailable", ("reason", .text(error.description)))
                    if told == nil { metrics.storeOutages.count() }
                    told = error.description
                }
                health[index].waitForStore()
                wait(backoff.next(), control, health[index])
                if control.demand != .run { return .clean }
            }
        }
    }
}

extension Worker {
    /// Waits for a store, or until something else is asked; the loop shows that it lives.
    private func wait(_ duration: Duration, _ control: PipelineControl, _ health: PipelineHealth) {
        let end = Moment.now + duration
        while case let rest = end - .now, rest > .zero, control.demand == .run {
            var poller = Poller()
            _ = poller.add(control.wakeUp.descriptor, reading: true, writing: false)
            poller.wait(min(rest, Pipeline.turnTime))
            health.turned(at: .now)
            // New rules may name stores that are there.
            guard !poller.isReady(0) else { return control.wakeUp.clear() }
        }
    }
}

/// A pipeline's thread, to be joined.
private final class Runner {
    private var thread: NativeThread?

    init(_ body: @escaping @Sendable () -> Void) {
        do throws(AMQPError) {
            thread = try NativeThread(name: "dl-pipeline", stackByteCount: Worker.stackByteCount, body)
        } catch {
            // Without its thread a pipeline cannot even end.
            fatalError(error.description)
        }
    }

    func join() {
        thread.take()?.join()
    }
}

extension ExitCode {
    /// The status for a store that cannot be opened.
    init(startFailure error: StoreError) {
        switch error.code {
        case .missing: self = .noInput
        case .invalid: self = .dataError
        case .denied: self = .noPermission
        case .unsupported: self = .configuration
        case .unavailable: self = .unavailable
        }
    }
}
