import CoreDataStore
import Navigation
import PersistentStore

/// The store files that one app's configuration names, opened once and shared by all threads.
struct Stores: Sendable {
    private let files: [CoreDataFile]
    private let configuration: Configuration

    /// Opens the files by `shelf`, which has those that are open already.
    init(_ configuration: Configuration, _ shelf: inout StoreShelf) throws(CommandFailure) {
        var files: [CoreDataFile] = []
        for reference in configuration.stores {
            let file = try shelf.file(reference)
            if let other = files.first(where: { $0.identifier == file.identifier }) {
                let sentence =
                    "The stores \(other.location) and \(file.location) have the same identifier \(file.identifier); an "
                    + "object's URI could mean either. Open only one of them."
                throw CommandFailure(.configuration, reference.error(sentence).description)
            }
            files.append(file)
        }
        self.files = files
        self.configuration = configuration
    }

    /// The stores for one thread, with their aliases.
    func makeCoordinator() throws(StoreError) -> StoreCoordinator {
        try StoreCoordinator(stores: files.map { $0.makeStore() }, aliases: configuration.storeAliases)
    }

    /// The resolver for one thread.
    func makeResolver() throws(StoreError) -> Resolver {
        Resolver(configuration: configuration, stores: try makeCoordinator())
    }

    /// Entities and attributes that the stores do not have.
    func unknownNames() -> [ConfigurationProblem] {
        configuration.unknownNames(against: files.map { $0.makeStore().model })
    }

    /// What the stores show to be wrong or worth to know of the configuration.
    func problems() -> [ConfigurationProblem] {
        let stores = files.map { $0.makeStore() }
        let models = zip(configuration.stores, stores).flatMap { reference, store in
            (try? store.describe(countingRows: false)).map { ModelFit(reference, $0).problems } ?? []
        }
        return models + configuration.problems(against: stores.map(\.model), identifiers: stores.map(\.identifier))
    }
}

/// Store files that are open, by where they are and whose model they use.
struct StoreShelf: Sendable {
    private struct Key: Hashable {
        let path: String
        let model: String?
    }

    /// The files of a former configuration, which go on where they are still the same stores: their indexes are built.
    private var former: [Key: CoreDataFile] = [:]
    private var files: [Key: CoreDataFile] = [:]

    /// An empty shelf; files are taken over from another one where they fit.
    init(takingOver other: StoreShelf? = nil) {
        former = other?.files ?? [:]
    }

    /// The file of a store; it is opened where it is not yet.
    mutating func file(_ reference: StoreReference) throws(CommandFailure) -> CoreDataFile {
        guard reference.kind == .coreData, let path = reference.path else {
            let sentence = "Catalogs are not supported yet; name a Core Data or SwiftData file as coredata:FILE."
            throw CommandFailure(.configuration, reference.error(sentence).description)
        }
        let key = Key(path: path, model: reference.model)
        if let file = files[key] { return file }
        let file = try open(reference, key)
        files[key] = file
        return file
    }

    private func open(_ reference: StoreReference, _ key: Key) throws(CommandFailure) -> CoreDataFile {
        do throws(StoreError) {
            let opened = try CoreDataFile(path: key.path, model: key.model)
            // A model that was given may be another now.
            if key.model == nil, let known = former[key], known.identifier == opened.identifier { return known }
            return opened
        } catch {
            // What cannot be read for a while is waited for, as if the configuration had not been read again.
            if let known = former[key] { return known }
            let failure = CommandFailure(error)
            throw CommandFailure(failure.status, reference.error(error.description).description)
        }
    }
}
