import Foundation
import Testing

/// Real files from outside, which the repository does not contain.
enum SharedData {
    /// The folder; nil where it is absent.
    static let folder: URL? = {
        let path = ProcessInfo.processInfo.environment["DEEPLINK_CONFORMANCE_DATA"] ?? "../shared/data"
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    static let absence: Comment = "The folder of shared data is absent; name it in DEEPLINK_CONFORMANCE_DATA."

    static var isPresent: Bool { folder != nil }

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let folder else { return [] }
        return Array(try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    static func names(in path: String) throws -> [String] {
        guard let folder else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path).sorted()
    }
}
