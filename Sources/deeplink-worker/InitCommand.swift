import Arguments
import CoreDataStore
import Foundation
import Navigation
import PersistentStore

/// `init`: a configuration to begin with.
enum InitCommand {
    static let command = Command(
        name: "init", summary: "Writes a commented configuration for a store.",
        options: StoreURL.options + [
            Option(
                "association", .one("FILE"), hasVariable: false,
                summary: "The app's apple-app-site-association file; its links become routes."),
            Option(
                "output", .one("FILE"), hasVariable: false,
                summary: "Where to write it, instead of standard output; a file that is there is never overwritten."),
        ],
        discussion: """
            Reads the store's model and writes a rule for each of its entities, with the attribute that people would read.
            Rules that can only be guessed (identifiers, activity types, links) are examples behind a #. 'check' accepts
            the result as it is.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let store = try StoreURL.open(arguments)
        let places = Places(output: arguments.text("output"))
        let starter = StarterConfiguration(
            store: .init(
                url: "coredata:" + places.path(store.file.path),
                model: arguments.text("model").map(places.path), identifier: store.identifier),
            model: store.model, links: try arguments.text("association").map { try links($0, places) })
        let text = starter.text { path throws(UnreadableFile) in try ConfigurationFile.contents(of: path, "file") }
        try write(text, to: arguments.text("output"))
        return .ok
    }

    private static func links(_ path: String, _ places: Places) throws(CommandFailure) -> StarterLinks {
        let bytes: [UInt8]
        do throws(UnreadableFile) { bytes = try ConfigurationFile.contents(of: path, "association file") } catch {
            throw CommandFailure(.noInput, error.description)
        }
        do throws(AssociationFileError) { return try StarterLinks(bytes, file: places.path(path)) } catch {
            throw CommandFailure(.data, "\(path): \(error.description)")
        }
    }

    private static func write(_ text: String, to path: String?) throws(CommandFailure) {
        guard let path else {
            var output = Output()
            try output.line(String(text.dropLast()))
            return try output.flush()
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw CommandFailure(.ioError, "The file '\(path)' exists already; move it away, or give another --output.")
        } catch {
            throw CommandFailure(.ioError, "The file '\(path)' cannot be written: \(error.localizedDescription)")
        }
    }

    /// How the configuration names files: relative to its own folder where it is written to the current one.
    private struct Places {
        private let isHere: Bool

        init(output: String?) {
            let folder = output.map { URL(fileURLWithPath: $0).deletingLastPathComponent().standardizedFileURL.path }
            let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL.path
            isHere = folder == nil || folder == here
        }

        func path(_ path: String) -> String {
            isHere || path.hasPrefix("/") ? path : URL(fileURLWithPath: path).standardizedFileURL.path
        }
    }
}
