internal import PersistentStore

/// Reads the `elements` file of a model that Xcode 3 or 4.0 saved: an archive of the editor's own objects.
///
/// Every value is a property of a stereotype: a named bucket with a default value.
struct EditorArchive {
    private let archive: KeyedArchive

    /// Reads a model; nil where the bytes are not such an archive.
    static func read(_ bytes: [UInt8]) -> ModelDefinition? {
        guard let archive = try? KeyedArchive(bytes) else { return nil }
        return try? EditorArchive(archive: archive).model()
    }

    private func model() throws(KeyedArchive.Failure) -> ModelDefinition? {
        let package = try archive.fields(of: try archive.fields(of: archive.root)["_xd_rootPackage"])
        let classes = try archive.entries(package["XDBucketForClassesstorage"])
        guard !classes.isEmpty, classes.count <= ModelDefinition.maximumEntities else { return nil }
        var model = ModelDefinition(entities: [])
        for entry in classes { model.entities.append(try entity(entry.key, entry.value)) }
        return model.normalized()
    }

    private func entity(_ name: String, _ position: Int) throws(KeyedArchive.Failure) -> ModelDefinition.Entity {
        let fields = try archive.fields(of: position)
        let settings = try settings(of: fields)
        var entity = ModelDefinition.Entity(name: name)
        entity.className = try archive.string(settings["XD_PSK_entityClassName"])
        entity.isAbstract = try isTrue(settings["XD_PSK_isAbstract"])
        for generalization in try archive.entries(fields["XDBucketForGeneralizationsstorage"]) {
            let parent = try archive.fields(of: try archive.fields(of: generalization.value)["_general"])
            entity.parent = try archive.string(parent["_name"])
        }
        for property in try archive.entries(fields["XDBucketForOwnedAttributesstorage"]) {
            try add(property.key, property.value, to: &entity)
        }
        return entity
    }

    private func add(_ name: String, _ position: Int, to entity: inout ModelDefinition.Entity)
        throws(KeyedArchive.Failure)
    {
        let settings = try settings(of: try archive.fields(of: position))
        let isOptional = try isTrue(settings["XD_PPSK_isOptional"])
        let isTransient = try isTrue(settings["XD_PPSK_isTransient"])
        if let target = settings["XD_PRK_destination"] {
            let inverse = try archive.fields(of: settings["XD_PRK_inverseRelationship"])
            entity.relationships.append(
                RelationshipDescription(
                    name: name, destination: try archive.string(try archive.fields(of: target)["_name"]) ?? "",
                    inverse: try archive.string(inverse["_name"]), isToMany: try isTrue(settings["XD_PRK_isToMany"]),
                    isOrdered: try isTrue(settings["XD_PRK_ordered"]), isTransient: isTransient,
                    isOptional: isOptional))
        } else if let type = settings["XD_PAttK_attributeType"] {
            let code = try self.code(type)
            let attribute = AttributeDescription(
                name: name, type: AttributeType(code: code ?? 0), isOptional: isOptional, isTransient: isTransient,
                allowsExternalStorage: try isTrue(settings["XD_PAttK_allowsExternalBinaryDataStorage"]))
            entity.attributes.append(ModelDefinition.Attribute(attribute))
        }
    }

    /// The values of all stereotypes of an element, by their names.
    private func settings(of fields: [String: Int]) throws(KeyedArchive.Failure) -> [String: Int] {
        var settings: [String: Int] = [:]
        for stereotype in try archive.entries(fields["XDBucketForStereotypesstorage"]) {
            let bucket = try archive.fields(of: stereotype.value)["XDBucketForOwnedAttributesstorage"]
            for property in try archive.entries(bucket) {
                if let value = try archive.fields(of: property.value)["_default"] { settings[property.key] = value }
            }
        }
        return settings
    }

    /// Numbers may be kept as text.
    private func code(_ position: Int) throws(KeyedArchive.Failure) -> Int64? {
        if let number = try archive.integer(position) { return number }
        return try archive.string(position).flatMap { Int64($0) }
    }

    private func isTrue(_ position: Int?) throws(KeyedArchive.Failure) -> Bool {
        if try archive.flag(position) { return true }
        let text = try archive.string(position)
        return text == "True" || text == "YES"
    }
}
