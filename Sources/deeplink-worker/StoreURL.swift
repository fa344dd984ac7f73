import Arguments
import CatalogStore
import CoreDataStore
import PersistentStore

/// The flags that name one store, and the store behind them.
enum StoreURL {
    static let store = Option(
        "store", .one("URL"), completion: .files,
        summary: "The store: coredata:FILE, or just the file; or a catalog: sqlite:FILE, postgresql://USER@HOST/DB.")
    static let catalog = Option(
        "store", .one("URL"), completion: .files,
        summary: "The catalog: sqlite:FILE or postgresql://USER@HOST/DB.")
    static let model = Option(
        "model", .one("MODEL"), completion: .files,
        summary: "The data model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
    static let options = [store, model]

    /// Opens the store that the flag, or the only operand, names.
    static func open(_ arguments: ParsedArguments, operand: String? = nil) throws -> OpenStore {
        let url = try operand ?? arguments.required("store")
        guard CatalogURL.isCatalog(url) else {
            return .coreData(try CoreDataFile(path: path(ofFile: url), model: arguments.text("model")))
        }
        if arguments.text("model") != nil {
            throw UsageError("Only a Core Data file takes --model; a catalog has its own.")
        }
        return .catalog(try CatalogURL.open(url))
    }

    /// Opens the catalog that the flag names.
    static func openCatalog(_ arguments: ParsedArguments, creating: Bool) throws -> any Catalog {
        let url = try arguments.required("store")
        guard CatalogURL.isCatalog(url) else {
            throw UsageError(
                "'\(arguments.commandName)' needs a catalog, --store sqlite:FILE or postgresql://USER@HOST/DB; an app's own store is only read."
            )
        }
        return try CatalogURL.open(url, creating: creating)
    }

    /// The path in `coredata:FILE`, or the text itself.
    static func path(ofFile url: String) -> String {
        let scheme = "coredata:"
        return url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : url
    }
}
