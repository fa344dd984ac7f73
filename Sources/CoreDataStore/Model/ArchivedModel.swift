internal import PersistentStore

/// Reads the archive of a managed object model: the copy within a store, or a compiled `.mom` file.
struct ArchivedModel {
    /// The largest archive, inflated, in bytes.
    static let maximumSize = 32 << 20

    private let archive: KeyedArchive
    private var propertiesLeft = ModelDefinition.maximumProperties

    /// Reads a model from the bytes of an archive, deflated or not.
    static func read(_ bytes: [UInt8]) -> ModelDefinition? {
        var bytes = bytes
        if !bytes.starts(with: Array("bplist".utf8)) {
            guard let inflated = try? RawDeflate.inflate(bytes, limit: maximumSize) else { return nil }
            bytes = inflated
        }
        guard let archive = try? KeyedArchive(bytes) else { return nil }
        var reader = ArchivedModel(archive: archive)
        return try? reader.model()
    }

    private init(archive: KeyedArchive) { self.archive = archive }

    private mutating func model() throws(KeyedArchive.Failure) -> ModelDefinition {
        let root = try archive.fields(of: archive.root)
        let entries = try archive.entries(root["NSEntities"])
        guard !entries.isEmpty, entries.count <= ModelDefinition.maximumEntities else { throw .damaged }
        var model = ModelDefinition(entities: [])
        for position in try archive.array(root["NSVersionIdentifiers"]).prefix(64) {
            if let identifier = try archive.string(position) { model.versionIdentifiers.append(identifier) }
        }
        for entry in entries { model.entities.append(try entity(entry.value, key: entry.key)) }
        return model.normalized()
    }

    private mutating func entity(_ position: Int, key: String) throws(KeyedArchive.Failure) -> ModelDefinition.Entity {
        let fields = try archive.fields(of: position)
        var entity = ModelDefinition.Entity(name: try archive.string(fields["NSEntityName"]) ?? key)
        entity.className = try archive.string(fields["NSClassNameForEntity"])
        entity.parent = try archive.string(try archive.fields(of: fields["NSSuperentity"])["NSEntityName"])
        entity.isAbstract = try archive.flag(fields["NSIsAbstract"])
        for property in try archive.entries(fields["NSProperties"]) {
            propertiesLeft -= 1
            guard propertiesLeft >= 0 else { throw .tooLarge }
            try add(property.value, key: property.key, to: &entity)
        }
        return entity
    }

    private func add(_ position: Int, key: String, to entity: inout ModelDefinition.Entity)
        throws(KeyedArchive.Failure)
    {
        let fields = try archive.fields(of: position)
        let name = try archive.string(fields["NSPropertyName"]) ?? key
        switch try archive.className(fields) {
        case "NSRelationshipDescription": entity.relationships.append(try relationship(name, fields))
        case "NSFetchedPropertyDescription", "NSExpressionDescription": return
        default:
            guard let attribute = try attribute(name, fields) else { return }
            entity.attributes.append(ModelDefinition.Attribute(attribute))
            guard attribute.type == .composite else { return }
            for element in try elements(of: fields) {
                entity.attributes.append(ModelDefinition.Attribute(element: element, of: attribute))
            }
        }
    }

    private func attribute(_ name: String, _ fields: [String: Int]) throws(KeyedArchive.Failure)
        -> AttributeDescription?
    {
        guard let code = try archive.integer(fields["NSAttributeType"]) else { return nil }
        return AttributeDescription(
            name: name, type: AttributeType(code: code), isOptional: try archive.flag(fields["NSIsOptional"]),
            isTransient: try archive.flag(fields["NSIsTransient"]),
            allowsExternalStorage: (try archive.integer(fields["NSFlagsKey"]) ?? 0) & 4 != 0)
    }

    /// The elements of a composite attribute: those members of its lists that are attributes themselves.
    private func elements(of fields: [String: Int]) throws(KeyedArchive.Failure) -> [ModelDefinition.Attribute] {
        var elements: [ModelDefinition.Attribute] = []
        for (_, field) in fields.sorted(by: { $0.key < $1.key }) {
            for member in try archive.array(field).prefix(1000) {
                let inner = try archive.fields(of: member)
                guard let name = try archive.string(inner["NSPropertyName"]), let found = try attribute(name, inner),
                    found.type != .composite
                else { continue }
                elements.append(ModelDefinition.Attribute(found))
            }
        }
        return elements
    }

    private func relationship(_ name: String, _ fields: [String: Int]) throws(KeyedArchive.Failure)
        -> RelationshipDescription
    {
        var destination = try archive.string(fields["_NSDestinationEntityName"])
        if destination == nil {
            let entity = try archive.fields(of: fields["NSDestinationEntity"])
            destination = try archive.string(entity["NSEntityName"])
        }
        var inverse = try archive.string(fields["_NSInverseRelationshipName"])
        if inverse == nil {
            let relationship = try archive.fields(of: fields["NSInverseRelationship"])
            inverse = try archive.string(relationship["NSPropertyName"])
        }
        return RelationshipDescription(
            name: name, destination: destination ?? "", inverse: inverse,
            isToMany: try archive.integer(fields["NSMaxCount"]) != 1,
            isOrdered: try archive.flag(fields["NSIsOrdered"]),
            isTransient: try archive.flag(fields["NSIsTransient"]),
            isOptional: try archive.flag(fields["NSIsOptional"]))
    }
}

extension AttributeType {
    /// The type of Core Data's number for it.
    init(code: Int64) {
        switch code {
        case 100: self = .integer16
        case 200: self = .integer32
        case 300: self = .integer64
        case 400: self = .decimal
        case 500: self = .double
        case 600: self = .float
        case 700: self = .string
        case 800: self = .boolean
        case 900: self = .date
        case 1000: self = .binary
        case 1100: self = .uuid
        case 1200: self = .uri
        case 1800: self = .transformable
        case 2000: self = .objectID
        case 2100: self = .composite
        default: self = .undefined
        }
    }
}
