internal import Activities
internal import PersistentStore

/// Reads one item of a message.
struct ItemReader {
    /// Where the item stands, for messages.
    let place: String

    init(_ place: String) { self.place = place }

    func item(_ json: JSONValue, _ version: ItemVersion) throws(ItemError) -> Item {
        let identifier = try json.name("uniqueIdentifier", at: place + ".")
        var object: ObjectURI?
        if let text = try json.name("object", at: place + ".") {
            guard let uri = ObjectURI(text), case .permanent = uri.key else {
                throw ItemError("\(place).object must be the URI of a saved object, x-coredata://STORE/ENTITY/pN.")
            }
            object = uri
        } else if let identifier, let uri = ObjectURI(identifier), case .permanent = uri.key {
            // Apps commonly use the object's URI as the identifier.
            object = uri
        }
        guard identifier != nil || object != nil else {
            throw ItemError("\(place) has neither a uniqueIdentifier nor an object, so that nothing names it.")
        }
        let entity = try json.name("entity", at: place + ".") ?? object?.entity ?? Item.defaultEntity
        guard !entity.utf8.contains(UInt8(ascii: "/")) else {
            throw ItemError("\(place).entity must not contain a slash.")
        }
        return Item(
            uniqueIdentifier: identifier, domainIdentifier: try json.name("domainIdentifier", at: place + "."),
            entity: entity, object: object, attributes: try attributes(json), expirationDate: try expiration(json),
            version: try json.version(at: place + ".") ?? version)
    }

    private func attributes(_ json: JSONValue) throws(ItemError) -> [Item.Attribute] {
        guard let set = json.present("attributeSet") else { return [] }
        guard set.kind == .object else { throw ItemError("\(place).attributeSet must be an object.") }
        var attributes: [Item.Attribute] = []
        for (name, value) in set.members {
            guard !name.isEmpty, name.utf8.count <= ItemDecoder.nameByteCountMax else {
                throw ItemError(
                    "A name in \(place).attributeSet is empty or longer than \(ItemDecoder.nameByteCountMax) bytes.")
            }
            guard let value = try ItemValue(value, at: "\(place).attributeSet has a value that") else { continue }
            attributes.append(Item.Attribute(name, value))
        }
        return attributes
    }

    private func expiration(_ json: JSONValue) throws(ItemError) -> Double? {
        guard let value = json.present("expirationDate") else { return nil }
        guard let text = value.string, let seconds = ISO8601.seconds(in: text) else {
            throw ItemError(
                "\(place).expirationDate must be ISO 8601 text with a time and a zone, such as 2026-12-31T23:59:59Z.")
        }
        return seconds
    }
}

/// Reads what is said of entities.
enum EntityReader {
    static func declarations(_ json: JSONValue, at place: String) throws(ItemError) -> [EntityDeclaration] {
        guard json.kind == .array else { throw ItemError("\(place) must be an array.") }
        var declarations: [EntityDeclaration] = []
        for (index, element) in json.elements.enumerated() {
            declarations.append(try declaration(element, at: "\(place)[\(index)]"))
        }
        return declarations
    }

    private static func declaration(_ json: JSONValue, at place: String) throws(ItemError) -> EntityDeclaration {
        guard let name = try json.name("name", at: place + ".") else {
            throw ItemError("\(place) must be an object with the key name.")
        }
        guard !name.utf8.contains(UInt8(ascii: "/")) else { throw ItemError("\(place).name must not contain a slash.") }
        var declaration = EntityDeclaration(
            name: name, parent: try json.name("parent", at: place + "."),
            className: try json.name("className", at: place + "."),
            isAbstract: json["isAbstract" as StaticString]?.boolean ?? false)
        for (attribute, value) in json.present("attributes")?.members ?? [] {
            guard let type = value.string.flatMap(AttributeType.init(rawValue:)) else {
                let types = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
                throw ItemError("\(place).attributes has a type that is none of: \(types).")
            }
            declaration.attributes[attribute] = type
        }
        for (relationship, value) in json.present("relationships")?.members ?? [] {
            guard let destination = value.string, !destination.isEmpty else {
                throw ItemError("\(place).relationships must give the name of an entity for each relationship.")
            }
            declaration.relationships[relationship] = destination
        }
        return declaration
    }
}

extension JSONValue {
    /// A member that is there and not null.
    func present(_ key: StaticString) -> JSONValue? {
        guard let value = self[key], !value.isNull else { return nil }
        return value
    }

    /// A member that is text: not empty, and not too long.
    func name(_ key: StaticString, at place: String) throws(ItemError) -> String? {
        guard let value = present(key) else { return nil }
        guard let text = value.string, !text.isEmpty, text.utf8.count <= ItemDecoder.nameByteCountMax else {
            throw ItemError("\(place)\(key) must be text of 1 to \(ItemDecoder.nameByteCountMax) bytes.")
        }
        return text
    }

    /// A member that is an array of such texts.
    func names(_ key: StaticString, at place: String) throws(ItemError) -> [String]? {
        guard let value = present(key) else { return nil }
        guard value.kind == .array else { throw ItemError("\(place)\(key) must be an array of texts.") }
        var names: [String] = []
        for (index, element) in value.elements.enumerated() {
            guard let text = element.string, !text.isEmpty, text.utf8.count <= ItemDecoder.nameByteCountMax else {
                throw ItemError("\(place)\(key)[\(index)] must be text of 1 to \(ItemDecoder.nameByteCountMax) bytes.")
            }
            names.append(text)
        }
        return names
    }

    /// The member `version`.
    func version(at place: String) throws(ItemError) -> ItemVersion? {
        guard let value = present("version") else { return nil }
        guard let number = value.integer else {
            throw ItemError("\(place)version must be a whole number, such as milliseconds since 1970.")
        }
        return ItemVersion(given: number)
    }
}
