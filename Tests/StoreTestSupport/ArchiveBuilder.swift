/// Writes the archive of a data model in the shape that Core Data gives it.
package struct ArchiveBuilder {
    /// An attribute of an entity.
    package struct Attribute: Sendable {
        package var name: String
        package var type: Int64
        package var isTransient = false
        package var isExternal = false
        /// The elements of a composite attribute.
        package var elements: [Attribute] = []

        package init(
            name: String, type: Int64, isTransient: Bool = false, isExternal: Bool = false, elements: [Attribute] = []
        ) {
            self.name = name
            self.type = type
            self.isTransient = isTransient
            self.isExternal = isExternal
            self.elements = elements
        }
    }

    /// A relationship of an entity.
    package struct Relationship: Sendable {
        package var name: String
        package var destination: String
        package var inverse: String?
        package var isToMany = false
        package var isOrdered = false

        package init(
            name: String, destination: String, inverse: String? = nil, isToMany: Bool = false, isOrdered: Bool = false
        ) {
            self.name = name
            self.destination = destination
            self.inverse = inverse
            self.isToMany = isToMany
            self.isOrdered = isOrdered
        }
    }

    /// An entity.
    package struct Entity: Sendable {
        package var name: String
        package var parent: String?
        package var isAbstract = false
        package var attributes: [Attribute] = []
        package var relationships: [Relationship] = []

        package init(
            name: String, parent: String? = nil, isAbstract: Bool = false, attributes: [Attribute] = [],
            relationships: [Relationship] = []
        ) {
            self.name = name
            self.parent = parent
            self.isAbstract = isAbstract
            self.attributes = attributes
            self.relationships = relationships
        }
    }

    private var list = PlistBuilder()
    /// The archive's own numbering of its objects.
    private var members: [Int] = []
    private var entityReferences: [String: Int] = [:]

    /// The archive of a model.
    package static func archive(_ entities: [Entity]) -> [UInt8] {
        var builder = ArchiveBuilder()
        return builder.build(entities)
    }

    private mutating func build(_ entities: [Entity]) -> [UInt8] {
        members.append(list.string("$null"))
        for entity in entities { entityReferences[entity.name] = number(list.reserve()) }
        for entity in entities { add(entity) }
        let names = entities.map { object(list.string($0.name)) }
        let values = entities.map { list.reference(entityReferences[$0.name] ?? 0) }
        let dictionary = self.dictionary(names, values)
        let identifiers = arrayObject([object(list.string("1.0"))])
        let model = object(
            list.dictionary([
                "NSEntities": dictionary, "NSVersionIdentifiers": identifiers,
                "$class": className("NSManagedObjectModel"),
            ]))
        let top = list.dictionary(["root": model])
        let all = list.array(members)
        let outermost = list.dictionary(["$objects": all, "$top": top])
        return list.bytes(top: outermost)
    }

    private mutating func add(_ entity: Entity) {
        var properties: [(String, Int)] = entity.attributes.map { ($0.name, attribute($0)) }
        properties += entity.relationships.map { ($0.name, relationship($0)) }
        let keys = properties.map { object(list.string($0.0)) }
        var fields = [
            "NSEntityName": object(list.string(entity.name)), "$class": className("NSEntityDescription"),
            "NSClassNameForEntity": object(list.string(entity.name)), "NSIsAbstract": list.boolean(entity.isAbstract),
            "NSProperties": dictionary(keys, properties.map(\.1)),
        ]
        if let parent = entity.parent { fields["NSSuperentity"] = list.reference(entityReferences[parent] ?? 0) }
        let pairs = fields.sorted { $0.key < $1.key }.map { (list.string($0.key), $0.value) }
        _ = list.dictionary(pairs, at: members[entityReferences[entity.name] ?? 0])
    }

    private mutating func attribute(_ attribute: Attribute) -> Int {
        var fields = [
            "NSPropertyName": object(list.string(attribute.name)), "$class": className("NSAttributeDescription"),
            "NSAttributeType": list.integer(attribute.type), "NSIsOptional": list.boolean(true),
            "NSIsTransient": list.boolean(attribute.isTransient),
            "NSFlagsKey": list.integer(attribute.isExternal ? 4 : 0),
        ]
        if !attribute.elements.isEmpty {
            let elements = attribute.elements.map { self.attribute($0) }
            fields["NSCompositeElements"] = arrayObject(elements)
        }
        return object(list.dictionary(fields))
    }

    private mutating func relationship(_ relationship: Relationship) -> Int {
        var fields = [
            "NSPropertyName": object(list.string(relationship.name)),
            "$class": className("NSRelationshipDescription"),
            "_NSDestinationEntityName": object(list.string(relationship.destination)),
            "NSMaxCount": list.integer(relationship.isToMany ? 0 : 1),
            "NSIsOrdered": list.boolean(relationship.isOrdered), "NSIsOptional": list.boolean(true),
        ]
        if let inverse = relationship.inverse {
            fields["_NSInverseRelationshipName"] = object(list.string(inverse))
        }
        return object(list.dictionary(fields))
    }

    private mutating func className(_ name: String) -> Int {
        let text = list.string(name)
        return object(list.dictionary(["$classname": text]))
    }

    private mutating func dictionary(_ keys: [Int], _ values: [Int]) -> Int {
        let keyList = list.array(keys)
        let valueList = list.array(values)
        return object(list.dictionary(["NS.keys": keyList, "NS.objects": valueList]))
    }

    private mutating func arrayObject(_ values: [Int]) -> Int {
        let valueList = list.array(values)
        return object(list.dictionary(["NS.objects": valueList]))
    }

    /// Makes an object of the list one of the archive, and gives the reference to it.
    private mutating func object(_ index: Int) -> Int {
        let number = number(index)
        return list.reference(number)
    }

    private mutating func number(_ index: Int) -> Int {
        members.append(index)
        return members.count - 1
    }
}
