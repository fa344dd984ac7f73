public import PersistentStore

internal import struct FoundationEssentials.Date

/// A fetch plan fitted to a catalog's model.
public struct ReadPlan: Sendable {
    private let plan: FetchPlan
    /// The entry of each entity, by its number less 1.
    private let entries: [Int?]
    private let identifier: String

    /// Fits a plan; `identifier` is the catalog's store.
    public init(_ plan: FetchPlan, model: CatalogModel, identifier: String) {
        self.plan = plan
        entries = plan.entryIndexes(for: model.objectModel)
        self.identifier = identifier
    }

    /// The object of a row with the values that the plan asks for.
    ///
    /// `row` gives the row and the attributes of another object's key: nil where there is none that is found. A reader
    /// that has to fetch rows first answers nil and notes the key, and calls this again when it has them.
    public func object(
        _ row: ObjectRow, _ attributes: RowAttributes, model: CatalogModel,
        target: (ObjectKey) throws(StoreError) -> (ObjectRow, RowAttributes)?
    ) throws(StoreError) -> FetchedObject {
        let entry = entries.indices.contains(row.entity - 1) ? entries[row.entity - 1] : nil
        var values: [AttributeValue] = []
        for path in entry.map({ plan.entries[$0].paths }) ?? [] {
            values.append(try value(path[...], row, attributes, model, target))
        }
        return FetchedObject(
            store: identifier, entity: model.entity(row.entity)?.name ?? "", primaryKey: row.key.primaryKey,
            planEntry: entry, values: values)
    }

    /// The value at the end of a path of to-one relationships.
    private func value(
        _ path: ArraySlice<String>, _ row: ObjectRow, _ attributes: RowAttributes, _ model: CatalogModel,
        _ target: (ObjectKey) throws(StoreError) -> (ObjectRow, RowAttributes)?
    ) throws(StoreError) -> AttributeValue {
        guard let name = path.first else { return .null }
        if path.count > 1 {
            // An attribute whose name has dots, as the parts of composite ones.
            let whole = attributes[path.joined(separator: ".")]
            if whole != .null { return whole }
        }
        let value = row.value(of: name, in: attributes)
        guard case .object(let uri) = value else { return path.count > 1 ? .null : value }
        guard uri.store == identifier, let key = model.key(of: uri), let (next, nextAttributes) = try target(key) else {
            return path.count > 1 ? .null : value
        }
        guard path.count > 1 else {
            // The URI with the target's own entity.
            let entity = model.entity(next.entity)?.name ?? uri.entity
            return .object(ObjectURI(store: identifier, entity: entity, primaryKey: key.primaryKey))
        }
        return try self.value(path.dropFirst(), next, nextAttributes, model, target)
    }
}

extension ObjectRow {
    /// Why an object of the family is not found by its key; nil where it is.
    public func absence(family: Set<Int>, model: CatalogModel, at time: Double) -> Absence? {
        guard family.contains(entity) else {
            if deleted != nil { return .noRow }
            return .otherEntity(model.entity(entity)?.name ?? "")
        }
        if let deleted { return .deleted(Date(timeIntervalSinceReferenceDate: deleted)) }
        if isExpired(at: time), let expires { return .expired(Date(timeIntervalSinceReferenceDate: expires)) }
        return nil
    }
}
