import Foundation
import Navigation

/// Reads the configuration that a command is given.
enum ConfigurationFile {
    /// A larger file is refused before it is read.
    private static let byteCountMax = 1 << 20

    /// The configuration in the file of that path.
    static func read(_ path: String) throws(CommandFailure) -> Configuration {
        let bytes = try contents(of: path)
        do throws(ConfigurationErrors) {
            return try Configuration(bytes, file: path, contents: associationFile)
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

    /// The association file of that path; of one that is too large no more than shows that.
    private static func associationFile(_ path: String) throws(UnreadableFile) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return Array(try handle.read(upToCount: AssociationFile.byteCountMax + 1) ?? Data())
        } catch {
            throw UnreadableFile("The association file '\(path)' cannot be read; check its path and permissions.")
        }
    }

    private static func contents(of path: String) throws(CommandFailure) -> [UInt8] {
        let attributes: [FileAttributeKey: Any]
        do { attributes = try FileManager.default.attributesOfItem(atPath: path) } catch {
            throw CommandFailure(.noInput, "The configuration '\(path)' does not exist or cannot be reached.")
        }
        guard attributes[.type] as? FileAttributeType != .typeDirectory else {
            throw CommandFailure(.noInput, "The configuration '\(path)' is a folder; name a YAML file.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.noInput, "The configuration '\(path)' cannot be read; check its permissions.")
        }
        guard data.count <= byteCountMax else {
            throw CommandFailure(.configuration, "The configuration '\(path)' is larger than \(byteCountMax) bytes.")
        }
        return Array(data)
    }
}
