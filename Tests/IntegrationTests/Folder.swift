import Foundation

/// A temporary folder that goes with the value.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "deeplink-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a symbolic link, or puts it in the place of one that is there.
    func link(_ name: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: path + "/" + name)
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    /// Writes a file, or puts it in the place of one that is there.
    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name), options: .atomic)
    }
}
