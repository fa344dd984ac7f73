package import Foundation

/// The built program, run to its end as an operator runs it.
package struct WorkerProgram: Sendable {
    /// What it printed, and how it ended.
    package struct Result: Sendable {
        package let output: String
        package let errors: String
        package let status: Int32

        package var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The lines as JSON objects.
        package func objects() throws -> [[String: Any]] {
            try lines.map { line in
                guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                    throw MissingInTest(what: "a JSON object in \(line)")
                }
                return object
            }
        }
    }

    /// The flags that name a test's queues.
    package static func flags(_ queues: QueueNames) -> [String] {
        [
            "--queue", queues.input, "--reply-queue", queues.reply, "--dead-queue", queues.dead, "--items-queue",
            queues.items,
        ]
    }

    /// Runs a command with the tests' broker, or another one.
    package static func run(
        _ arguments: [String], url: String? = nil, input: String = "", in folder: URL? = nil
    ) throws -> Result {
        let started = try start(arguments, url: url, input: input, in: folder)
        let output = started.output.fileHandleForReading.readDataToEndOfFile()
        started.process.waitUntilExit()
        return Result(
            output: String(decoding: output, as: UTF8.self), errors: started.errors(),
            status: started.process.terminationStatus)
    }

    /// A command that runs.
    package struct Started {
        package let process: Process
        package let output: Pipe
        fileprivate let errorFile: URL

        /// What it has said on standard error; the file goes with the first call.
        package func errors() -> String {
            defer { try? FileManager.default.removeItem(at: errorFile) }
            return (try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""
        }
    }

    /// Starts a command.
    package static func start(
        _ arguments: [String], url: String? = nil, input: String = "", in folder: URL? = nil
    ) throws -> Started {
        guard let path = WorkerProcess.path else { throw MissingInTest(what: WorkerProcess.absence) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        // Settings of the tests' own environment are not the program's.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DEEPLINK_") }
            .merging(["DEEPLINK_AMQP_URL": try url ?? Broker.requiredURLText()]) { _, new in new }
        let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent(
            "deeplink-errors-\(UInt64.random(in: .min ... .max))")
        try Data().write(to: errorFile)
        let (output, standardInput) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        process.standardInput = standardInput
        try process.runWithoutBlockedSignals()
        // What a test writes fits into the pipe's buffer.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        return Started(process: process, output: output, errorFile: errorFile)
    }
}
