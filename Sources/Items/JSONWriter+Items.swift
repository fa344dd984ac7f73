public import Activities
internal import PersistentStore

extension JSONWriter {
    /// Writes an item as messages carry it, keys sorted.
    public mutating func item(_ item: Item) {
        beginObject()
        key("attributeSet" as StaticString)
        attributeSet(item.attributes)
        member("domainIdentifier", item.domainIdentifier)
        member("entity", item.entity)
        if let seconds = item.expirationDate { member("expirationDate", ISO8601.text(seconds: seconds)) }
        member("object", item.object?.description)
        member("uniqueIdentifier", item.uniqueIdentifier)
        key("version" as StaticString)
        integer(item.version.number)
        endObject()
    }

    /// Writes attributes as one object.
    public mutating func attributeSet(_ attributes: [Item.Attribute]) {
        beginObject()
        for attribute in attributes {
            key(attribute.name)
            if !attribute.value.write(to: &self) { null() }
        }
        endObject()
    }

    /// Writes what is said of an entity as messages carry it, keys sorted.
    public mutating func declaration(_ entity: EntityDeclaration) {
        beginObject()
        key("attributes" as StaticString)
        object(entity.attributes.mapValues(\.rawValue))
        member("className", entity.className)
        if entity.isAbstract {
            key("isAbstract" as StaticString)
            boolean(true)
        }
        member("name", entity.name)
        member("parent", entity.parent)
        if !entity.relationships.isEmpty {
            key("relationships" as StaticString)
            object(entity.relationships)
        }
        endObject()
    }

    private mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    private mutating func object(_ members: [String: String]) {
        beginObject()
        for (name, text) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            key(name)
            string(text)
        }
        endObject()
    }
}
