import Foundation
import Testing

/// The built program, run as a user runs it.
enum Program {
    /// What a run printed, and how it ended.
    struct Result {
        let output: String
        let errors: String
        let status: Int32

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The package's folder.
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The executable: what the environment names, or what was built beside the tests.
    private static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["DEEPLINK_TEST_WORKER"] { return URL(fileURLWithPath: path) }
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return folder.appendingPathComponent("deeplink-worker")
    }

    /// Runs the program to its end in a folder, with text on standard input.
    static func run(_ arguments: [String], in folder: String, input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        // Settings of the tests' own environment are not the program's.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DEEPLINK_") }
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = standardInput
        try process.run()
        // What a test writes fits into the pipe's buffer, and so does what is said of errors.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            output: String(decoding: printed, as: UTF8.self), errors: String(decoding: said, as: UTF8.self),
            status: process.terminationStatus)
    }
}

extension Program {
    /// Runs a line of a shell in which the program is on the path; gives all that it prints.
    static func shell(_ line: String, in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "exec 2>&1; deeplink-worker() { \"$DEEPLINK\" \"$@\"; }; \(line)"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DEEPLINK_") }
            .merging(["DEEPLINK": executable.path]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self)
    }
}

/// A temporary folder that goes with the value.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "deeplink-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func read(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    /// Copies the FamilyMovies example's store, configuration and association file here.
    func addExample() throws {
        let example = Program.package.appendingPathComponent("Examples/FamilyMovies").path
        for name in try FileManager.default.contentsOfDirectory(atPath: example) {
            try FileManager.default.copyItem(atPath: example + "/" + name, toPath: path + "/" + name)
        }
    }
}
