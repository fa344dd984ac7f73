public import Items
public import PersistentStore

/// A catalog that is open: what its readers and writers, each for one thread, have in common.
///
/// A catalog holds objects that came as items or from a Core Data file. It is a persistent store of its own kind: it has
/// one store identifier, and its objects have the URIs that they have in the app's store.
public protocol Catalog: AnyObject, Sendable {
    /// The catalog's URL without secrets, for messages.
    var location: String { get }

    /// A reader for the calling thread.
    ///
    /// Throws where the catalog cannot be reached or is of a newer version; a reader over a network may put that off to
    /// its first batch, which is then answered `.unavailable`.
    func makeReader() throws(StoreError) -> any CatalogReader

    /// A writer for the calling thread.
    func makeWriter(for purpose: WritePurpose) throws(StoreError) -> any CatalogWriter
}

/// What a writer is for.
public enum WritePurpose: Sendable {
    /// Items that are acknowledged to their sender when they are committed: a commit survives a loss of power.
    case items
    /// Large batches from files, which are read again after a loss of power: only `finish` makes them safe.
    case bulk
}

/// A reader of a catalog, for one thread.
///
/// Every batch of look-ups sees one state of the catalog, which is the latest one when the batch begins: what was
/// committed before is seen, without a wait. Deleted objects and those past their expiration date are not found, in
/// look-ups by key and by predicate.
///
/// In predicates and plans the names `uniqueIdentifier` and `domainIdentifier` mean the item's own, for every entity;
/// where an object has none, an attribute of that name is taken.
///
/// The three functions below are for commands, not for the worker's loop: they may block.
public protocol CatalogReader: PersistentStore, ObjectReading {
    /// What the catalog is and holds.
    func describe() throws(StoreError) -> CatalogDescription

    /// A page of the objects that can be found, in the order of their keys, after the one of the key `after`.
    ///
    /// Each page is of one state. The last page is empty.
    func items(after: ObjectKey?, limit: Int) throws(StoreError) -> ItemPage
}

/// A page of a catalog's objects.
public struct ItemPage: Sendable {
    /// The objects as items, which have their URIs.
    public var items: [Item]
    /// The key of the last object that was looked at; nil at the end.
    public var last: ObjectKey?

    /// Makes a page.
    public init(items: [Item], last: ObjectKey?) {
        self.items = items
        self.last = last
    }
}

/// What a catalog is and holds.
public struct CatalogDescription: Sendable {
    /// The store identifier.
    public var identifier: String
    /// The version of the schema.
    public var schemaVersion: Int
    /// The entities with their attributes.
    public var model: CatalogModel
    /// How many objects of just that entity can be found, by the entity's number.
    public var objectCounts: [Int: Int]
    /// How many objects are past their expiration date.
    public var expiredCount: Int
    /// How many marks of deleted objects and identifiers are kept.
    public var deletedCount: Int

    /// Makes a description.
    public init(
        identifier: String, schemaVersion: Int, model: CatalogModel, objectCounts: [Int: Int], expiredCount: Int,
        deletedCount: Int
    ) {
        self.identifier = identifier
        self.schemaVersion = schemaVersion
        self.model = model
        self.objectCounts = objectCounts
        self.expiredCount = expiredCount
        self.deletedCount = deletedCount
    }
}
