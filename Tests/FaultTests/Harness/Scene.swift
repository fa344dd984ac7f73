import AMQP
import Foundation
import TestSupport
import Testing

/// One worker behind a fault proxy, the queues of its own at a broker, and the check of what became of the requests.
final class Scene {
    let broker: BrokerAccess
    let queues: QueueNames
    let proxy: FaultProxy
    let worker: WorkerProcess
    let prefetch: Int
    let pipelines: Int
    /// What may be under way at a fault, and so be repeated by it.
    var inFlightMax: Int { pipelines * (prefetch + 1) }
    /// What the scenario's name ends in.
    var suffix: String { pipelines == 1 ? "" : " (\(pipelines) pipelines)" }

    /// Prepares a worker; it is not started yet.
    ///
    /// `query` is added to the broker's URL. Without `throughProxy` the worker connects to the broker itself, or to `urls`.
    init(
        _ broker: BrokerAccess? = nil, queues: QueueNames = QueueNames(), configuration: String = Request.configuration,
        query: String = "heartbeat=5&connection_timeout=3000", prefetch: Int = 500, pipelines: Int = 1,
        throughProxy: Bool = true, urls: [String]? = nil, descriptorLimit: Int? = nil, arguments: [String] = []
    ) throws {
        let broker = try broker ?? .shared()
        self.broker = broker
        self.queues = queues
        self.prefetch = prefetch
        self.pipelines = pipelines
        proxy = try FaultProxy(to: broker.port)
        let port = throughProxy ? proxy.port : broker.port
        worker = try WorkerProcess(
            queues, configuration: configuration,
            urls: urls ?? ["amqp://guest:guest@127.0.0.1:\(port)/%2f?\(query)"],
            descriptorLimit: descriptorLimit,
            extraArguments: ["--prefetch", "\(prefetch)", "--pipelines", "\(pipelines)"] + arguments)
    }

    deinit { proxy.stop() }

    /// Publishes the usual mixture at a rate, until it is stopped.
    func traffic(perSecond: Int, countMax: Int = .max) -> Traffic {
        Traffic(to: queues.input, urls: [broker.url], perSecond: perSecond, countMax: countMax)
    }

    /// Publishes requests and waits until the broker has them.
    func publish(_ count: Int, request: @escaping @Sendable (Int) -> Request = Request.mixed) throws -> Ledger {
        try Traffic(to: queues.input, urls: [broker.url], perSecond: 20_000, countMax: count, request: request).end()
    }

    /// How many answers wait in the reply queue.
    func answerCount() throws -> Int {
        try Peer(AMQPURL(broker.url)).connection.inspect(queue: queues.reply).messageCount
    }

    /// Waits until the worker, which begins with one message at a time, takes the full prefetch.
    func fullPrefetch() throws {
        try eventually("the full prefetch; \(worker.log)") { worker.log.contains("prefetch=\(prefetch)") }
    }

    /// Waits until more answers have come than there were.
    func progress(beyond count: Int, within limit: Duration = .seconds(60)) throws {
        try eventually("an answer beyond the \(count) there are; \(worker.log.suffix(2000))", within: limit) {
            try answerCount() > count
        }
    }

    /// Waits until everything is answered, and checks: nothing lost, nothing unexpected, few repeats, no queue left full.
    ///
    /// `deadLetters` are the requests that belong in the dead-letter queue: the malformed ones by default.
    @discardableResult
    func check(
        _ published: Ledger, scenario: String, repeatsMax: Int, deadLetters: Set<String>? = nil,
        within limit: Duration = .seconds(120), sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Ledger {
        let ledger = try collect(published, within: limit)
        let expected =
            deadLetters ?? Set(published.published.filter { Int($0.dropFirst()).map(Request.isMalformed) ?? false })
        #expect(!ledger.confirmed.isEmpty, sourceLocation: sourceLocation)
        #expect(ledger.lost.isEmpty, "lost; \(worker.log.suffix(3000))", sourceLocation: sourceLocation)
        #expect(ledger.unexpected.isEmpty, sourceLocation: sourceLocation)
        #expect(ledger.repeatCount <= repeatsMax, sourceLocation: sourceLocation)
        #expect(
            ledger.deadLettered.isSubset(of: expected)
                && expected.intersection(ledger.confirmed).isSubset(
                    of: ledger.deadLettered),
            "\(ledger.deadLetterReasons.filter { !expected.contains($0.key) })", sourceLocation: sourceLocation)
        // An unknown tag or a broken frame would be the worker's fault.
        #expect(!worker.log.contains("unknown delivery tag"), sourceLocation: sourceLocation)
        #expect(!worker.log.contains("does not allow"), sourceLocation: sourceLocation)
        FaultRun.report(
            scenario,
            "\(ledger.confirmed.count) requests, 0 lost, \(ledger.repeatCount) repeated (at most \(repeatsMax)), "
                + "\(ledger.deadLettered.count) dead-lettered")
        return ledger
    }

    /// Collects the answers and the dead letters until nothing is missing and all queues are empty.
    private func collect(_ published: Ledger, within limit: Duration) throws -> Ledger {
        let names = [queues.input, queues.reply, queues.dead]
        let url = try AMQPURL(broker.url)
        let answers = try Peer(url)
        try answers.consume(queues.reply)
        let letters = try Peer(url)
        try letters.consume(queues.dead)
        var states: [String: BrokerAccess.QueueState] = [:]
        try eventually("empty queues: \(states); \(worker.log.suffix(3000))", within: limit) {
            try answers.turn()
            try letters.turn()
            guard published.confirmed.count <= answers.received.count + letters.received.count,
                !worker.isRunning || (try? worker.metric("deeplink_in_flight")) == 0
            else { return false }
            states = try broker.state(of: names)
            return names.allSatisfy { states[$0] == .empty }
        }
        // The broker answers after what it has sent before: what is still on its way comes first.
        for peer in [answers, letters] {
            _ = try peer.connection.inspect(queue: queues.input)
            try peer.turn()
        }
        var ledger = published
        for answer in answers.received { ledger.answer(messageID: answer.messageID) }
        for letter in letters.received {
            ledger.deadLetter(
                messageID: letter.messageID, reason: letter.raw.textHeaders()["deeplink-reason"] ?? "by the broker")
        }
        return ledger
    }
}
