package import Foundation
package import Testing

/// The shared folder of store files that Apple's frameworks wrote.
package enum Samples {
    /// The folder, or nil where it is not there: then tests on samples are skipped.
    package static let folder: String? = {
        let data = ProcessInfo.processInfo.environment["DEEPLINK_CONFORMANCE_DATA"] ?? "../shared/data"
        let folder = URL(fileURLWithPath: data).appendingPathComponent("coredata").path
        return FileManager.default.fileExists(atPath: folder + "/expected.json") ? folder : nil
    }()

    /// What a skipped test says.
    package static let absence: Comment =
        "the folder of sample stores is not there; set DEEPLINK_CONFORMANCE_DATA to have it"

    package static var isPresent: Bool { folder != nil }

    /// The samples' folder for a test that is not skipped.
    package static func required() throws -> String { try #require(folder) }

    package static func json(_ name: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: required() + "/" + name))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }
}

/// A temporary folder that goes with the value.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "deeplink-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A copy of a folder of samples; its files may be written to.
    package func copy(of folder: String, name: String = "copy") throws -> String {
        let target = path + "/" + name
        try FileManager.default.copyItem(atPath: folder, toPath: target)
        for item in [""] + (try FileManager.default.subpathsOfDirectory(atPath: target)) {
            let isFolder = try FileManager.default.attributesOfItem(atPath: target + "/" + item)[.type]
            let mode = isFolder as? FileAttributeType == .typeDirectory ? 0o755 : 0o644
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: target + "/" + item)
        }
        return target
    }

    /// Forbids to write into a folder and everything below it.
    package func makeReadOnly(_ folder: String) throws {
        for item in (try FileManager.default.subpathsOfDirectory(atPath: folder)) + [""] {
            let isFolder = try FileManager.default.attributesOfItem(atPath: folder + "/" + item)[.type]
            let mode = isFolder as? FileAttributeType == .typeDirectory ? 0o555 : 0o444
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + "/" + item)
        }
    }
}

/// Every file below a folder with its bytes; folders have none.
package func contents(of folder: String) throws -> [String: Data?] {
    var contents: [String: Data?] = [:]
    for item in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        let path = folder + "/" + item
        let isFolder = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if isFolder == .typeDirectory {
            contents.updateValue(nil, forKey: item)
        } else {
            contents[item] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }
    return contents
}
