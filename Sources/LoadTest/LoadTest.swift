public import AMQP
internal import Synchronization

/// A load test: producers send requests and check that each gets its answer.
public struct LoadTest {
    /// How far a test is.
    public struct Progress: Sendable {
        /// The seconds from the beginning.
        public let seconds: Double
        /// The requests that were sent, and those that were answered.
        public let sent: Int, answered: Int
        /// Further answers, and messages that answer nothing.
        public let duplicate: Int, unexpected: Int
        /// How often a connection was opened again.
        public let reconnects: Int
        /// The median and the 99th percentile of the latencies so far, in seconds; the worst of the producers.
        public let p50: Double, p99: Double
    }

    private static let stackByteCount = 16 << 20
    private let settings: LoadSettings
    private let producers: [Producer]
    private let progresses: [ProducerProgress]

    /// Connects all producers; the error is that of the first that cannot.
    public init(_ settings: LoadSettings) throws(AMQPError) {
        self.settings = settings
        let run = String(UInt64.random(in: .min ... .max), radix: 36)
        var producers: [Producer] = []
        var progresses: [ProducerProgress] = []
        for number in 0..<settings.producers {
            let progress = ProducerProgress()
            progresses.append(progress)
            producers.append(try Producer(settings, run: run, number: number, progress: progress))
        }
        self.producers = producers
        self.progresses = progresses
    }

    /// Works to the end; `watch` is called some times a second on the calling thread, and ends the test by false.
    ///
    /// An end that is asked for still waits for the answers to what was sent.
    public func run(watch: (Progress) -> Bool) throws(AMQPError) -> LoadReport {
        let start = ContinuousClock.now
        let finished = Finished()
        var threads: [Thread] = []
        for producer in producers { threads.append(try Thread(Work(producer: producer), from: start, finished)) }
        while finished.count < producers.count {
            finished.wait(.milliseconds(100))
            if !watch(progress(since: start)) { for progress in progresses { progress.interrupt() } }
        }
        for thread in threads { thread.join() }
        var report = LoadReport()
        for producer in producers { report.add(producer.report) }
        return report
    }

    private func progress(since start: ContinuousClock.Instant) -> Progress {
        let states = progresses.map(\.current)
        func sum(_ value: (ProducerProgress.State) -> Int) -> Int { states.reduce(0) { $0 + value($1) } }
        return Progress(
            seconds: start.duration(to: .now) / .seconds(1), sent: sum(\.sent), answered: sum(\.answered),
            duplicate: sum(\.duplicate), unexpected: sum(\.unexpected), reconnects: sum(\.reconnects),
            p50: Double(states.map(\.p50).max() ?? 0) / 1e9, p99: Double(states.map(\.p99).max() ?? 0) / 1e9)
    }

    // The producer belongs to its thread from the start to the join.
    private struct Work: @unchecked Sendable {
        let producer: Producer
    }

    /// How many producers have ended.
    private final class Finished: Sendable {
        private let ended = Atomic(0)

        var count: Int { ended.load(ordering: .acquiring) }
        func add() { ended.add(1, ordering: .releasing) }

        func wait(_ duration: Duration) {
            var descriptors = DescriptorPoll()
            descriptors.wait(until: .now + duration)
        }
    }

    private final class Thread {
        private var thread: NativeThread?

        init(_ work: Work, from start: ContinuousClock.Instant, _ finished: Finished) throws(AMQPError) {
            thread = try NativeThread(name: "dl-load", stackByteCount: LoadTest.stackByteCount) {
                work.producer.run(from: start)
                finished.add()
            }
        }

        func join() { thread.take()?.join() }
    }
}
