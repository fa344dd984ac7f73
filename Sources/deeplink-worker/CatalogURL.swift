import CatalogStore
import Navigation
import PersistentStore

/// Opens catalogs by their URLs.
enum CatalogURL {
    /// Whether a URL is that of a catalog.
    static func isCatalog(_ url: String) -> Bool { kind(url).map { $0 != .coreData } ?? false }

    /// Opens a catalog; with `creating`, one that is not there is made.
    ///
    /// `path` is that of a file, where it is not the one in the URL.
    static func open(_ url: String, path: String? = nil, creating: Bool = false) throws(StoreError) -> any Catalog {
        switch kind(url) {
        case .sqlite:
            let path = path ?? String(url.dropFirst("sqlite:".count))
            guard !path.isEmpty else { throw StoreError(.unsupported, "A catalog in a file is written sqlite:FILE.") }
            return try SQLiteCatalog(path: path, creating: creating)
        case .postgreSQL: return try PostgreSQLCatalog(url: url, creating: creating)
        case .coreData, nil:
            throw StoreError(
                .unsupported,
                "'\(url.prefix { $0 != ":" })' is no kind of catalog; write sqlite:FILE or postgresql://USER@HOST/DB.")
        }
    }

    private static func kind(_ url: String) -> StoreReference.Kind? {
        guard let colon = url.firstIndex(of: ":") else { return nil }
        return StoreReference.Kind(scheme: url[..<colon])
    }
}
