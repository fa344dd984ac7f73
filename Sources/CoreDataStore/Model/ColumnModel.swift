internal import PersistentStore

/// A model made of nothing but the store's tables: lower-cased column names, types as declared.
///
/// All columns of a hierarchy belong to its root, as the columns do not say whose they are. A whole-number column that
/// has Core Data's index for relationships and the name of an entity is taken for a to-one relationship to it.
enum ColumnModel {
    /// The model of a store that has none.
    static func definition(of schema: StoreSchema) -> ModelDefinition {
        let names = Dictionary(schema.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        var definition = ModelDefinition(entities: [])
        for row in schema.entities {
            var entity = ModelDefinition.Entity(name: row.name)
            entity.parent = row.parent == 0 ? nil : names[row.parent]
            if entity.parent == nil {
                let table = "Z" + row.name.uppercased()
                add(schema.tables[table] ?? [], of: table, to: &entity, schema)
            }
            definition.entities.append(entity)
        }
        return definition.normalized()
    }

    /// Adds columns that no property claims, by their lower-cased names.
    static func add(
        _ columns: [StoreSchema.Column], of table: String, to entity: inout ModelDefinition.Entity,
        _ schema: StoreSchema
    ) {
        let present = Set(columns.map(\.name))
        for column in columns {
            guard column.name.hasPrefix("Z"), let first = column.name.dropFirst().first, first != "_",
                !first.isNumber
            else { continue }
            let name = column.name.dropFirst().lowercased()
            if let destination = destination(of: column, in: table, present, schema) {
                entity.relationships.append(RelationshipDescription(name: name, destination: destination))
            } else {
                let description = AttributeDescription(name: name, type: type(declared: column.type))
                entity.attributes.append(ModelDefinition.Attribute(description))
            }
        }
    }

    private static func destination(
        of column: StoreSchema.Column, in table: String, _ columns: Set<String>, _ schema: StoreSchema
    ) -> String? {
        guard column.type == "INTEGER" else { return nil }
        if let typed = schema.entities.first(where: { columns.contains("Z\($0.number)_\(column.name.dropFirst())") }) {
            return typed.name
        }
        guard schema.indexedColumns.contains(table + "." + column.name) else { return nil }
        return schema.entities.first { "Z" + $0.name.uppercased() == column.name }?.name
    }

    private static func type(declared: String) -> AttributeType {
        switch declared {
        case "INTEGER": .integer64
        case "FLOAT": .double
        case "DECIMAL": .decimal
        case "TIMESTAMP": .date
        case "BLOB": .binary
        case _ where declared.hasPrefix("VARCHAR"): .string
        default: .undefined
        }
    }
}
