internal import PersistentStore

/// The answers to the last look-ups of one state of a store; it never outlives that state.
///
/// Each key has two places, the newer answer in the first. A worker's traffic is about a few popular objects, and a hit
/// costs a tenth of a query.
struct ResultCache<Key: Equatable> {
    /// How many pairs of places there are, a power of two.
    private static var pairs: Int { 4096 }

    private var keys: ContiguousArray<Key>
    private var results: ContiguousArray<LookupResult>

    /// Makes an empty cache; `empty` is a key that is never looked up.
    init(empty: Key) {
        keys = ContiguousArray(repeating: empty, count: Self.pairs * 2)
        results = ContiguousArray(repeating: .deferred, count: Self.pairs * 2)
    }

    /// The kept answer.
    @inline(__always)
    func result(_ key: Key, hash: UInt64) -> LookupResult? {
        let place = Self.place(hash)
        if keys[place] == key { return results[place] }
        if keys[place + 1] == key { return results[place + 1] }
        return nil
    }

    /// Keeps an answer in place of the older of two.
    mutating func keep(_ result: LookupResult, _ key: Key, hash: UInt64) {
        let place = Self.place(hash)
        keys.swapAt(place, place + 1)
        results.swapAt(place, place + 1)
        keys[place] = key
        results[place] = result
    }

    @inline(__always)
    private static func place(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &* 0x9e37_79b9_7f4a_7c15) >> 52) &* 2
    }
}
