/// The schema of catalogs, the same in SQLite and PostgreSQL.
///
///     catalog            one row
///       version          the version of the schema
///       identifier       the store identifier: a UUID made with the catalog, or the first store's that came in
///       generation       counts the changes of entity, attribute and property, and of identifier
///       deleted_version  the version of the last deletion of everything, or null
///     entity             number, name (unique), parent (number or null), root (number), class_name, is_abstract,
///                        next_key: the next primary key to allot below this root
///     attribute          number, root, name; (root, name) is unique
///     property           entity, name, type (Core Data's name of it), destination, is_declared; key (entity, name)
///     object             id (ObjectKey.rawValue, the key), entity, unique_identifier (unique where not null),
///                        domain_identifier, version, expires, deleted, attributes: see ObjectRow.
///                        Indexes on domain_identifier, where not null and not deleted, compared as bytes;
///                        on expires, where not null and not deleted; on deleted, where not null
///     match              attribute, hash, object, entity, exact, expires: see MatchRow; key (attribute, hash, object)
///     identifier_deletion  unique_identifier (key), version, deleted: marks of identifiers that no object has
///     domain_deletion      domain_identifier (key), version, deleted
///
/// All names and texts are compared as bytes (the collation C). Times are doubles, in seconds since
/// 2001-01-01T00:00:00Z. Versions of the schema grow by one; a migration leads from each to the next, forward only, in
/// one transaction and under a lock that keeps other processes out.
public enum CatalogSchema {
    /// The version that this program reads and writes.
    public static let version = 1
    /// How long the marks of deletions are kept, in seconds: 30 days.
    ///
    /// A message that comes later may bring old data back.
    public static let markLifetime: Double = 30 * 86_400
    /// How many expired objects and old marks a writer removes with each batch, at most.
    public static let housekeepingCount = 256
}
