internal import PersistentStore

/// Finds the activity rules of a type without looking at the others.
///
/// Types compare byte for byte. An open hash table over the types' UTF-8.
struct ActivityRuleIndex: Sendable {
    private struct Entry: Sendable {
        let type: String
        var rules: [Int]
    }

    private var entries: [Entry] = []
    /// Indexes into `entries`, or -1; the count is a power of two.
    private var slots: [Int]

    init(_ rules: [ActivityRule]) {
        var size = 8
        while size < rules.count * 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        for (index, rule) in rules.enumerated() {
            let slot = slot(of: rule.activityType.utf8Span.span)
            if slots[slot] < 0 {
                slots[slot] = entries.count
                entries.append(Entry(type: rule.activityType, rules: [index]))
            } else {
                entries[slots[slot]].rules.append(index)
            }
        }
    }

    /// The indexes of the rules of a type, by its UTF-8, in the order of the configuration.
    func rules(of type: Span<UInt8>) -> [Int] {
        let slot = slots[slot(of: type)]
        return slot < 0 ? [] : entries[slot].rules
    }

    /// The slot that holds the type, or the free one where it belongs.
    private func slot(of bytes: Span<UInt8>) -> Int {
        var slot = Int(truncatingIfNeeded: Self.hash(bytes)) & (slots.count - 1)
        while slots[slot] >= 0, !bytes.hasBytes(entries[slots[slot]].type.utf8Span.span) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    /// From the length and the last bytes, in which types differ: they begin with the same domain.
    private static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash = UInt64(bytes.count)
        for index in max(0, bytes.count - 8)..<bytes.count { hash = hash &* 31 &+ UInt64(bytes[index]) }
        return (hash &* 0x9E37_79B9_7F4A_7C15) >> 32
    }
}
