import Activities
import CoreDataStore
import Navigation
import PersistentStore

/// The store files that a configuration names, opened once and shared by all threads.
struct Stores: Sendable {
    private let files: [CoreDataFile]
    private let configuration: Configuration

    /// Opens the files.
    init(_ configuration: Configuration) throws(CommandFailure) {
        var files: [CoreDataFile] = []
        for reference in configuration.stores { files.append(try Self.open(reference)) }
        self.files = files
        self.configuration = configuration
    }

    private static func open(_ reference: StoreReference) throws(CommandFailure) -> CoreDataFile {
        guard reference.kind == .coreData, let path = reference.path else {
            let sentence = "Catalogs are not supported yet; name a Core Data or SwiftData file as coredata:FILE."
            throw CommandFailure(.configuration, reference.error(sentence).description)
        }
        do throws(StoreError) {
            return try CoreDataFile(path: path, model: reference.model)
        } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(failure.status, reference.error(error.description).description)
        }
    }

    /// The stores for one thread, with their aliases.
    func makeCoordinator() throws(StoreError) -> StoreCoordinator {
        try StoreCoordinator(stores: files.map { $0.makeStore() }, aliases: configuration.storeAliases)
    }

    /// The resolver for one thread.
    func makeResolver() throws(StoreError) -> Resolver {
        Resolver(configuration: configuration, stores: try makeCoordinator())
    }

    /// What the stores' models show to be wrong or worth to know of the configuration.
    func problems() -> [ConfigurationProblem] {
        configuration.problems(against: files.map { $0.makeStore().model })
    }

    /// What a request can only meet with `missingValue` or `objectNotFound`: told when the work starts.
    func warnings() -> [String] {
        problems().filter { $0.kind == .unknownEntity || $0.kind == .unknownAttribute }
            .map { "\($0.file):\($0.line):\($0.column): \($0.sentence)" }
    }
}
