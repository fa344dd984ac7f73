import Foundation

/// A program ended with an error.
package struct ProgramFailure: Error {
    package let program: String
    package let status: Int32
    package let output: String
}

/// Runs a program to its end and returns what it prints, on both streams; a status other than 0 is thrown.
@discardableResult
package func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.runWithoutBlockedSignals()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ProgramFailure(program: "\(path) \(arguments)", status: process.terminationStatus, output: text)
    }
    return text
}
