public import Items
public import PersistentStore

/// Applies item operations to a catalog; it belongs to one thread.
///
/// A batch is applied in one transaction, in the order of its operations, and is committed when `begin` or `resume`
/// says `.finished`; before that nothing of it is seen. Like look-ups, a batch may be `.pending`: the caller waits for
/// the descriptor or the deadline, and calls `resume`. At most one batch is under way at a time.
///
/// What an operation does depends only on what was applied before it and on versions, never on how operations were
/// grouped into batches:
///
/// - An item is applied where its version replaces (`ItemVersion.replaces`) that of the objects it meets, which are the
///   one of its URI and the one of its unique identifier, and outlives (`ItemVersion.outlives`) the deletions it meets:
///   of these objects, of its identifier, of its domain, of the domains above, and of everything. Otherwise it is
///   `.superseded` and changes nothing.
/// - An item replaces the attributes, the expiration date and the domain of the object that is there. One without a
///   unique identifier, as from a Core Data file, leaves identifier and domain as they are.
/// - An item without an object keeps the object that its unique identifier has, also after a deletion, or gets a new one
///   with an allotted key. An identifier that moves to another object leaves the former one deleted.
/// - A deletion leaves marks with its version and time: of each object, of identifiers that no object has, and of each
///   domain. `.deleteAll` leaves one mark for everything. Deleted objects are deleted only where the version replaces
///   theirs.
/// - An item whose object belongs to another store than the catalog is `.refused`, unless the catalog has no objects
///   yet: then the catalog takes the identifier of that store.
///
/// Applying a batch again changes nothing, if its operations have given versions.
public protocol CatalogWriter: AnyObject {
    /// Starts a batch.
    func begin(_ operations: [ItemOperation]) -> WriteProgress

    /// Goes on with a batch that was `.pending`.
    func resume() -> WriteProgress

    /// Makes what was applied safe from a loss of power, and tidies up; for `WritePurpose.bulk`, may block.
    func finish() throws(StoreError)
}

/// How far a batch of operations is.
public enum WriteProgress: Sendable {
    /// The batch is committed: what became of each operation, in their order.
    case finished([ItemOutcome])
    /// Nothing of the batch was applied; try the same operations again later.
    case failed(StoreError)
    /// Wait until `descriptor` is ready for the given events, or for the deadline; then `resume`.
    ///
    /// A descriptor of -1 means that there is nothing but the deadline to wait for.
    case pending(descriptor: Int32, forWriting: Bool, deadline: ContinuousClock.Instant)
}

/// What became of an operation.
public enum ItemOutcome: Hashable, Sendable {
    /// It was applied; the number of objects that were added, replaced or deleted.
    case applied(Int)
    /// What the catalog knows is newer: nothing was changed, and nothing needs to be done.
    case superseded
    /// It can never be applied to this catalog, for the reason in the sentence.
    case refused(String)
}
