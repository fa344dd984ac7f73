internal import PersistentStore

/// The answers to the last look-ups of one state of a store; it never outlives that state.
///
/// Each key has one place. A worker's traffic is about a few popular objects, and a hit costs a tenth of a query.
struct ResultCache<Key: Equatable> {
    private struct Entry {
        let key: Key
        let result: LookupResult
    }

    /// How many answers are kept, a power of two.
    static var capacity: Int { 4096 }

    private var entries = ContiguousArray<Entry?>(repeating: nil, count: capacity)

    /// The kept answer.
    @inline(__always)
    func result(_ key: Key, hash: UInt64) -> LookupResult? {
        let entry = entries[place(hash)]
        guard let entry, entry.key == key else { return nil }
        return entry.result
    }

    /// Keeps an answer in place of what was there.
    mutating func keep(_ result: LookupResult, _ key: Key, hash: UInt64) {
        entries[place(hash)] = Entry(key: key, result: result)
    }

    @inline(__always)
    private func place(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &* 0x9e37_79b9_7f4a_7c15) >> 52)
    }
}
