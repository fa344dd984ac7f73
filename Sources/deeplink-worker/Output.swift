import Activities
import Arguments
import Foundation

/// Standard output, written in large pieces.
struct Output {
    private static let pieceSize = 1 << 16
    private var pending: [UInt8] = []

    /// Writes a line; the bytes hold no line feed.
    mutating func line(_ bytes: [UInt8]) throws(CommandFailure) {
        pending.append(contentsOf: bytes)
        pending.append(UInt8(ascii: "\n"))
        if pending.count >= Self.pieceSize { try flush() }
    }

    /// Writes a line of text.
    mutating func line(_ text: String) throws(CommandFailure) {
        try line(Array(text.utf8))
    }

    /// Writes what the writer holds, and empties it.
    mutating func write(_ writer: inout JSONWriter) throws(CommandFailure) {
        writer.append(to: &pending)
        writer.removeAll()
        if pending.count >= Self.pieceSize { try flush() }
    }

    /// Hands over what is still here.
    mutating func flush() throws(CommandFailure) {
        guard !pending.isEmpty else { return }
        do { try FileHandle.standardOutput.write(contentsOf: Data(pending)) } catch {
            throw CommandFailure(.ioError, "Standard output cannot be written: \(error.localizedDescription)")
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// A message for people, on standard error; failing to write it is not reported, since there is nowhere to.
    static func message(_ text: String) {
        let line =
            "deeplink-worker: "
            + text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).escapedForTerminal }.joined(separator: "\n") + "\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
