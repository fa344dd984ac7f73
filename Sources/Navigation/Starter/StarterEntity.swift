internal import PersistentStore

/// What can be guessed about an entity for a configuration: what shows its objects, and what tells them apart.
struct StarterEntity {
    let name: String
    /// The entities that are opened by the same rule, because they descend from this one.
    let descendants: [String]
    /// The attribute to open its objects by; nil where there is none that would do.
    let title: AttributeDescription?
    /// An attribute that looks as if no two objects have the same value; nil where none does.
    let key: AttributeDescription?

    /// The entities that need a rule: from the root down to the first that has something to show.
    static func all(in model: ObjectModel) -> [StarterEntity] {
        let roots = model.entities.indices.filter { model.entities[$0].parent == nil }
        return roots.flatMap { entities(from: $0, in: model, depth: 0) }
    }

    private static func entities(from index: Int, in model: ObjectModel, depth: Int) -> [StarterEntity] {
        let children = model.entities.indices.filter { model.entities[$0].parent == index }
        let below = model.entities.indices.filter { $0 != index && model.entity($0, isKindOf: index) }
        let isUsed = !model.entities[index].isAbstract || below.contains { !model.entities[$0].isAbstract }
        guard isUsed, depth < model.entities.count else { return [] }
        let attributes = model.lineage(of: index).flatMap { model.entities[$0].attributes }.filter { !$0.isTransient }
        let own = StarterEntity(
            name: model.entities[index].name, descendants: below.map { model.entities[$0].name }.sorted(),
            title: title(of: attributes), key: key(of: attributes, entity: model.entities[index].name))
        if own.title != nil || children.isEmpty { return [own] }
        let others = children.flatMap { entities(from: $0, in: model, depth: depth + 1) }
        return model.entities[index].isAbstract ? others : [own] + others
    }

    // MARK: Guesses

    private static let titleWords = ["name", "title", "label", "subject", "headline", "caption", "text"]

    /// The attribute whose name says that people read it, else the first text.
    private static func title(of attributes: [AttributeDescription]) -> AttributeDescription? {
        let texts = attributes.filter { $0.type == .string }
        // Without a model, columns have no certain type.
        let candidates = texts.isEmpty ? attributes.filter { $0.type == .undefined } : texts
        for word in titleWords {
            if let found = candidates.first(where: { $0.name.lowercased() == word }) { return found }
        }
        for word in titleWords {
            if let found = candidates.first(where: { $0.name.lowercased().hasSuffix(word) }) { return found }
        }
        return texts.first
    }

    private static let keyWords: Set<String> = [
        "id", "identifier", "uuid", "guid", "uid", "remoteid", "serverid", "externalid", "uniqueid",
        "uniqueidentifier", "slug",
    ]

    /// The attribute whose name says that it identifies the object: `id`, `remoteId`, or `movieID` of a Movie.
    private static func key(of attributes: [AttributeDescription], entity: String) -> AttributeDescription? {
        let candidates = attributes.filter { keyTypes.contains($0.type) }
        let own = Set(["id", "identifier", "uuid", "uid", "guid"].map { entity.lowercased() + $0 })
        return candidates.first { attribute in
            let name = attribute.name.lowercased().filter { $0 != "_" }
            return keyWords.contains(name) || own.contains(name)
        }
    }

    private static let keyTypes: Set<AttributeType> = [
        .string, .uuid, .integer16, .integer32, .integer64, .undefined,
    ]
}

extension AttributeDescription {
    /// The attribute of `$object` as a template writes it.
    var objectVariable: String { isWord ? "$object.\(name)" : "${object.\(name)}" }

    /// A name for what a pattern captures of the attribute.
    var captureName: String { isWord ? name : "id" }

    /// Whether the attribute can stand in a predicate.
    var standsInPredicates: Bool { isWord && (try? PredicateFormat("\(name) == $id")) != nil }

    private var isWord: Bool {
        name.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
        }
    }
}
