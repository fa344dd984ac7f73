import Foundation
import Navigation

/// Reads the configuration that a command is given, and the files that it names.
struct ConfigurationFile {
    /// What it says.
    let configurations: ConfigurationSet
    /// Every file that was read, or could not be, as it was just before: the configuration and those that it names.
    let stamps: [String: FileStamp]

    /// Reads the configuration in the file of that path.
    init(_ path: String) throws(CommandFailure) {
        var stamps: [String: FileStamp] = [:]
        configurations = try Self.read(path, noting: &stamps)
        self.stamps = stamps
    }

    /// Reads a configuration; `stamps` gets every file that it depends on, also where it is wrong.
    static func read(
        _ path: String, noting stamps: inout [String: FileStamp]
    ) throws(CommandFailure) -> ConfigurationSet {
        stamps[path] = FileStamp(path)
        let bytes: [UInt8]
        do throws(UnreadableFile) { bytes = try contents(of: path, "configuration") } catch {
            throw CommandFailure(.noInput, error.description)
        }
        var named: [String: FileStamp] = [:]
        defer { stamps.merge(named) { first, _ in first } }
        do throws(ConfigurationErrors) {
            return try ConfigurationSet(bytes, file: path) { path throws(UnreadableFile) in
                named[path] = FileStamp(path)
                return try contents(of: path, "file")
            }
        } catch {
            let status: ExitStatus =
                switch error.cause {
                case .configuration: .configuration
                case .unreadableFile: .noInput
                case .malformedFile: .data
                }
            throw CommandFailure(status, error.description)
        }
    }

    /// The bytes of a file; of one that is too large no more than shows that.
    static func contents(of path: String, _ what: String) throws(UnreadableFile) -> [UInt8] {
        let type: Any?
        do { type = try FileManager.default.attributesOfItem(atPath: path)[.type] } catch {
            throw UnreadableFile("The \(what) '\(path)' does not exist or cannot be reached.")
        }
        guard type as? FileAttributeType != .typeDirectory else {
            throw UnreadableFile("The \(what) '\(path)' is a folder; name a file.")
        }
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return Array(try handle.read(upToCount: Configuration.byteCountMax + 1) ?? Data())
        } catch {
            throw UnreadableFile("The \(what) '\(path)' cannot be read; check its permissions.")
        }
    }
}
