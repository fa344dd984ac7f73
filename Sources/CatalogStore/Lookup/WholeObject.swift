public import Items
public import PersistentStore

extension ObjectRow {
    /// The object with all its values; `entity` gives the entity of another key's object, where it is found.
    ///
    /// Attributes that the entity has and the object does not are `.null`.
    public func wholeObject<Failure: Error>(
        _ attributes: RowAttributes, model: CatalogModel, identifier: String,
        entity: (ObjectKey) throws(Failure) -> Int?
    ) throws(Failure) -> ManagedObject {
        var values: [String: AttributeValue] = [:]
        var relationships: [String: ObjectURI?] = [:]
        for number in model.lineage(of: self.entity) {
            for (name, property) in model.properties[number - 1] {
                if property.destination == nil {
                    values[name] = .null
                } else {
                    relationships.updateValue(nil, forKey: name)
                }
            }
        }
        for attribute in attributes.all {
            guard case .attribute(let value) = attribute.value else { continue }
            guard case .object(let uri) = value else {
                values[attribute.name] = value
                continue
            }
            relationships[attribute.name] = try own(uri, model, identifier, entity)
            values[attribute.name] = nil
        }
        for field in ItemField.allCases {
            let value = self.value(of: field.rawValue, in: attributes)
            if value != .null { values[field.rawValue] = value }
        }
        return ManagedObject(
            uri: uri(model: model, identifier: identifier), attributes: values, relationships: relationships)
    }

    /// A target's URI with its own entity.
    private func own<Failure: Error>(
        _ uri: ObjectURI, _ model: CatalogModel, _ identifier: String, _ entity: (ObjectKey) throws(Failure) -> Int?
    ) throws(Failure) -> ObjectURI {
        guard uri.store == identifier, let key = model.key(of: uri), let number = try entity(key),
            let name = model.entity(number)?.name
        else { return uri }
        return ObjectURI(store: identifier, entity: name, primaryKey: key.primaryKey)
    }

    /// The object's URI, with its own entity.
    public func uri(model: CatalogModel, identifier: String) -> ObjectURI {
        ObjectURI(store: identifier, entity: model.entity(entity)?.name ?? "", primaryKey: key.primaryKey)
    }

    /// The object as an item with its URI.
    public func item(_ attributes: RowAttributes, model: CatalogModel, identifier: String) -> Item {
        let uri = uri(model: model, identifier: identifier)
        return Item(
            uniqueIdentifier: uniqueIdentifier, domainIdentifier: domainIdentifier, entity: uri.entity, object: uri,
            attributes: attributes.all, expirationDate: expires, version: ItemVersion(given: version))
    }
}
