import Foundation

/// What tells that a file was written to, replaced or removed.
///
/// Links are followed: where a configuration is mounted, a link may lead to another folder for each version.
struct FileStamp: Hashable, Sendable {
    private let path: String
    private var number: UInt64?
    private var size: UInt64?
    private var modified: Date?

    /// The stamp of a file as it is now, also where there is none.
    init(_ path: String) {
        self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: self.path) else { return }
        number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
        size = (attributes[.size] as? NSNumber)?.uint64Value
        modified = attributes[.modificationDate] as? Date
    }

    /// The stamps of files as they are now.
    static func stamps(of paths: some Sequence<String>) -> [String: FileStamp] {
        Dictionary(paths.map { ($0, FileStamp($0)) }, uniquingKeysWith: { first, _ in first })
    }
}
