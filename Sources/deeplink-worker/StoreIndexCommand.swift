import Arguments
import CatalogStore
import CatalogTransfer
import Items
import PersistentStore

/// `store index`: adds items to a catalog, or replaces them.
enum StoreIndexCommand {
    static let command = Command(
        name: "store index", summary: "Adds items to a catalog, or replaces them, as CSSearchableIndex would.",
        operands: "ITEM ... | -",
        options: [
            StoreURL.catalog,
            Option(
                "version", .one("NUMBER"), hasVariable: false,
                summary: "The version of items that have none of their own, instead of the present time."),
        ],
        discussion: """
            An ITEM is a JSON object such as {"uniqueIdentifier":"movie-1","entity":"Movie","attributeSet":{"name":"Alien"}},
            or a message as the items queue takes it. For '-', they are read from standard input, one a line. Makes the
            catalog where there is none. Each is committed before the next one is read.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard !arguments.operands.isEmpty else {
            throw UsageError("'store index' needs at least one ITEM, or '-' to read them from standard input.")
        }
        let version = try StoreImportCommand.version(arguments, files: [])
        var operations: [ItemOperation] = []
        // Of what the arguments hold, all is read before anything is changed.
        for operand in arguments.operands where operand != "-" {
            operations += try Self.operations(Array(operand.utf8), version)
        }
        let catalog = try StoreURL.openCatalog(arguments, creating: true)
        var feed = CatalogFeed(try catalog.makeWriter(for: .items))
        try feed.apply(operations)
        if arguments.operands.contains("-") {
            var (lines, line): (InputLines, [UInt8]) = (InputLines(paths: ["-"]), [])
            while try lines.next(into: &line) {
                if !line.isEmpty { try feed.apply(try Self.operations(line, version)) }
            }
        }
        return feed.tell("indexed")
    }

    /// The operations of an item or of a message.
    private static func operations(_ json: [UInt8], _ version: ItemVersion) throws(CommandFailure) -> [ItemOperation] {
        do throws(ItemError) { return try ItemDecoder().decode(itemOrMessage: json, version: version) } catch {
            throw CommandFailure(.data, error.description)
        }
    }
}

/// `store delete`: deletes items of a catalog.
enum StoreDeleteCommand {
    static let command = Command(
        name: "store delete", summary: "Deletes items of a catalog, by identifiers, by domains, or all.",
        operands: "[IDENTIFIER ...]",
        options: [
            StoreURL.catalog,
            Option(
                "domain", .many("DOMAIN"), hasVariable: false,
                summary: "Deletes the items of this domain and of its sub-domains: a.b takes a.b.c."),
            Option("all", hasVariable: false, summary: "Deletes every item."),
            Option(
                "version", .one("NUMBER"), hasVariable: false,
                summary: "Leaves items with a version that is not smaller, instead of deleting what is there now."),
        ],
        discussion: """
            An IDENTIFIER is an item's uniqueIdentifier, or the URI of an object. Marks stay behind, so that late messages
            with older versions do not bring the items back.
            """)

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        let domains = arguments.texts("domain")
        let isAll = arguments.flag("all")
        guard isAll != (!domains.isEmpty || !arguments.operands.isEmpty) else {
            throw UsageError("'store delete' needs identifiers or --domain DOMAIN, or else --all.")
        }
        let version = try StoreImportCommand.version(arguments, files: [])
        let catalog = try StoreURL.openCatalog(arguments, creating: false)
        var feed = CatalogFeed(try catalog.makeWriter(for: .items))
        var operations: [ItemOperation] = isAll ? [.deleteAll(version)] : []
        if !domains.isEmpty { operations.append(.deleteDomains(domains, version)) }
        if !arguments.operands.isEmpty { operations.append(.deleteIdentifiers(arguments.operands, version)) }
        try feed.apply(operations)
        return feed.tell("deleted")
    }
}

extension CatalogFeed {
    /// Says how many items were changed, and what was refused.
    fileprivate func tell(_ verb: String) -> ExitStatus {
        var sentence = "\(applied) \(applied == 1 ? "item was" : "items were") \(verb)"
        if superseded > 0 { sentence += ", and \(superseded) of no newer version left as they are" }
        Output.message(sentence + ".")
        return reportRefusals()
    }
}
