internal import PersistentStore
internal import PostgreSQL

/// Statements that store what a catalog's model has learnt.
enum ModelStatements {
    static func store(_ additions: CatalogModel.Additions, of model: CatalogModel) -> [Statement] {
        var statements: [Statement] = []
        if !additions.entities.isEmpty { statements.append(entities(additions.entities.sorted(), model)) }
        if !additions.attributes.isEmpty { statements.append(attributes(additions.attributes.sorted(), model)) }
        if !additions.properties.isEmpty { statements.append(properties(additions.properties, model)) }
        return statements
    }

    private static func entities(_ numbers: [Int], _ model: CatalogModel) -> Statement {
        let entities = numbers.map { model.entities[$0 - 1] }
        return Statement(
            """
            INSERT INTO deeplink.entity (number, name, parent, root, class_name, is_abstract, next_key)
            SELECT number, name, parent, root, class_name, is_abstract, \(ObjectKey.firstAllottedKey)
            FROM unnest($1::integer[], $2::text[], $3::integer[], $4::integer[], $5::text[], $6::boolean[])
              q (number, name, parent, root, class_name, is_abstract)
            ON CONFLICT (number) DO UPDATE SET parent = EXCLUDED.parent, root = EXCLUDED.root,
              class_name = EXCLUDED.class_name, is_abstract = EXCLUDED.is_abstract
            """,
            [
                .smallIntegers(numbers.map { Int32($0) }), .texts(entities.map(\.name)),
                .smallIntegers(entities.map { $0.parent.map { Int32($0) } }),
                .smallIntegers(entities.map { Int32($0.root) }), .texts(entities.map(\.className)),
                .booleans(entities.map(\.isAbstract)),
            ])
    }

    private static func attributes(_ numbers: [Int], _ model: CatalogModel) -> Statement {
        let attributes = numbers.map { model.attributes[$0 - 1] }
        return Statement(
            """
            INSERT INTO deeplink.attribute (number, root, name)
            SELECT * FROM unnest($1::integer[], $2::integer[], $3::text[])
            """,
            [
                .smallIntegers(numbers.map { Int32($0) }), .smallIntegers(attributes.map { Int32($0.root) }),
                .texts(attributes.map(\.name)),
            ])
    }

    private static func properties(_ names: [Int: Set<String>], _ model: CatalogModel) -> Statement {
        var rows: [(entity: Int, name: String, property: CatalogModel.Property)] = []
        for (entity, names) in names.sorted(by: { $0.key < $1.key }) {
            for name in names.sorted() {
                guard let property = model.properties[entity - 1][name] else { continue }
                rows.append((entity, name, property))
            }
        }
        return Statement(
            """
            INSERT INTO deeplink.property (entity, name, type, destination, is_declared)
            SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::boolean[])
            ON CONFLICT (entity, name) DO UPDATE SET type = EXCLUDED.type, destination = EXCLUDED.destination,
              is_declared = EXCLUDED.is_declared
            """,
            [
                .smallIntegers(rows.map { Int32($0.entity) }), .texts(rows.map(\.name)),
                .texts(rows.map(\.property.type.rawValue)), .texts(rows.map(\.property.destination)),
                .booleans(rows.map(\.property.isDeclared)),
            ])
    }
}
