internal import PersistentStore
internal import PostgreSQL

/// The small tables of a catalog as they were read last: its own row, and its model.
struct CatalogState {
    /// The columns of the table `catalog` that tell whether the rest has changed.
    static let headerColumns = "version, identifier, generation, deleted_version"

    /// The row of the table `catalog`.
    struct Header: Equatable {
        var version = CatalogSchema.version
        var identifier = ""
        var generation: Int64 = -1
        var deletedVersion: Int64?

        init() {}

        /// Reads the header columns, of which the first is the one given; nil without a row.
        init?(_ result: ServerResult, row: Int = 0, column: Int = 0) {
            guard row < result.rowCount else { return nil }
            version = Int(result.integer(row, column))
            identifier = result.text(row, column + 1) ?? ""
            generation = result.integer(row, column + 2)
            deletedVersion = result.isNull(row, column + 3) ? nil : result.integer(row, column + 3)
        }

        /// Whether the model that belongs to the other header is still the catalog's.
        func hasModel(of other: Header) -> Bool { generation == other.generation && identifier == other.identifier }
    }

    var header = Header()
    var model = CatalogModel()

    /// The state before anything was read.
    init() {}

    /// Reads the answers to `statements`.
    ///
    /// The header is read first, so that a model which was changed meanwhile is read again.
    init?(_ results: ArraySlice<ServerResult>) {
        let results = Array(results)
        guard results.count == Self.statements.count, let header = Header(results[0]) else { return nil }
        self.header = header
        let entities = (0..<results[1].rowCount).map { row in
            CatalogModel.Entity(
                name: results[1].text(row, 0) ?? "",
                parent: results[1].isNull(row, 1) ? nil : Int(results[1].integer(row, 1)),
                root: Int(results[1].integer(row, 2)), className: results[1].text(row, 3),
                isAbstract: results[1].boolean(row, 4))
        }
        let attributes = (0..<results[2].rowCount).map { row in
            CatalogModel.Attribute(root: Int(results[2].integer(row, 0)), name: results[2].text(row, 1) ?? "")
        }
        let properties = (0..<results[3].rowCount).map { row in
            (
                entity: Int(results[3].integer(row, 0)), name: results[3].text(row, 1) ?? "",
                property: CatalogModel.Property(
                    type: results[3].text(row, 2).flatMap(AttributeType.init(rawValue:)) ?? .undefined,
                    destination: results[3].text(row, 3), isDeclared: results[3].boolean(row, 4))
            )
        }
        model = CatalogModel(
            generation: header.generation, entities: entities, attributes: attributes, properties: properties)
    }

    /// What reads it.
    static let statements = [
        Statement("SELECT \(headerColumns) FROM deeplink.catalog"),
        Statement("SELECT name, parent, root, class_name, is_abstract FROM deeplink.entity ORDER BY number"),
        Statement("SELECT root, name FROM deeplink.attribute ORDER BY number"),
        Statement("SELECT entity, name, type, destination, is_declared FROM deeplink.property"),
    ]
}
