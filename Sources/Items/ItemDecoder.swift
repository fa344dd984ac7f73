internal import Activities

/// Reads messages of items.
///
/// A message is one JSON object, or an array of them which are taken in order:
///
///     {"index":[ITEM, ...]}                           adds or replaces items; one item may stand alone
///     {"delete":{"identifiers":["...", ...]}}         deletes by unique identifiers
///     {"delete":{"domainIdentifiers":["a.b", ...]}}   deletes domains with their sub-domains
///     {"delete":"all"}                                deletes everything
///     {"entities":[{"name":"ShortFilm","parent":"Movie","attributes":{"minutes":"Integer 16"}}]}
///     {"store":"UUID"}                                the store that the catalog stands for
///
/// Several keys in one object are taken in the order `store`, `entities`, `delete`, `index`. `version`, a whole number,
/// may stand beside them and inside `delete` and an item; the innermost one counts. Other keys are ignored.
///
/// One decoder belongs to one thread and keeps its buffers between messages.
public struct ItemDecoder: ~Copyable {
    /// How deep containers may nest, the message being the first.
    public static let depthMax = 64
    /// The longest identifier, domain or name, in bytes.
    public static let nameByteCountMax = 1024

    private let parser = JSONParser()

    /// Makes a decoder.
    public init() {}

    /// Reads one message; `version` is that of what has none of its own.
    public func decode(_ body: Span<UInt8>, version: ItemVersion) throws(ItemError) -> [ItemOperation] {
        let root: JSONValue
        do throws(JSONError) { root = try parser.parse(body, depthMax: Self.depthMax) } catch {
            var reason = error.description[...]
            while reason.last == "." { reason.removeLast() }
            throw ItemError("The message is not a JSON document: \(reason).")
        }
        var reader = MessageReader(version: version)
        switch root.kind {
        case .object: try reader.read(root, at: "")
        case .array:
            for (index, element) in root.elements.enumerated() {
                guard element.kind == .object else {
                    throw ItemError("Element \(index) of the message must be an object, such as {\"index\":[...]}.")
                }
                try reader.read(element, at: "[\(index)].")
            }
        default: throw ItemError("The message must be a JSON object, such as {\"index\":[...]}, or an array of them.")
        }
        return reader.operations
    }
}

/// Collects the operations of a message.
private struct MessageReader {
    let version: ItemVersion
    var operations: [ItemOperation] = []

    init(version: ItemVersion) { self.version = version }

    mutating func read(_ message: JSONValue, at place: String) throws(ItemError) {
        let version = try message.version(at: place) ?? self.version
        var isEmpty = true
        if let store = try message.name("store", at: place) {
            operations.append(.adopt(store: store))
            isEmpty = false
        }
        if let entities = message.present("entities") {
            operations.append(.declare(try EntityReader.declarations(entities, at: place + "entities")))
            isEmpty = false
        }
        if let deletion = message.present("delete") {
            try read(deletion: deletion, version, at: place + "delete")
            isEmpty = false
        }
        if let items = message.present("index") {
            try read(index: items, version, at: place + "index")
            isEmpty = false
        }
        if isEmpty {
            throw ItemError(
                "\(place.isEmpty ? "The message" : "The object at \(place.dropLast())") has none of the keys index, delete, entities and store."
            )
        }
    }

    private mutating func read(index: JSONValue, _ version: ItemVersion, at place: String) throws(ItemError) {
        switch index.kind {
        case .object: operations.append(.index(try ItemReader(place).item(index, version)))
        case .array:
            for (position, element) in index.elements.enumerated() {
                guard element.kind == .object else {
                    throw ItemError("\(place)[\(position)] must be an item, an object.")
                }
                operations.append(.index(try ItemReader("\(place)[\(position)]").item(element, version)))
            }
        default: throw ItemError("\(place) must be an item or an array of items.")
        }
    }

    private mutating func read(deletion: JSONValue, _ version: ItemVersion, at place: String) throws(ItemError) {
        if deletion.string == "all" { return operations.append(.deleteAll(version)) }
        guard deletion.kind == .object else {
            throw ItemError("\(place) must be \"all\" or an object with identifiers or domainIdentifiers.")
        }
        let version = try deletion.version(at: place + ".") ?? version
        var isEmpty = true
        if deletion["all" as StaticString]?.boolean == true {
            operations.append(.deleteAll(version))
            isEmpty = false
        }
        if let domains = try deletion.names("domainIdentifiers", at: place + ".") {
            operations.append(.deleteDomains(domains, version))
            isEmpty = false
        }
        if let identifiers = try deletion.names("identifiers", at: place + ".") {
            operations.append(.deleteIdentifiers(identifiers, version))
            isEmpty = false
        }
        if isEmpty { throw ItemError("\(place) must be \"all\" or have identifiers or domainIdentifiers.") }
    }
}
