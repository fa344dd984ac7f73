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
    ///
    /// A pipe that has a name could keep a start waiting for ever, so only what is open already is read as one.
    static func contents(of path: String, _ what: String) throws(UnreadableFile) -> [UInt8] {
        let isOpenAlready = openAlready.contains { path.hasPrefix($0) }
        do throws(CommandFailure) {
            let file = try InputFile(path, what, isRegular: !isOpenAlready)
            var bytes: [UInt8] = []
            var piece: [UInt8] = []
            while bytes.count <= Configuration.byteCountMax, try file.read(1 << 16, into: &piece) { bytes += piece }
            return bytes
        } catch {
            throw UnreadableFile(error.message)
        }
    }

    /// Whether a catalog is among the stores, so that `run` takes items too; no store is opened for it.
    var hasCatalog: Bool {
        configurations.configurations.contains { $0.stores.contains { $0.kind != .coreData } }
    }

    /// Where a shell puts what it has opened for the program: `--config <(envsubst < deeplinks.yaml)`.
    private static let openAlready = ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"]
}
