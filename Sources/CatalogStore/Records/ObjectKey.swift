/// The key of an object in a catalog: the number of its entity's root, and its primary key within that root's objects.
///
/// Primary keys are unique among the objects of a root entity and its descendants, as in a Core Data file. `rawValue`,
/// the key of the row, is the root's number times 2^48 plus the primary key: one look-up in one index finds an object.
public struct ObjectKey: Hashable, Sendable, Comparable {
    /// The largest primary key that a store of the app may have.
    public static let largestGivenKey: Int64 = 1 << 47 - 1
    /// The first primary key that a catalog allots to items without an object: no app's store gets there.
    public static let firstAllottedKey: Int64 = 1 << 47
    /// The largest number of an entity.
    public static let largestEntityNumber = 0x7FFF

    /// The key of the row.
    public let rawValue: Int64

    /// The key of a row.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The key of an object; nil where no catalog can have it.
    public init?(root: Int, primaryKey: Int64) {
        guard (1...Self.largestEntityNumber).contains(root), (0..<1 << 48).contains(primaryKey) else { return nil }
        rawValue = Int64(root) << 48 | primaryKey
    }

    /// The number of the root entity.
    public var root: Int { Int(rawValue >> 48) }

    /// The primary key.
    public var primaryKey: Int64 { rawValue & (1 << 48 - 1) }

    /// The order of the rows.
    public static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.rawValue < right.rawValue }
}
