import CatalogStore
import PersistentStore

/// What `store info` says of a catalog.
struct CatalogInfo {
    private let description: CatalogDescription
    private let location: String

    init(_ description: CatalogDescription, _ location: String) {
        self.description = description
        self.location = location
    }

    var lines: [String] {
        let count = description.objectCounts.values.reduce(0, +)
        var lines = [
            "catalog            \(location)",
            "identifier         \(description.identifier)",
            "schema             version \(description.schemaVersion)",
            "entities           \(description.model.entities.count), with \(count) \(count == 1 ? "object" : "objects")",
        ]
        if description.expiredCount > 0 { lines.append("expired            \(description.expiredCount)") }
        if description.deletedCount > 0 { lines.append("marks of deleted   \(description.deletedCount)") }
        for number in description.model.entities.indices.map({ $0 + 1 }) {
            lines.append("")
            lines += entity(number)
        }
        return lines
    }

    private func entity(_ number: Int) -> [String] {
        let entity = description.model.entities[number - 1]
        var title = "\(entity.name)  ("
        if let parent = entity.parent.flatMap({ description.model.entity($0) }) { title += "is a \(parent.name), " }
        if entity.isAbstract { title += "abstract, " }
        if let name = entity.className, name != entity.name { title += "class \(name), " }
        let count = description.objectCounts[number] ?? 0
        var lines = [title + "\(count) \(count == 1 ? "object" : "objects"))"]
        let properties = description.model.properties[number - 1].sorted { $0.key < $1.key }
        let width = min(40, properties.map(\.key.count).max() ?? 0)
        for (name, property) in properties {
            let pad = name + String(repeating: " ", count: max(0, width - name.count))
            let type = property.destination.map { "to one \($0)" } ?? property.type.rawValue
            lines.append("  \(pad)  \(type)\(property.isDeclared ? "" : ", as seen")")
        }
        return lines
    }
}
