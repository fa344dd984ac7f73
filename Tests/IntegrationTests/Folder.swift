import Foundation
import Testing

/// A temporary folder that goes with the value.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "deeplink-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a symbolic link, or puts it in the place of one that is there, at once.
    func link(_ name: String, to target: String) throws {
        let new = path + "/" + name + ".new"
        try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: target)
        try #require(rename(new, path + "/" + name) == 0)
    }

    /// Writes a file, or puts it in the place of one that is there.
    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name), options: .atomic)
    }
}
