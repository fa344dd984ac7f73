import Foundation
import Testing

/// The built worker in a process of its own, for what cannot be done to a thread: to be killed.
final class WorkerProcess {
    /// The executable: what the environment names, or what was built beside the tests.
    static let path: String? = {
        if let path = ProcessInfo.processInfo.environment["DEEPLINK_TEST_WORKER"] { return path }
        let beside = Bundle.main.bundleURL.appendingPathComponent("deeplink-worker").path
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return [beside, folder.appendingPathComponent("deeplink-worker").path].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// Whether the executable has the command that the tests need.
    static let isPresent: Bool = {
        guard let path else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["run", "--help"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    static let absence: Comment = "no deeplink-worker with `run` beside the tests; DEEPLINK_TEST_WORKER can name one"

    private let queues: QueueNames
    private let configuration: URL
    private let extraArguments: [String]
    /// Where standard error goes, when it is to be read.
    private let logFile: URL?
    private var process: Process?

    /// Writes a configuration; the worker is not started yet.
    init(
        _ queues: QueueNames, configuration text: String, extraArguments: [String] = [], keepsLog: Bool = false
    ) throws {
        self.queues = queues
        self.extraArguments = extraArguments
        let folder = FileManager.default.temporaryDirectory
        logFile = keepsLog ? folder.appendingPathComponent("deeplinks-\(queues.id).log") : nil
        configuration = FileManager.default.temporaryDirectory.appendingPathComponent("deeplinks-\(queues.id).yaml")
        try Data(text.utf8).write(to: configuration)
    }

    deinit {
        if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: configuration)
        if let logFile { try? FileManager.default.removeItem(at: logFile) }
    }

    /// Writes another configuration in the place of the first.
    func write(_ text: String) throws {
        try Data(text.utf8).write(to: configuration, options: .atomic)
    }

    /// What the worker has logged.
    func log() throws -> String { try String(contentsOf: #require(logFile), encoding: .utf8) }

    /// Asks for the configuration to be read again.
    func hangUp() throws { kill(try #require(process).processIdentifier, SIGHUP) }

    /// Starts the worker.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.path))
        process.arguments =
            [
                "run", "--config", configuration.path, "--amqp-url", try #require(Broker.urlText), "--queue",
                queues.input, "--reply-queue", queues.reply, "--dead-queue", queues.dead, "--items-queue",
                queues.items, "--http", "off",
            ] + extraArguments
        if let logFile {
            try Data().write(to: logFile)
            process.standardError = try FileHandle(forWritingTo: logFile)
        } else if ProcessInfo.processInfo.environment["DEEPLINK_TEST_LOG"] == nil {
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        self.process = process
    }

    /// Kills the worker as a crash or the kernel would, and waits until it is gone.
    func killHard() throws {
        let process = try #require(process)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends the worker as an operator would, and returns its exit status.
    func terminate() throws -> Int32 {
        let process = try #require(process)
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
