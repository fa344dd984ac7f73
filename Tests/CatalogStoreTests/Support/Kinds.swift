import CatalogStore
import CoreDataStore
import Foundation
import PersistentStore
import StoreTestSupport

/// Core Data files.
struct CoreDataKind: StoreKind {
    let testDescription = "Core Data"

    func makeStore(_ objects: [FixtureObject]) throws -> StoreUnderTest {
        let folder = try TemporaryFolder()
        try CoreDataFixture.write(objects, to: folder.path + "/fixture.sqlite")
        return StoreUnderTest(
            store: try CoreDataFile(path: folder.path + "/fixture.sqlite").makeStore(), keptAlive: folder)
    }
}

/// Catalogs in SQLite files.
struct SQLiteKind: CatalogKind {
    let testDescription = "SQLite"

    func makeCatalog() throws -> CatalogUnderTest {
        let folder = try TemporaryFolder()
        return CatalogUnderTest(
            catalog: try SQLiteCatalog(path: folder.path + "/catalog.sqlite", creating: true), keptAlive: folder)
    }
}
