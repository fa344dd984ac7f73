internal import AMQP
internal import Activities
internal import Items
internal import PersistentStore
internal import Synchronization

/// One share of the work: a thread, two connections, a resolver and the requests between them.
///
/// The same loop applies the messages of the item queue, which are requests without an answer.
///
/// Everything here happens on that thread. `turn` waits for sockets, the store, other threads or the nearest deadline,
/// and then does what there is to do; nothing in it blocks, but for publishing on TLS.
struct Pipeline: ~Copyable {
    /// How many requests are resolved and published as one batch.
    static let batchCountMax = 256
    /// How many on TLS.
    static let secureBatchCountMax = 32
    /// With so many bytes waiting for the publishing socket nothing more is resolved.
    static let outputByteCountMax = 1 << 20
    /// How long acknowledgements are collected.
    static let acknowledgeDelay: Duration = .milliseconds(10)
    /// The loop turns at least so often, which is how it shows that it lives.
    static let turnTime: Duration = .seconds(1)
    /// A consumer that gets nothing for so long has no suspected message to expect.
    static let idleTime: Duration = .seconds(1)

    let settings: WorkerSettings
    let log: Log
    let metrics: Metrics
    let health: PipelineHealth
    let control: PipelineControl
    let isolation: Isolation
    /// The pipeline's number in its worker.
    let index: Int
    /// The queue that it consumes from.
    let queue: String
    var work: PipelineWork
    /// Whether activities must carry their request's `app_id`.
    var choosesApps: Bool
    let judge: RequestJudge
    var now: Moment = .now

    var consuming = Link(.consuming)
    var publishing = Link(.publishing)
    var declaring = Link(.declaring)
    /// Whether the input queue is gone and must be declared again before it is consumed from.
    var needsDeclaration = false
    var consumer = ConsumerState()
    private var consumerNumber = 0
    /// The first delivery that comes to the present consumer.
    var consumerStart: UInt64 = 1
    /// Since when there has been no consumer though there should be one.
    var consumerMissingSince: Moment = .now
    /// When the broker was asked to begin or end the consumer.
    var consumerAskedAt: Moment = .now
    var prefetch: PrefetchState
    /// Since when there may have been nothing to do.
    var idleSince: Moment = .now
    /// Whether another pipeline takes suspected messages, so that this one may take none.
    var isKeptAway = false
    /// How many requests are held back.
    var heldBackCount = 0
    var outage: StoreOutage
    var drain: DrainState
    var blockedSince: Moment?
    var patience: ConfirmPatience
    var firstRefusals = FirstRefusals()
    /// What ends the worker at the start: no retry would help.
    var exitStatus: ExitCode?

    var requests = RequestTable()
    var heldByteCount = 0
    var acks: AckTracker
    var confirms: ConfirmTracker
    var ready = SlotQueue()
    var waiting: [SlotReference] = []
    /// When the first of the waiting is due.
    var nextWaiting: Moment?
    var parked = SlotQueue()
    var suspects = SuspectQueue()
    /// How often in a row a dead letter alone made the broker close the publishing channel.
    var deadLetterCloses = 0
    /// Until then no dead letter that did so is published.
    var deadLetterDue: Moment?
    /// What waits for reply queues that refuse their answers.
    var troubles: Troubles
    var acknowledgeAt: Moment?
    private var toldGauges = PipelineGauges()
    var tally = SettledTally()
    var latencies = TimeRun()
    var confirmLatencies = TimeRun()

    var replyPolicy: ReplyPolicy
    var answers: AnswerWriter
    var decoder = ActivityDecoder()
    var batch: [Int32] = []
    var activities: [Activity] = []
    var itemDecoder = ItemDecoder()
    var itemMessages: [ItemMessage] = []
    var batchBegan: Moment = .now
    var resolverWait: ResolverWait?
    var isResolverReady = false
    /// A message that met an outage, to see whether the store answers again.
    var probe: StoreProbe?
    var isProbing = false

    var outgoing: OutgoingMessage
    var answerWriter = JSONWriter()
    var acknowledgements: [Acknowledgement] = []
    var confirmed: [ConfirmTracker.Item] = []
    var poller = Poller()

    /// What a batch that is under way waits for.
    struct ResolverWait {
        let descriptor: Int32
        let forWriting: Bool
        let deadline: Moment
    }

