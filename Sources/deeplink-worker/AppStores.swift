import Navigation
import PersistentStore
import Worker

/// The apps of a configuration with their stores, opened once and shared by all threads.
struct AppStores: Sendable {
    /// The apps' configurations.
    let configurations: ConfigurationSet
    /// One for each of the configurations.
    private let stores: [Stores]
    private let shelf: StoreShelf

    /// Opens the stores, and takes those of a former configuration over where they are the same.
    ///
    /// Where it `waits`, a database that cannot be reached yet is no failure.
    init(
        _ configurations: ConfigurationSet, takingOver former: AppStores? = nil, waits: Bool = false
    ) throws(CommandFailure) {
        var shelf = StoreShelf(takingOver: former?.shelf)
        var stores: [Stores] = []
        for configuration in configurations.configurations { stores.append(try Stores(configuration, &shelf)) }
        self.configurations = configurations
        self.stores = stores
        self.shelf = shelf
        do throws(StoreError) {
            for stores in stores { _ = try stores.makeCoordinator() }
        } catch {
            if waits, error.code == .unavailable { return }
            throw CommandFailure(error)
        }
    }

    /// The resolver for one thread.
    func makeResolver() throws(StoreError) -> AppResolver {
        var resolvers: [Resolver] = []
        for stores in stores { resolvers.append(try stores.makeResolver()) }
        return AppResolver(configurations, resolvers: resolvers)
    }

    /// All stores, for one thread, each once.
    func makeStores() -> [any PersistentStore] {
        var seen: Set<String> = []
        return stores.flatMap { $0.readers() }.filter { seen.insert($0.location).inserted }
    }

    /// Whether there is a catalog, so that items are taken.
    var takesItems: Bool { stores.contains { $0.firstCatalog != nil } }

    /// Makes what applies items, for one thread; nil where there is no catalog.
    var makeApplier: Worker.MakeApplier? {
        guard takesItems else { return nil }
        let targets = CatalogApplier.Targets(stores.map(\.firstCatalog))
        return { [configurations] () throws(StoreError) -> any ItemApplying in
            try CatalogApplier(configurations, targets)
        }
    }

    /// What the stores show to be wrong or worth to know of each configuration.
    func problems() -> [ConfigurationProblem] { stores.flatMap { $0.problems() } }

    /// What a request can only meet with `missingValue` or `objectNotFound`: told when the work starts.
    func warnings() -> [String] {
        stores.flatMap { $0.unknownNames() }.map { "\($0.file):\($0.line):\($0.column): \($0.sentence)" }
    }
}
