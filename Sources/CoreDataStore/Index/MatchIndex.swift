internal import PersistentStore

/// From the hash of what a predicate compares to the primary keys of the rows that have it: immutable once built.
///
/// An open-addressed table of 16-bit tags and keys, about 9 bytes a row while the keys fit 32 bits. A candidate is only
/// probable: the caller compares its row. Where very many rows share one value, only their number and the first key of
/// each spelling are kept.
struct MatchIndex: Sendable {
    /// Many rows of one value.
    struct Crowd: Sendable {
        var count = 0
        var firstKey: Int64
        /// The first key of each exact value, by its hash.
        var firstExact: [UInt64: Int64] = [:]
    }

    /// Rows of one value that are kept singly.
    static let maximumSingles = 8
    /// How many spellings of one value a crowd tells apart.
    private static let maximumSpellings = 100_000

    private var tags: ContiguousArray<UInt16>
    private var narrow: ContiguousArray<UInt32>
    private var wide: ContiguousArray<Int64>
    private var crowds: [UInt64: Crowd] = [:]
    private let capacity: UInt64
    /// How many rows were added.
    private(set) var count = 0

    /// Makes room for `rows` rows whose keys are at most `largestKey`.
    init(rows: Int, largestKey: Int64) {
        capacity = UInt64(rows) * 10 / 7 + 8
        let isNarrow = largestKey <= Int64(UInt32.max)
        tags = ContiguousArray(repeating: 0, count: Int(capacity))
        narrow = ContiguousArray(repeating: 0, count: isNarrow ? Int(capacity) : 0)
        wide = ContiguousArray(repeating: 0, count: isNarrow ? 0 : Int(capacity))
    }

    /// Adds a row; rows come in the order of their keys.
    ///
    /// `exact` is the hash of the value as it is spelt.
    mutating func add(_ key: Int64, hash: UInt64, exact: UInt64) {
        guard count < Int(capacity) - 1 else { return }
        if !crowds.isEmpty, crowds[hash] != nil { return join(key, hash, exact) }
        let tag = Self.tag(hash)
        var slot = home(hash)
        var equal = 0
        while tags[slot] != 0 {
            if tags[slot] == tag { equal += 1 }
            if equal >= Self.maximumSingles { return join(key, hash, exact) }
            slot = next(slot)
        }
        tags[slot] = tag
        if narrow.isEmpty { wide[slot] = key } else { narrow[slot] = UInt32(truncatingIfNeeded: key) }
        count += 1
    }

    private mutating func join(_ key: Int64, _ hash: UInt64, _ exact: UInt64) {
        var crowd = crowds.removeValue(forKey: hash) ?? Crowd(firstKey: key)
        crowd.count += 1
        if crowd.firstExact[exact] == nil, crowd.firstExact.count < Self.maximumSpellings {
            crowd.firstExact[exact] = key
        }
        crowds[hash] = crowd
    }

    /// The keys of rows that may have the value, in no order.
    func candidates(_ hash: UInt64) -> [Int64] {
        let tag = Self.tag(hash)
        var slot = home(hash)
        var keys: [Int64] = []
        while tags[slot] != 0 {
            if tags[slot] == tag { keys.append(narrow.isEmpty ? wide[slot] : Int64(narrow[slot])) }
            slot = next(slot)
        }
        return keys
    }

    /// The rows of that value beyond those that are kept singly.
    func crowd(_ hash: UInt64) -> Crowd? {
        crowds.isEmpty ? nil : crowds[hash]
    }

    /// The memory of the table, in bytes.
    var byteCount: Int { tags.count * 2 + narrow.count * 4 + wide.count * 8 }

    /// The high bits choose the place, the low ones the tag; no tag is 0.
    private static func tag(_ hash: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: hash) | 1 }

    private func home(_ hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: capacity).high) }

    private func next(_ slot: Int) -> Int { slot + 1 == tags.count ? 0 : slot + 1 }
}
