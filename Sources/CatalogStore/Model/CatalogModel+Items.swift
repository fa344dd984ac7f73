public import Items
internal import PersistentStore

extension CatalogModel {
    /// Learns an item's entity and attributes; false where there are too many entities.
    @discardableResult
    public mutating func learn(_ item: Item) -> Bool {
        guard let number = enter(entity: item.entity) else { return false }
        var hasChanged = additions.entities.contains(number) && places(of: number).isEmpty
        if item.uniqueIdentifier != nil { hasChanged = learn(.uniqueIdentifier, of: number) || hasChanged }
        if item.domainIdentifier != nil { hasChanged = learn(.domainIdentifier, of: number) || hasChanged }
        for attribute in item.attributes {
            hasChanged = learn(attribute.value, named: attribute.name, of: number) || hasChanged
        }
        if hasChanged { rebuildPlaces() }
        return true
    }

    /// An item's own fields are attributes of the root.
    private mutating func learn(_ field: ItemField, of number: Int) -> Bool {
        if place(of: field.rawValue, entity: number) != nil { return false }
        let root = entities[number - 1].root
        _ = enter(attribute: field.rawValue, root: root)
        set(Property(type: .string, isDeclared: false), named: field.rawValue, of: root)
        return true
    }

    private mutating func learn(_ value: ItemValue, named name: String, of number: Int) -> Bool {
        let seen = Property(seen: value)
        guard let known = place(of: name, entity: number) else {
            _ = enter(attribute: name, root: entities[number - 1].root)
            set(seen, named: name, of: number)
            return true
        }
        if known.property.isDeclared || known.property.type == seen.type { return false }
        let joined = known.property.joined(with: seen)
        guard joined != known.property else { return false }
        set(joined, named: name, of: known.owner)
        return true
    }

    private func places(of number: Int) -> [String: Property] { properties[number - 1] }
}

extension CatalogModel.Property {
    /// What a value shows of its attribute.
    fileprivate init(seen value: ItemValue) {
        guard case .attribute(let value) = value else {
            self.init(type: .transformable, isDeclared: false)
            return
        }
        if case .object(let uri) = value {
            self.init(type: .objectID, destination: uri.entity, isDeclared: false)
        } else {
            self.init(type: value.type, isDeclared: false)
        }
    }

    /// The property of an attribute with values of both types.
    fileprivate func joined(with other: Self) -> Self {
        let numbers: Set<AttributeType> = [.integer64, .double]
        if numbers.contains(type), numbers.contains(other.type) { return Self(type: .double, isDeclared: false) }
        return Self(type: .undefined, isDeclared: false)
    }
}

extension AttributeValue {
    /// The type that holds the value.
    fileprivate var type: AttributeType {
        switch self {
        case .null: .undefined
        case .boolean: .boolean
        case .integer: .integer64
        case .number: .double
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .binary, .externalDataMissing: .binary
        case .object: .objectID
        }
    }
}
