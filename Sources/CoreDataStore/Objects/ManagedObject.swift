public import PersistentStore
internal import SQLite

extension CoreDataStore: ObjectReading {
    /// Reads one object whole, by the name of its entity or of an ancestor.
    public func object(entity name: String, primaryKey: Int64) throws(StoreError) -> ManagedObjectResult {
        let deadline = ContinuousClock.now + CoreDataFile.patience
        while true {
            let result = try read { session throws(SQLiteError) in try session.object(name, primaryKey) }
            if let result { return result }
            guard ContinuousClock.now < deadline else { return .notFound(.noRow) }
            SnapshotTaker.pause()
        }
    }
}

extension Session {
    /// The whole object; nil while the history is being read.
    fileprivate func object(_ name: String, _ key: Int64) throws(SQLiteError) -> ManagedObjectResult? {
        let layout = catalog.layout
        guard let entity = layout.model.index(of: name) else { return .unknownEntity }
        guard let own = try catalog.ownEntityOfRow(key, inTableOf: entity) else {
            switch try absence(of: key, entity) {
            case .notFound(let absence): return .notFound(absence)
            case .found, .unknownEntity, .unavailable, .deferred: return nil
            }
        }
        guard layout.families[entity].contains(own) else {
            return .notFound(.otherEntity(layout.model.entities[own].name))
        }
        let properties = layout.sortedProperties(of: own).filter { $0.place.isStored }
        let query = try RowQuery(entity: own, in: catalog) { _ in
            RowQuery.Reading(planEntry: nil, paths: properties.map { [$0.name] })
        }
        guard case .object(let object) = try query?.object(key) else { return .notFound(.noRow) }
        var attributes: [String: AttributeValue] = [:]
        var relationships: [String: ObjectURI?] = [:]
        for (property, value) in zip(properties, object.values) {
            guard case .toOne = property.place else {
                attributes[property.name] = value
                continue
            }
            let target: ObjectURI? = if case .object(let uri) = value { uri } else { nil }
            relationships.updateValue(target, forKey: property.name)
        }
        return .found(
            ManagedObject(uri: catalog.uri(entity: own, key), attributes: attributes, relationships: relationships))
    }
}

extension ColumnMap.Place {
    /// Whether a row holds the property itself.
    ///
    /// Transient and composite attributes have no value of their own there.
    fileprivate var isStored: Bool {
        switch self {
        case .attribute(let attribute, _): !attribute.isTransient && attribute.type != .composite
        case .toOne(let relationship, _, _, _): !relationship.isTransient
        case .toMany: false
        }
    }
}
