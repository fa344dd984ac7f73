internal import Activities
internal import Items
internal import PersistentStore

extension [Item.Attribute] {
    /// The column `attributes` for them.
    var json: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.attributeSet(self)
        return writer.bytes
    }
}

extension CatalogModel {
    /// An item's attributes as their declared types read them; the model knows the item.
    func readAttributes(of item: Item) -> [Item.Attribute] {
        guard let entity = number(of: item.entity) else { return item.attributes }
        return item.attributes.map { attribute in
            guard let property = place(of: attribute.name, entity: entity)?.property, property.isDeclared else {
                return attribute
            }
            return Item.Attribute(attribute.name, property.type.reading(attribute.value))
        }
    }

    private static let folding = TextFolding(case: true, diacritics: true)

    /// The rows of `match` for a row; none for a deleted object.
    ///
    /// Values that nothing equals (bytes, relationships, arrays) have none.
    public func matchRows(of row: ObjectRow, _ attributes: RowAttributes) -> [MatchRow] {
        row.deleted == nil ? matchRows(of: row, attributes.all) : []
    }

    /// The rows of `match` for an object that is there.
    func matchRows(of row: ObjectRow, _ attributes: [Item.Attribute]) -> [MatchRow] {
        var rows: [MatchRow] = []
        rows.reserveCapacity(attributes.count + 2)
        func add(_ name: String, _ value: AttributeValue) {
            guard let place = place(of: name, entity: row.entity) else { return }
            let type = place.property.type
            guard value != .null, let key = MatchKey(stored: value, type: type, folding: TextFolding()) else { return }
            var folded = key
            if case .string = value {
                folded = MatchKey(stored: value, type: type, folding: Self.folding) ?? key
            }
            let columns = MatchHash.columns(key, folded: folded)
            rows.append(
                MatchRow(
                    attribute: place.attribute, hash: columns.hash, object: row.key, entity: row.entity,
                    exact: columns.exact, expires: row.expires))
        }
        if let text = row.uniqueIdentifier { add(ItemField.uniqueIdentifier.rawValue, .string(text)) }
        if let text = row.domainIdentifier { add(ItemField.domainIdentifier.rawValue, .string(text)) }
        for attribute in attributes {
            guard case .attribute(let value) = attribute.value else { continue }
            switch ItemField(rawValue: attribute.name) {
            case .uniqueIdentifier where row.uniqueIdentifier != nil: continue
            case .domainIdentifier where row.domainIdentifier != nil: continue
            default: add(attribute.name, value)
            }
        }
        return rows
    }
}
