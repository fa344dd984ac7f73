internal import Activities
public import Items
internal import PersistentStore

extension CatalogModel {
    /// The column `attributes` for an item whose entity and attributes are known to the model.
    public func attributes(of item: Item) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.attributeSet(read(item.attributes, entity: number(of: item.entity) ?? 0))
        return writer.bytes
    }

    /// Attributes as their declared types read them.
    private func read(_ attributes: [Item.Attribute], entity: Int) -> [Item.Attribute] {
        guard entity > 0 else { return attributes }
        return attributes.map { attribute in
            guard let property = place(of: attribute.name, entity: entity)?.property, property.isDeclared else {
                return attribute
            }
            return Item.Attribute(attribute.name, property.type.reading(attribute.value))
        }
    }

    /// The rows of `match` for a row; none for a deleted object.
    ///
    /// Values that nothing equals (bytes, relationships, arrays) have none.
    public func matchRows(of row: ObjectRow, _ attributes: RowAttributes) -> [MatchRow] {
        guard row.deleted == nil else { return [] }
        var rows: [MatchRow] = []
        func add(_ name: String, _ value: AttributeValue) {
            guard let place = place(of: name, entity: row.entity) else { return }
            let type = place.property.type
            guard value != .null, let folded = MatchKey(stored: value, type: type, folding: MatchHash.folding),
                let exact = MatchKey(stored: value, type: type, folding: TextFolding())
            else { return }
            rows.append(
                MatchRow(
                    attribute: place.attribute, hash: MatchHash.folded(folded), object: row.key, entity: row.entity,
                    exact: MatchHash.exact(exact), expires: row.expires))
        }
        if let text = row.uniqueIdentifier { add(ItemField.uniqueIdentifier.rawValue, .string(text)) }
        if let text = row.domainIdentifier { add(ItemField.domainIdentifier.rawValue, .string(text)) }
        for attribute in attributes.all {
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
