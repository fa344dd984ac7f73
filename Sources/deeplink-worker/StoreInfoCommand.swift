import Arguments
import CoreDataStore
import PersistentStore

/// `store info`: what a store is, and what it holds.
enum StoreInfoCommand {
    static let command = Command(
        name: "store info", summary: "Lists a store's entities, their inheritance, rows, attributes and relationships.",
        operands: "[URL]", completion: .files, options: StoreURL.options,
        discussion: "The URL may be given as the only argument or as --store: coredata:FILE, or just the file.")

    static func run(_ arguments: ParsedArguments) throws -> ExitStatus {
        guard arguments.operands.count <= 1 else { throw UsageError("'store info' takes one store.") }
        let store = try StoreURL.open(arguments, operand: arguments.operands.first)
        let description = try store.describe()
        var output = Output()
        for line in head(description, store.location) { try output.line(line.escapedForTerminal) }
        for entity in description.entities {
            try output.line("")
            for line in lines(entity, description) { try output.line(line.escapedForTerminal) }
        }
        if !description.unverified.isEmpty {
            try output.line("\nThe model calls for what the store does not have:")
            for item in description.unverified { try output.line("  \(item.escapedForTerminal)") }
        }
        try output.flush()
        return .ok
    }

    private static func head(_ store: StoreDescription, _ location: String) -> [String] {
        let model =
            switch store.modelSource {
            case .store: "the store's own copy (Z_MODELCACHE)"
            case .file(let path, let version): "\(path), version \(version)"
            case .columns: "none; names are lower-cased column names. Give --model MODEL.xcdatamodeld"
            }
        var lines = [
            "store              \(location)",
            "identifier         \(store.identifier)",
            "framework version  \(store.frameworkVersion.map(String.init) ?? "unknown")",
            "model              \(model)",
        ]
        if !store.modelVersionIdentifiers.isEmpty {
            lines.append("model version      \(store.modelVersionIdentifiers.joined(separator: ", "))")
        }
        lines.append("history            \(store.hasHistory ? "yes" : "no")")
        if store.readsCopy { lines.append("read from          a private copy, with what its log or journal holds") }
        let rows = store.entities.compactMap(\.rows).reduce(0, +)
        lines.append("entities           \(store.entities.count), with \(rows) \(rows == 1 ? "object" : "objects")")
        return lines
    }

    private static func lines(_ entity: StoreDescription.Entity, _ store: StoreDescription) -> [String] {
        var title = "\(entity.name)  (number \(entity.number)"
        if let parent = entity.parent { title += ", is a \(parent)" }
        if entity.isAbstract { title += ", abstract" }
        if let name = entity.className, name != entity.name { title += ", class \(name)" }
        if let rows = entity.rows { title += ", \(rows) \(rows == 1 ? "object" : "objects")" }
        if let table = entity.table { title += ", table \(table)" }
        var lines = [title + ")"]
        let names = entity.attributes.map(\.description.name) + entity.relationships.map(\.description.name)
        let width = min(40, names.map(\.count).max() ?? 0)
        func pad(_ name: String) -> String { name + String(repeating: " ", count: max(0, width - name.count)) }
        for attribute in entity.attributes {
            let property = attribute.description
            var line = "  \(pad(property.name))  \(property.type.rawValue)"
            if property.isTransient { line += ", transient" }
            if property.allowsExternalStorage { line += ", may lie in a file of its own" }
            if let column = attribute.column { line += "  \(column)" }
            lines.append(line)
        }
        for relationship in entity.relationships {
            let property = relationship.description
            var line = "  \(pad(property.name))  \(property.isToMany ? "to many" : "to one") \(property.destination)"
            if property.isOrdered { line += ", ordered" }
            if let inverse = property.inverse { line += ", inverse \(inverse)" }
            if let column = relationship.column { line += "  \(column)" }
            lines.append(line)
        }
        return lines
    }
}
