import Activities
import Arguments
import Glibc

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

    /// Writes a whole text that ends with a line feed, as a command's only output.
    static func print(_ text: String) throws(CommandFailure) -> ExitStatus {
        var output = Output()
        output.pending = Array(text.utf8)
        try output.flush()
        return .ok
    }

    /// Hands over what is still here.
    mutating func flush() throws(CommandFailure) {
        guard !pending.isEmpty else { return }
        guard Self.write(pending, to: STDOUT_FILENO) else {
            throw CommandFailure(.ioError, "Standard output cannot be written: \(SystemMessage(errno)).")
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// A message for people, on standard error; failing to write it is not reported, since there is nowhere to.
    static func message(_ text: String) {
        let line =
            "deeplink-worker: "
            + text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).escapedForTerminal }.joined(separator: "\n") + "\n"
        _ = write(Array(line.utf8), to: STDERR_FILENO)
    }

    /// Writes all bytes; false, with `errno`, where that is not possible.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 { written += count } else if errno != EINTR { return false }
            }
            return true
        }
    }
}
