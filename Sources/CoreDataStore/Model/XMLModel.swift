internal import PersistentStore

/// Reads the `contents` file of an `.xcdatamodel`, as Xcode writes it.
struct XMLModel {
    private let document: XMLDocument

    /// Reads a model; unknown elements and attributes are ignored.
    static func read(_ bytes: [UInt8]) throws(XMLDocument.Failure) -> ModelDefinition {
        let reader = XMLModel(document: try XMLDocument(bytes))
        guard reader.document.root.name == "model" else {
            throw XMLDocument.Failure(line: 1, reason: "the outermost element is not <model>")
        }
        return reader.model()
    }

    private func model() -> ModelDefinition {
        let root = document.root
        let composites = Dictionary(
            document.children("compositeAttribute", of: root).map { ($0.attributes["name"] ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
        var model = ModelDefinition(entities: [])
        if let identifier = root.attributes["userDefinedModelVersionIdentifier"] {
            model.versionIdentifiers = [identifier]
        }
        model.entities = document.children("entity", of: root).prefix(ModelDefinition.maximumEntities).map {
            entity($0, composites)
        }
        return model.normalized()
    }

    private func entity(
        _ element: XMLDocument.Element, _ composites: [String: XMLDocument.Element]
    ) -> ModelDefinition.Entity {
        var entity = ModelDefinition.Entity(name: element.attributes["name"] ?? "")
        entity.className = element.attributes["representedClassName"].flatMap { $0.isEmpty ? nil : $0 }
        entity.parent = element.attributes["parentEntity"]
        entity.isAbstract = element.flag("isAbstract")
        for child in document.children(of: element) {
            switch child.name {
            case "attribute":
                let attribute = attribute(child)
                entity.attributes.append(ModelDefinition.Attribute(attribute))
                guard attribute.type == .composite else { continue }
                let inner = child.attributes["compositeName"] ?? child.attributes["compositeAttributeName"]
                let elements = composites[inner ?? ""] ?? composites[attribute.name] ?? child
                entity.attributes += document.children("attribute", of: elements).map {
                    let element = ModelDefinition.Attribute(self.attribute($0))
                    return ModelDefinition.Attribute(element: element, of: attribute)
                }
            case "relationship": entity.relationships.append(relationship(child))
            default: continue
            }
        }
        return entity
    }

    private func attribute(_ element: XMLDocument.Element) -> AttributeDescription {
        AttributeDescription(
            name: element.attributes["name"] ?? "",
            type: element.attributes["attributeType"].flatMap(AttributeType.init(rawValue:)) ?? .undefined,
            isOptional: element.flag("optional"), isTransient: element.flag("transient"),
            allowsExternalStorage: element.flag("allowsExternalBinaryDataStorage"))
    }

    private func relationship(_ element: XMLDocument.Element) -> RelationshipDescription {
        RelationshipDescription(
            name: element.attributes["name"] ?? "", destination: element.attributes["destinationEntity"] ?? "",
            inverse: element.attributes["inverseName"], isToMany: element.flag("toMany"),
            isOrdered: element.flag("ordered"), isTransient: element.flag("transient"),
            isOptional: element.flag("optional"))
    }
}
