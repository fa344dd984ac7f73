import Foundation

/// A file that a command writes.
enum OutputFile {
    /// Replaces the file at once, so that nobody reads half of it.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        do { try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw CommandFailure(
                .ioError, "The file '\(path)' cannot be written; check the folder and its permissions.")
        }
    }
}
