public import Items
internal import PersistentStore

extension CatalogModel {
    /// Why a declaration does not fit the catalog.
    public struct DeclarationError: Error, Sendable {
        /// A sentence for people.
        public let description: String
    }

    /// Learns declared entities.
    ///
    /// `hasObjects` says whether the catalog has rows of an entity: then its root must stay, as keys depend on it.
    public mutating func declare(
        _ declarations: [EntityDeclaration], hasObjects: (Int) throws(DeclarationError) -> Bool
    ) throws(DeclarationError) {
        for declaration in declarations {
            guard let number = enter(entity: declaration.name) else {
                throw DeclarationError(
                    description: "A catalog has at most \(ObjectKey.largestEntityNumber) entities.")
            }
            if let parent = declaration.parent { try setParent(parent, of: number, hasObjects) }
            var entity = entities[number - 1]
            if let name = declaration.className { entity.className = name }
            entity.isAbstract = declaration.isAbstract
            set(entity, at: number)
        }
        // Attributes have numbers within their root, which is known only now.
        for declaration in declarations {
            guard let number = number(of: declaration.name) else { continue }
            for (name, type) in declaration.attributes.sorted(by: { $0.key < $1.key }) {
                declare(Property(type: type, isDeclared: true), named: name, of: number)
            }
            for (name, destination) in declaration.relationships.sorted(by: { $0.key < $1.key }) {
                declare(
                    Property(type: .objectID, destination: destination, isDeclared: true), named: name, of: number)
            }
        }
        rebuildPlaces()
    }

    private mutating func declare(_ property: Property, named name: String, of number: Int) {
        var property = property
        // Hashes of values that are there were made under the type that was seen.
        if let known = properties[number - 1][name], !known.isDeclared, known.type == .double,
            property.type == .float || property.type == .decimal
        {
            property.type = .double
        }
        _ = enter(attribute: name, root: entities[number - 1].root)
        set(property, named: name, of: number)
    }

    private mutating func setParent(
        _ name: String, of number: Int, _ hasObjects: (Int) throws(DeclarationError) -> Bool
    ) throws(DeclarationError) {
        guard let parent = enter(entity: name) else {
            throw DeclarationError(description: "A catalog has at most \(ObjectKey.largestEntityNumber) entities.")
        }
        guard entities[number - 1].parent != parent else { return }
        guard !lineage(of: parent).contains(number) else {
            throw DeclarationError(
                description:
                    "The entity \(entities[number - 1].name) cannot descend from \(name), which descends from it.")
        }
        let root = entities[parent - 1].root
        if root != entities[number - 1].root {
            for member in family(of: number).sorted() {
                if try hasObjects(member) {
                    throw DeclarationError(
                        description: "The entity \(entities[member - 1].name) has objects already, so that it cannot "
                            + "become a descendant of \(name). Export the catalog, and import the declarations and "
                            + "then the objects into a new one.")
                }
            }
        }
        var entity = entities[number - 1]
        entity.parent = parent
        set(entity, at: number)
        for member in family(of: number) {
            var entity = entities[member - 1]
            entity.root = root
            set(entity, at: member)
            for name in properties[member - 1].keys.sorted() { _ = enter(attribute: name, root: root) }
        }
    }
}
