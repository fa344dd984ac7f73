import CatalogStore
import CoreDataStore
import Navigation
import PersistentStore

/// The stores that one app's configuration names, opened once and shared by all threads.
struct Stores: Sendable {
    private let stores: [OpenStore]
    private let configuration: Configuration

    /// Opens the files by `shelf`, which has those that are open already.
    init(_ configuration: Configuration, _ shelf: inout StoreShelf) throws(CommandFailure) {
        var stores: [OpenStore] = []
        var locations: [String: String] = [:]
        for reference in configuration.stores {
            let store = try shelf.store(reference)
            // A database that was not reached yet does not tell its identifier.
            if let identifier = try? store.makeStore().identifier, !identifier.isEmpty,
                let other = locations.updateValue(store.location, forKey: identifier)
            {
                let sentence =
                    "The stores \(other) and \(store.location) have the same identifier \(identifier); an "
                    + "object's URI could mean either. Open only one of them."
                throw CommandFailure(.configuration, reference.error(sentence).description)
            }
            stores.append(store)
        }
        self.stores = stores
        self.configuration = configuration
    }

    /// The stores for one thread, with their aliases.
    func makeCoordinator() throws(StoreError) -> StoreCoordinator {
        var readers: [any PersistentStore] = []
        for store in stores { readers.append(try store.makeStore()) }
        return try StoreCoordinator(stores: readers, aliases: configuration.storeAliases)
    }

    /// The resolver for one thread.
    func makeResolver() throws(StoreError) -> Resolver {
        Resolver(configuration: configuration, stores: try makeCoordinator())
    }

    /// Entities and attributes that the stores do not have; none while one cannot be reached.
    func unknownNames() -> [ConfigurationProblem] {
        let readers = readers()
        guard readers.count == stores.count else { return [] }
        return configuration.unknownNames(against: readers.map(\.model))
    }

    /// What the stores show to be wrong or worth to know of the configuration.
    func problems() -> [ConfigurationProblem] {
        let models = zip(configuration.stores, stores).flatMap { reference, store in
            guard case .coreData(let file) = store else { return [ConfigurationProblem]() }
            let description = try? file.makeStore().describe(countingRows: false)
            return description.map { ModelFit(reference, $0).problems } ?? []
        }
        let readers = readers()
        return models + configuration.problems(against: readers.map(\.model), identifiers: readers.map(\.identifier))
    }

    /// The stores that can be reached now.
    private func readers() -> [any PersistentStore] { stores.compactMap { try? $0.makeStore() } }
}

/// Stores that are open, by where they are and whose model they use.
struct StoreShelf: Sendable {
    private struct Key: Hashable {
        let path: String
        let model: String?
    }

    /// The files of a former configuration, which go on where they are still the same stores: their indexes are built.
    private var former: [Key: CoreDataFile] = [:]
    private var files: [Key: CoreDataFile] = [:]
    /// By their URLs; they have nothing that would be worth to be taken over.
    private var catalogs: [String: any Catalog] = [:]

    /// An empty shelf; files are taken over from another one where they fit.
    init(takingOver other: StoreShelf? = nil) {
        former = other?.files ?? [:]
    }

    /// A store; it is opened where it is not yet.
    mutating func store(_ reference: StoreReference) throws(CommandFailure) -> OpenStore {
        guard reference.kind == .coreData, let path = reference.path else { return .catalog(try catalog(reference)) }
        let key = Key(path: path, model: reference.model)
        if let file = files[key] { return .coreData(file) }
        let file = try open(reference, key)
        files[key] = file
        return .coreData(file)
    }

    private mutating func catalog(_ reference: StoreReference) throws(CommandFailure) -> any Catalog {
        let key = reference.path ?? reference.url
        if let catalog = catalogs[key] { return catalog }
        do throws(StoreError) {
            let catalog = try CatalogURL.open(reference.url, path: reference.path)
            catalogs[key] = catalog
            return catalog
        } catch {
            throw CommandFailure(CommandFailure(error).status, reference.error(error.description).description)
        }
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
