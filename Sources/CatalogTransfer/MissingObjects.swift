public import CatalogStore
public import Items
public import PersistentStore

/// The objects of a catalog that an imported file no longer has, as deletions.
///
/// An import gives every object of the file the file's version. What is of an imported entity, has a key of the app's
/// store and an older version was in an earlier state of the file, and is not in this one.
public struct MissingObjects {
    private let reader: any CatalogReader
    private let entities: Set<String>
    private let version: ItemVersion
    private var key: ObjectKey?

    /// Looks for objects of just these entities; everything of the file must be committed.
    public init(_ reader: any CatalogReader, entities: Set<String>, version: ItemVersion) {
        self.reader = reader
        self.entities = entities
        self.version = version
    }

    /// The next deletion, after looking at so many objects or more; nil at the end.
    public mutating func next(_ count: Int) throws(StoreError) -> ItemOperation? {
        while true {
            let page = try reader.items(after: key, limit: count)
            guard let last = page.last else { return nil }
            key = last
            let missing = page.items.filter { isMissing($0) }.compactMap { $0.object?.description }
            if !missing.isEmpty { return .deleteIdentifiers(missing, version) }
        }
    }

    private func isMissing(_ item: Item) -> Bool {
        guard case .permanent(let primaryKey)? = item.object?.key else { return false }
        return primaryKey < ObjectKey.firstAllottedKey && version.replaces(item.version.number)
            && entities.contains(item.entity)
    }
}
