internal import Foundation
public import PersistentStore

/// Hashes of values for the table `match`, the same on every machine and for ever.
///
/// Equal values have equal hashes, whatever folding they are equal under: the hash is of the value with case and
/// diacritics folded, in Unicode's composed normal form.
public enum MatchHash {
    /// The folding that all others refine.
    static let folding = TextFolding(case: true, diacritics: true)

    /// The hash of a key that was made with case and diacritics folded (`MatchHash.foldedKey`).
    public static func folded(_ key: MatchKey) -> Int64 { Int64(bitPattern: hash(key)) }

    /// A 32-bit hash of a key that was made without folding.
    public static func exact(_ key: MatchKey) -> Int64 { Int64(hash(key) >> 32) }

    private static func hash(_ key: MatchKey) -> UInt64 {
        var hasher = SipHash()
        switch key {
        case .null: return 0
        case .integer(let number): hasher.combine(tag: 1, UInt64(bitPattern: number))
        case .number(let number): hasher.combine(tag: 2, number.bitPattern)
        // Both zeros are one point in time.
        case .date(let seconds): hasher.combine(tag: 3, (seconds == 0 ? 0 : seconds).bitPattern)
        case .uuid(let uuid): hasher.combine(tag: 4, text: uuid.uuidString)
        case .text(let text): hasher.combine(tag: 5, text: normalized(text))
        }
        return hasher.finish()
    }

    private static func normalized(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
}

/// SipHash-1-3 with a fixed key: short inputs cost little, and nobody finds many values of one hash by chance.
private struct SipHash {
    private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64) = (
        0x736f_6d65_7073_6575, 0x646f_7261_6e64_6f6d, 0x6c79_6765_6e65_7261, 0x7465_6462_7974_6573
    )
    private var tail: UInt64 = 0
    private var count = 0

    mutating func combine(tag: UInt8, _ number: UInt64) {
        put(tag)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { put(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func combine(tag: UInt8, text: String) {
        put(tag)
        for byte in text.utf8 { put(byte) }
    }

    private mutating func put(_ byte: UInt8) {
        tail |= UInt64(byte) << UInt64((count & 7) * 8)
        count += 1
        if count & 7 == 0 {
            mix(tail)
            tail = 0
        }
    }

    private mutating func mix(_ word: UInt64) {
        v3 ^= word
        round()
        v0 ^= word
    }

    private mutating func round() {
        v0 &+= v1
        v1 = v1.rotated(13) ^ v0
        v0 = v0.rotated(32)
        v2 &+= v3
        v3 = v3.rotated(16) ^ v2
        v0 &+= v3
        v3 = v3.rotated(21) ^ v0
        v2 &+= v1
        v1 = v1.rotated(17) ^ v2
        v2 = v2.rotated(32)
    }

    mutating func finish() -> UInt64 {
        mix(tail | UInt64(truncatingIfNeeded: count) << 56)
        v2 ^= 0xff
        for _ in 0..<3 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }
}

extension UInt64 {
    fileprivate func rotated(_ count: UInt64) -> UInt64 { self << count | self >> (64 - count) }
}
