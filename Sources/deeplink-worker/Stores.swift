import Activities
import CoreDataStore
import Navigation
import PersistentStore

/// Opens what a configuration names.
enum Stores {
    /// A resolver over the configuration's stores, for one thread.
    ///
    /// `warn` is told what `check` would call an error and a request can only meet with `missingValue` or
    /// `objectNotFound`, such as an entity that no store has.
    static func resolver(for configuration: Configuration, warn: (String) -> Void) throws -> Resolver {
        let stores = try configuration.stores.map(open)
        for problem in configuration.problems(against: stores.map(\.model)) where problem.severity == .error {
            warn(problem.description)
        }
        let coordinator = try StoreCoordinator(stores: stores, aliases: configuration.storeAliases)
        return Resolver(configuration: configuration, stores: coordinator)
    }
}
