import CatalogStore
import Items
import PersistentStore
import Testing

/// A kind of store that the contract suite runs on.
///
/// A further kind is added to `StoreKinds`, and passes every test with that.
protocol StoreKind: Sendable, CustomTestStringConvertible {
    /// A store that holds these objects, and marks of those that were deleted.
    func makeStore(_ objects: [FixtureObject]) throws -> StoreUnderTest
}

/// A kind of catalog.
protocol CatalogKind: StoreKind {
    /// A catalog that was just made.
    func makeCatalog() throws -> CatalogUnderTest
}

/// The kinds that the suites run on.
enum StoreKinds {
    static let catalogs: [any CatalogKind] = [SQLiteKind()] + PostgreSQLKind.all
    static let all: [any StoreKind] = [CoreDataKind()] + catalogs
}

/// A store, with what has to live as long.
struct StoreUnderTest {
    let store: any PersistentStore
    let keptAlive: Any
}

/// A catalog, with what has to live as long.
struct CatalogUnderTest {
    let catalog: any Catalog
    let keptAlive: Any
}

extension CatalogKind {
    func makeStore(_ objects: [FixtureObject]) throws -> StoreUnderTest {
        let made = try makeCatalog()
        let writer = try Writer(made.catalog, .bulk)
        try writer.apply(Fixture.declarations)
        try writer.apply(objects.map { .index($0.item) })
        try writer.apply(objects.filter(\.isDeleted).map { .deleteIdentifiers([$0.uri.description], .init(given: 2)) })
        try writer.finish()
        return StoreUnderTest(store: try made.catalog.makeReader(), keptAlive: made)
    }
}
