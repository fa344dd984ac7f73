import Arguments
import CatalogStore
import CatalogTransfer
import CoreDataStore
import Foundation
import Items
import PersistentStore
import Spelling

/// `store import`: fills a catalog from a Core Data file or from items.
enum StoreImportCommand {
    static let command = Command(
        name: "store import", summary: "Imports a Core Data or SwiftData file, or items, into a catalog.",
        operands: "[FILE]",
        options: [
            StoreURL.catalog, StoreURL.model,
            Option(
                "entity", .many("ENTITY"), hasVariable: false, summary: "Takes only this entity and its descendants."),
            Option(
                "attribute", .many("ENTITY.NAME"), hasVariable: false,
                summary:
                    "Takes of this entity and its descendants only the attributes and relationships that are named."),
            Option(
                "delete-missing", hasVariable: false,
                summary:
                    "Deletes what an earlier state of FILE had and this one has not, of the entities that are taken."),
            Option(
                "items", .one("FILE"), hasVariable: false,
                summary:
                    "Imports messages of items instead, one a line, as 'store export' writes them; '-' is standard input."
            ),
            Option(
                "version", .one("NUMBER"), hasVariable: false,
                summary: "The version of what has none of its own, instead of the time of the file's last change."),
            TransferProgress.option,
        ],
        discussion: """
            Makes the catalog where there is none. The objects keep their URIs: the catalog takes the identifier of the first
            store that is imported. Objects of which the catalog knows something newer are left alone, so that an import
            can be repeated after it was interrupted, or while items come in. Without --delete-missing nothing is deleted.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard arguments.operands.count <= 1, arguments.operands.isEmpty != (arguments.text("items") == nil) else {
            throw UsageError("'store import' takes one FILE, or --items FILE.")
        }
        if let path = arguments.text("items") {
            guard !arguments.flag("delete-missing") else {
                throw UsageError("--delete-missing goes with a FILE; messages of items say themselves what to delete.")
            }
            return try ItemImport(path: path, arguments: arguments).run()
        }
        return try CoreDataImport(StoreURL.path(ofFile: arguments.operands[0]), arguments: arguments).run()
    }

    /// The version of what has none of its own.
    static func version(_ arguments: ParsedArguments, files: [String]) throws -> ItemVersion {
        if let text = arguments.text("version") {
            guard let number = Int64(text) else {
                throw UsageError("--version must be a whole number; it is '\(text)'.")
            }
            return ItemVersion(given: number)
        }
        return version(files: files)
    }

    /// The version of the state that files are in; the present time where there are none.
    static func version(files: [String]) -> ItemVersion {
        let dates = files.compactMap { path in
            (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        }
        guard let date = dates.max() else { return .now }
        // The same file has the same version, so that importing it again changes nothing.
        return ItemVersion(given: Int64(date.timeIntervalSince1970 * 1000))
    }
}

extension ItemVersion {
    /// The version of what comes now.
    static var now: ItemVersion { ItemVersion(time: Int64(Date().timeIntervalSince1970 * 1000)) }
}

/// The import of a Core Data file.
private struct CoreDataImport {
    private static let batchSize = 5_000

    let path: String
    let arguments: ParsedArguments
    private let store: CoreDataStore
    private let catalog: any Catalog

    init(_ path: String, arguments: ParsedArguments) throws {
        self.path = path
        self.arguments = arguments
        store = try CoreDataFile(path: path, model: arguments.text("model")).makeStore()
        catalog = try StoreURL.openCatalog(arguments, creating: true)
    }

    func run() throws -> ExitStatus {
        let selection = CoreDataSource.Selection(
            entities: try entities(), attributes: try attributes())
        let version = try StoreImportCommand.version(arguments, files: [path, path + "-wal"])
        var source = CoreDataSource(store, selection: selection, version: version)
        var feed = CatalogFeed(try catalog.makeWriter(for: .bulk))
        var progress = TransferProgress("imported", total: try total(selection), arguments: arguments)
        var count = 0
        while case let operations = try source.next(Self.batchSize), !operations.isEmpty {
            try feed.apply(operations)
            if let refusal = feed.refusals.first, count == 0 { throw CommandFailure(.data, refusal) }
            if case .index = operations[0] { count += operations.count }
            progress.update(count)
        }
        try feed.finish()
        if arguments.flag("delete-missing") { try deleteMissing(source.entities, version, &feed) }
        if source.omittedBinaries > 0 {
            Output.message(
                "\(source.omittedBinaries) binary values were left out: their file is missing, or they are larger than "
                    + "\(CoreDataSource.binaryByteCountMax >> 10) KiB.")
        }
        return feed.report(&progress, count: count)
    }

    private func deleteMissing(_ entities: Set<String>, _ version: ItemVersion, _ feed: inout CatalogFeed) throws {
        var missing = MissingObjects(try catalog.makeReader(), entities: entities, version: version)
        while let deletion = try missing.next(Self.batchSize) { try feed.apply([deletion]) }
        try feed.finish()
    }

    private func total(_ selection: CoreDataSource.Selection) throws -> Int {
        let description = try store.describe()
        let model = store.model
        return description.entities.indices.reduce(0) { total, index in
            let lineage = model.lineage(of: index).map { model.entities[$0].name }
            let isWanted = selection.entities.isEmpty || !selection.entities.isDisjoint(with: lineage)
            return total + (isWanted ? description.entities[index].rows ?? 0 : 0)
        }
    }

    private func entities() throws(UsageError) -> Set<String> {
        let names = arguments.texts("entity")
        for name in names where store.model.index(of: name) == nil { throw unknownEntity(name) }
        return Set(names)
    }

    private func attributes() throws(UsageError) -> Set<String> {
        let names = arguments.texts("attribute")
        for name in names {
            guard let dot = name.firstIndex(of: ".") else {
                throw UsageError("--attribute is written ENTITY.NAME; it is '\(name)'.")
            }
            let (entity, property) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
            guard let index = store.model.index(of: entity) else { throw unknownEntity(entity) }
            if store.model.attribute(property, of: index) != nil || store.model.relationship(property, of: index) != nil
            {
                continue
            }
            let known = store.model.lineage(of: index).flatMap { store.model.entities[$0].attributes.map(\.name) }
            let hint = NearestWord.to(property, among: known).map { " Did you mean '\(entity).\($0)'?" } ?? ""
            throw UsageError("The entity \(entity) has no attribute '\(property)'.\(hint)")
        }
        return Set(names)
    }

    private func unknownEntity(_ name: String) -> UsageError {
        let hint = NearestWord.to(name, among: store.model.entities.map(\.name)).map { " Did you mean '\($0)'?" } ?? ""
        return UsageError("The store has no entity '\(name)'.\(hint)")
    }
}

/// The import of messages of items, one a line.
private struct ItemImport {
    private static let batchSize = 5_000

    let path: String
    let arguments: ParsedArguments

    func run() throws -> ExitStatus {
        var lines = InputLines(paths: [path])
        var version = try StoreImportCommand.version(arguments, files: path == "-" ? [] : [path])
        // Of what has no versions, the order in the file counts.
        if arguments.text("version") == nil { version = ItemVersion(time: version.number) }
        let catalog = try StoreURL.openCatalog(arguments, creating: true)
        let size = path == "-" ? nil : (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        var feed = CatalogFeed(try catalog.makeWriter(for: .bulk))
        var progress = TransferProgress("imported", total: nil, arguments: arguments)
        let decoder = ItemDecoder()
        var (line, operations): ([UInt8], [ItemOperation]) = ([], [])
        var (count, number, byteCount, malformed) = (0, 0, 0, 0)
        while try lines.next(into: &line) {
            number += 1
            byteCount += line.count + 1
            if line.isEmpty { continue }
            do throws(ItemError) { operations += try decoder.decode(line.span, version: version) } catch {
                malformed += 1
                if malformed <= 5 { Output.message("\(path):\(number): \(error.description)") }
                continue
            }
            guard operations.count >= Self.batchSize else { continue }
            try feed.apply(operations)
            count += operations.count
            operations.removeAll(keepingCapacity: true)
            progress.update(count, share: size.map { Double(byteCount) / Double(max($0, 1)) })
        }
        try feed.apply(operations)
        try feed.finish()
        let status = feed.report(&progress, count: count + operations.count)
        guard malformed > 0 else { return status }
        Output.message("\(malformed) of \(number) lines were malformed and left out.")
        return .data
    }
}

extension CatalogFeed {
    /// Says what was done; the status is 65 where something was refused.
    func report(_ progress: inout TransferProgress, count: Int) -> ExitStatus {
        var sentence = "\(TransferProgress.grouped(applied)) objects were imported or deleted"
        if superseded > 0 {
            sentence += ", \(TransferProgress.grouped(superseded)) were no newer than what the catalog has"
        }
        progress.finish(sentence + ".", count: count)
        return reportRefusals()
    }

    /// Says what was refused; the status is 65 where something was.
    func reportRefusals() -> ExitStatus {
        guard refused > 0 else { return .ok }
        for sentence in refusals { Output.message(sentence) }
        Output.message("\(refused) \(refused == 1 ? "operation was" : "operations were") refused.")
        return .data
    }
}