    init(
        settings: WorkerSettings, rules: PipelineRules, log: Log, metrics: Metrics, health: PipelineHealth,
        control: PipelineControl, isolation: Isolation, index: Int
    ) {
        self.settings = settings
        self.log = log
        self.metrics = metrics
        self.health = health
        self.control = control
        self.isolation = isolation
        self.index = index
        queue = rules.work.answers ? settings.queue : settings.itemsQueue
        work = rules.work
        choosesApps = rules.work.choosesApps
        judge = RequestJudge(bodyByteCountMax: settings.bodyByteCountMax)
        prefetch = PrefetchState(full: settings.prefetch)
        outage = StoreOutage(holdLimit: settings.holdLimit)
        drain = DrainState(timeout: settings.drainTimeout)
        patience = ConfirmPatience(timeout: settings.confirmTimeout, heartbeat: .zero, now: .now)
        troubles = Troubles(prefetch: settings.prefetch, inflightByteCountMax: settings.inflightByteCountMax)
        acks = AckTracker(prefetch: settings.prefetch)
        confirms = ConfirmTracker(capacity: settings.prefetch * 2)
        replyPolicy = Self.replyPolicy(rules.replyTo, settings)
        var answer = OutgoingMessage()
        answers = AnswerWriter(
            replyQueue: settings.replyQueue, eventSource: AnswerWriter.eventSource(queue: queue),
            preparing: &answer)
        outgoing = answer
    }

    /// The consumer's tag; every consumer has a new one.
    ///
    /// RabbitMQ 3.10 closes the connection when a consumer of a quorum queue takes the tag of one that was cancelled with
    /// deliveries unacknowledged.
    var consumerTag: String { "deeplink-worker.\(consumerNumber)" }

    mutating func chooseConsumerTag() { consumerNumber += 1 }

    /// Runs until the end and returns the exit status.
    mutating func run() -> ExitCode {
        // A turn begins with waiting; without this the first one would have nothing to wait for.
        connectWhatIsMissing()
        while true {
            if let status = turn() { return status }
        }
    }

    /// One turn of the loop.
    private mutating func turn() -> ExitCode? {
        wait()
        takeDemand()
        if control.demand == .stopNow { return .unavailable }
        connectWhatIsMissing()
        if let exitStatus { return exitStatus }
        readConfirms()
        readDeliveries()
        resumeResolving()
        takeSuccessor()
        wakeWaiting()
        checkConfirmTimes()
        stepOutage()
        dispatch()
        acknowledge()
        stepConsumer()
        beatAndFlush()
        publishHealth()
        publishMetrics()
        log.tellFolded()
        return stepDrain()
    }

    private mutating func takeDemand() {
        guard control.demand != .run, !drain.isDraining else { return }
        log.info("draining", ("unsettled", .number(acks.outstandingCount)))
        drain.stop(now: now)
    }

    /// Tells the gauges how they changed, for other pipelines add to them too, and what was counted in this turn.
    private mutating func publishMetrics() {
        let gauges = PipelineGauges(
            inFlight: acks.outstandingCount, heldBytes: heldByteCount, unconfirmed: confirms.count,
            prefetch: consumer.prefetch, consuming: consuming.connection == nil ? 0 : 1,
            publishing: publishing.connection == nil ? 0 : 1)
        if gauges != toldGauges {
            metrics.add(gauges, insteadOf: toldGauges)
            toldGauges = gauges
        }
        tally.flush(to: metrics)
        latencies.flush(now: now, to: metrics.latency)
        confirmLatencies.flush(now: now, to: metrics.confirmLatency)
    }

    private func publishHealth() {
        var bits: UInt8 = 0
        if consuming.connection == nil || publishing.connection == nil { bits |= UnreadyReason.notConnected.rawValue }
        if !consumer.isRunning, !isKeptAway || isPaused { bits |= UnreadyReason.notConsuming.rawValue }
        if outage.isActive { bits |= UnreadyReason.storeUnavailable.rawValue }
        if blockedSince != nil { bits |= UnreadyReason.blocked.rawValue }
        if drain.isDraining { bits |= UnreadyReason.draining.rawValue }
        health.set(bits)
        health.turned(at: now)
    }
}
