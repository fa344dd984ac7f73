internal import PersistentStore
internal import SQLite

/// The small tables of a catalog: its own row, and its model.
struct CatalogTables {
    /// The row of the table `catalog`.
    struct Header: Equatable {
        var identifier: String
        var generation: Int64
        var deletedVersion: Int64?
    }

    let connection: SQLiteConnection
    private let headerQuery: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        headerQuery = try connection.prepare("SELECT identifier, generation, deleted_version FROM catalog")
    }

    func header() throws(SQLiteError) -> Header {
        defer { headerQuery.reset() }
        guard try headerQuery.step() else { return Header(identifier: "", generation: 0) }
        return Header(
            identifier: headerQuery.text(0), generation: headerQuery.integer(1),
            deletedVersion: headerQuery.storage(2) == .null ? nil : headerQuery.integer(2))
    }

    func model(generation: Int64) throws(SQLiteError) -> CatalogModel {
        var entities: [CatalogModel.Entity] = []
        let entityRows = try connection.prepare(
            "SELECT name, parent, root, class_name, is_abstract FROM entity ORDER BY number")
        while try entityRows.step() {
            entities.append(
                CatalogModel.Entity(
                    name: entityRows.text(0), parent: entityRows.storage(1) == .null ? nil : Int(entityRows.integer(1)),
                    root: Int(entityRows.integer(2)), className: entityRows.textIfText(3),
                    isAbstract: entityRows.integer(4) != 0))
        }
        var attributes: [CatalogModel.Attribute] = []
        let attributeRows = try connection.prepare("SELECT root, name FROM attribute ORDER BY number")
        while try attributeRows.step() {
            attributes.append(.init(root: Int(attributeRows.integer(0)), name: attributeRows.text(1)))
        }
        var properties: [(entity: Int, name: String, property: CatalogModel.Property)] = []
        let rows = try connection.prepare("SELECT entity, name, type, destination, is_declared FROM property")
        while try rows.step() {
            let property = CatalogModel.Property(
                type: AttributeType(rawValue: rows.text(2)) ?? .undefined, destination: rows.textIfText(3),
                isDeclared: rows.integer(4) != 0)
            properties.append((Int(rows.integer(0)), rows.text(1), property))
        }
        return CatalogModel(
            generation: generation, entities: entities, attributes: attributes, properties: properties)
    }

    /// Stores what a model has learnt.
    func store(_ additions: CatalogModel.Additions, of model: CatalogModel) throws(SQLiteError) {
        let entityRow = try connection.prepare(
            """
            INSERT INTO entity (number, name, parent, root, class_name, is_abstract, next_key)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, \(ObjectKey.firstAllottedKey))
            ON CONFLICT (number) DO UPDATE SET parent = ?3, root = ?4, class_name = ?5, is_abstract = ?6
            """)
        for number in additions.entities.sorted() {
            let entity = model.entities[number - 1]
            entityRow.bind(Int64(number), at: 1)
            entityRow.bind(entity.name, at: 2)
            entityRow.bind(entity.parent.map { Int64($0) }, at: 3)
            entityRow.bind(Int64(entity.root), at: 4)
            entityRow.bind(entity.className, at: 5)
            entityRow.bind(entity.isAbstract ? Int64(1) : 0, at: 6)
            try entityRow.run()
        }
        let attributeRow = try connection.prepare("INSERT INTO attribute (number, root, name) VALUES (?1, ?2, ?3)")
        for number in additions.attributes.sorted() {
            attributeRow.bind(Int64(number), at: 1)
            attributeRow.bind(Int64(model.attributes[number - 1].root), at: 2)
            attributeRow.bind(model.attributes[number - 1].name, at: 3)
            try attributeRow.run()
        }
        let row = try connection.prepare("INSERT OR REPLACE INTO property VALUES (?1, ?2, ?3, ?4, ?5)")
        for (entity, names) in additions.properties {
            for name in names {
                guard let property = model.properties[entity - 1][name] else { continue }
                row.bind(Int64(entity), at: 1)
                row.bind(name, at: 2)
                row.bind(property.type.rawValue, at: 3)
                row.bind(property.destination, at: 4)
                row.bind(property.isDeclared ? Int64(1) : 0, at: 5)
                try row.run()
            }
        }
    }
}
