import Arguments
import CoreDataStore
import PersistentStore

/// The flags that name one store, and the store behind them.
enum StoreURL {
    static let options = [
        Option("store", .one("URL"), completion: .files, summary: "The store: coredata:FILE, or just the file."),
        Option(
            "model", .one("MODEL"), completion: .files,
            summary: "The data model: an .xcdatamodeld, .xcdatamodel, .momd or .mom."),
    ]

    /// Opens the store that the flag, or the only operand, names.
    static func open(_ arguments: ParsedArguments, operand: String? = nil) throws -> CoreDataStore {
        let url = try operand ?? arguments.required("store")
        let scheme = "coredata:"
        let other = url.prefix { $0.isLetter }
        guard url.hasPrefix(scheme) || !["sqlite", "postgresql", "postgres"].contains(other) || !url.contains(":")
        else {
            throw CommandFailure(
                .configuration, "Catalogs are not supported yet; name a Core Data or SwiftData file as coredata:FILE.")
        }
        let path = url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : url
        return try CoreDataFile(path: path, model: arguments.text("model")).makeStore()
    }
}
