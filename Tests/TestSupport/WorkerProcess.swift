package import Foundation

/// The built worker in a process of its own, for what cannot be done to a thread: to be killed, starved or stopped.
package final class WorkerProcess {
    /// The executable: what the environment names, or what was built beside the tests.
    package static let path: String? = {
        if let path = ProcessInfo.processInfo.environment["DEEPLINK_TEST_WORKER"] { return path }
        let beside = Bundle.main.bundleURL.appendingPathComponent("deeplink-worker").path
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return [beside, folder.appendingPathComponent("deeplink-worker").path].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// Whether the executable has the command that the tests need.
    package static let isPresent: Bool = {
        guard let path else { return false }
        return (try? TestSupport.run(path, ["run", "--help"])) != nil
    }()

    package static let absence =
        "no deeplink-worker with `run` beside the tests; DEEPLINK_TEST_WORKER can name one"

    package let queues: QueueNames
    /// Where the configuration and the log are; files beside them go with them.
    package let folder: URL
    private let urls: [String]
    private let descriptorLimit: Int?
    private let extraArguments: [String]
    private var process: Process?

    /// Writes a configuration; the worker is not started yet.
    ///
    /// `urls` are the broker's, the tests' own one by default; `descriptorLimit` is how many files the process may open.
    package init(
        _ queues: QueueNames, configuration text: String, urls: [String]? = nil, descriptorLimit: Int? = nil,
        extraArguments: [String] = []
    ) throws {
        self.queues = queues
        self.urls = try urls ?? [Broker.requiredURLText()]
        self.descriptorLimit = descriptorLimit
        self.extraArguments = extraArguments
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "deeplink-test-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("deeplinks.yaml"))
    }

    deinit {
        if let process, process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private var logFile: URL { folder.appendingPathComponent("worker.log") }

    /// What the worker has written since it was started last.
    package var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

    /// Whether the process runs.
    package var isRunning: Bool { process?.isRunning ?? false }

    /// The process's number.
    package var processID: Int32 { process?.processIdentifier ?? -1 }

    /// Starts the worker.
    package func start() throws {
        guard let path = Self.path else { throw MissingInTest(what: Self.absence) }
        let arguments =
            [
                "run", "--config", folder.appendingPathComponent("deeplinks.yaml").path, "--queue", queues.input,
                "--reply-queue", queues.reply, "--dead-queue", queues.dead, "--items-queue", queues.items, "--http",
                "127.0.0.1:0",
            ] + urls.flatMap { ["--amqp-url", $0] } + extraArguments
        let process = Process()
        if let descriptorLimit {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "ulimit -n \(descriptorLimit); exec \"$0\" \"$@\"", path] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
        }
        try Data().write(to: logFile)
        process.standardInput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: logFile)
        try process.runWithoutBlockedSignals()
        self.process = process
    }

    /// Starts the worker and waits until it is ready for requests.
    package func startReady(within limit: Duration = .seconds(30)) throws {
        try start()
        try ready(within: limit)
    }

    /// Waits until the worker is ready.
    package func ready(within limit: Duration = .seconds(30)) throws {
        try eventually("the worker to be ready; its log: \(log)", within: limit) { isReady || !isRunning }
        guard isRunning else { throw NotInTime(what: "the worker to be ready; it ended, and its log is: \(log)") }
    }

    /// Writes another configuration in the place of the first.
    package func write(_ text: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent("deeplinks.yaml"), options: .atomic)
    }

    /// Sends a signal.
    package func signal(_ number: Int32) {
        if let process { kill(process.processIdentifier, number) }
    }

    /// Kills the worker as a crash or the kernel would, and waits until it is gone.
    package func killHard() throws {
        signal(SIGKILL)
        _ = try end()
    }

    /// Ends the worker as an operator would, and returns its exit status.
    package func terminate() throws -> Int32 {
        signal(SIGTERM)
        return try end()
    }

    /// Waits for the end and returns the exit status, or the signal's number with a minus.
    package func end(within limit: Duration = .seconds(60)) throws -> Int32 {
        guard let process else { throw MissingInTest(what: "the worker was not started") }
        try eventually("the worker's end; its log: \(log)", within: limit) { !process.isRunning }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
