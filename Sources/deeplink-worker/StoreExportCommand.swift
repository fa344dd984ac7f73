import Activities
import Arguments
import CatalogStore
import CatalogTransfer
import CoreDataStore
import Foundation
import Items
import PersistentStore

/// `store export`: writes what a store holds as messages of items.
enum StoreExportCommand {
    static let command = Command(
        name: "store export", summary: "Writes a catalog, or a Core Data file, as messages of items, one a line.",
        options: StoreURL.options + [ProgressLine.option],
        discussion: """
            The first line says which store it is and what its entities are, and each further line holds one object:
            'store import --items' reads them, and so does the items queue. Deleted and expired objects are left out.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard arguments.operands.isEmpty else {
            throw UsageError("'store export' takes no arguments; name the store by --store.")
        }
        var writer = ItemLines(ProgressLine("exported", total: nil, arguments: arguments))
        switch try StoreURL.open(arguments) {
        case .coreData(let file):
            let version = StoreImportCommand.version(files: [file.path, file.path + "-wal"])
            var source = CoreDataSource(file.makeStore(), version: version)
            while case let operations = try source.next(ItemLines.pageSize), !operations.isEmpty {
                try writer.write(operations)
            }
        case .catalog(let catalog):
            let reader = try catalog.makeReader()
            let description = try reader.describe()
            try writer.write([.adopt(store: description.identifier), .declare(description.model.declarations)])
            var page = try reader.items(after: nil, limit: ItemLines.pageSize)
            while let last = page.last {
                try writer.write(page.items.map { .index($0) })
                page = try reader.items(after: last, limit: ItemLines.pageSize)
            }
        }
        try writer.finish()
        return .ok
    }
}

/// Writes operations as lines.
private struct ItemLines: ~Copyable {
    static let pageSize = 2_000

    private var output = Output()
    private var writer = JSONWriter(capacity: 1 << 12)
    private var progress: ProgressLine
    private var count = 0

    init(_ progress: ProgressLine) { self.progress = progress }

    /// Writes a line for each item, and one for what is said of the store.
    mutating func write(_ operations: [ItemOperation]) throws {
        var (store, declarations): (String?, [EntityDeclaration]) = (nil, [])
        for operation in operations {
            switch operation {
            case .index(let item):
                count += 1
                try line { writer in
                    writer.key("index" as StaticString)
                    writer.beginArray()
                    writer.item(item)
                    writer.endArray()
                }
            case .adopt(let name): store = name
            case .declare(let entities): declarations += entities
            case .deleteAll, .deleteDomains, .deleteIdentifiers: continue
            }
        }
        if let store {
            try line { writer in
                writer.key("entities" as StaticString)
                writer.beginArray()
                for declaration in declarations { writer.declaration(declaration) }
                writer.endArray()
                writer.key("store" as StaticString)
                writer.string(store)
            }
        }
        progress.update(count)
    }

    mutating func finish() throws {
        try output.flush()
        progress.finish("\(ProgressLine.grouped(count)) objects were exported.", count: count)
    }

    private mutating func line(_ body: (inout JSONWriter) -> Void) throws {
        writer.beginObject()
        body(&writer)
        writer.endObject()
        writer.endLine()
        try output.write(&writer)
    }
}
