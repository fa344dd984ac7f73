internal import Foundation
public import PersistentStore

/// Hashes of values for the table `match`, the same on every machine and for ever.
///
/// Equal values have equal hashes, whatever folding they are equal under. Of text, therefore, the hash is of a coarse
/// form, in which it has neither case nor marks; `forms` tells what has the same coarse form apart.
public enum MatchHash {
    /// The column `hash`: of a key that was made without folding.
    public static func hash(_ key: MatchKey) -> Int64 {
        if case .text(let text) = key {
            return Int64(bitPattern: hash(.text(CoarseText.form(text)), normalizing: false))
        }
        return Int64(bitPattern: hash(key, normalizing: false))
    }

    /// The column `exact`: 32 bits of the key with case and diacritics folded, above 32 bits of the key without folding.
    public static func exact(_ key: MatchKey, folded: MatchKey) -> Int64 {
        let low = hash(key, normalizing: true) >> 32
        let high = folded == key ? low : hash(folded, normalizing: true) >> 32
        return Int64(bitPattern: high << 32 | low)
    }

    /// The columns `hash` and `exact` of a key that was made without folding; `folded` has case and diacritics folded.
    public static func columns(_ key: MatchKey, folded: MatchKey) -> (hash: Int64, exact: Int64) {
        guard case .text(let text) = key, case .text = folded, text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return (hash(key), exact(key, folded: folded))
        }
        // Of ASCII the coarse form is the folded one, and is hashed once.
        let coarse = hash(folded, normalizing: false)
        let plain = folded == key ? coarse : hash(key, normalizing: false)
        return (Int64(bitPattern: coarse), Int64(bitPattern: (coarse >> 32) << 32 | plain >> 32))
    }

    /// What the column `exact` is of values that equal one when case and diacritics are folded; `exact` is that value's.
    public static func foldedForms(_ exact: Int64) -> ClosedRange<Int64> {
        (exact & ~0xFFFF_FFFF)...(exact | 0xFFFF_FFFF)
    }

    private static func hash(_ key: MatchKey, normalizing: Bool) -> UInt64 {
        var hasher = SipHash()
        switch key {
        case .null: return 0
        case .integer(let number): hasher.combine(tag: 1, UInt64(bitPattern: number))
        case .number(let number): hasher.combine(tag: 2, number.bitPattern)
        // Both zeros are one point in time.
        case .date(let seconds): hasher.combine(tag: 3, (seconds == 0 ? 0 : seconds).bitPattern)
        case .uuid(let uuid): hasher.combine(tag: 4, text: uuid.uuidString)
        case .text(let text): hasher.combine(tag: 5, text: normalizing ? normalized(text) : text)
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
        let bytes = text.utf8Span.span
        for index in bytes.indices { put(bytes[index]) }
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
