import CatalogStore
import TestSupport

/// Catalogs in PostgreSQL databases.
struct PostgreSQLKind: CatalogKind {
    let testDescription: String
    /// Whether a pooler stands between, which lends each transaction a server that others have used.
    private let isPooled: Bool

    /// What the environment offers.
    static let all: [any CatalogKind] = [
        Database.isPresent ? PostgreSQLKind(testDescription: "PostgreSQL", isPooled: false) : nil,
        Database.poolerURLText != nil
            ? PostgreSQLKind(testDescription: "PostgreSQL by PgBouncer", isPooled: true) : nil,
    ].compactMap(\.self)

    func makeCatalog() throws -> CatalogUnderTest {
        let database = try TestDatabase()
        let url = isPooled ? try database.pooledURL : database.url
        return CatalogUnderTest(catalog: try PostgreSQLCatalog(url: url, creating: true), keptAlive: database)
    }
}
