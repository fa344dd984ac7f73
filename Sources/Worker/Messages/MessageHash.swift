/// A 128-bit hash (MurmurHash3, x64 variant) of several byte strings, the same on every machine and in every version.
///
/// It names answers to requests that have no message_id: a redelivered request must get the same name after a restart.
/// It is no protection against somebody who looks for collisions, and need not be: who can publish requests can repeat
/// a message_id as well.
struct MessageHash {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var byteCount: UInt64 = 0

    private static let c1: UInt64 = 0x87c3_7b91_1142_53d5
    private static let c2: UInt64 = 0x4cf5_ad43_2745_937f

    /// Adds a byte string; its length is part of the hash, so parts cannot run into one another.
    mutating func add(_ part: Span<UInt8>) {
        mix(UInt64(part.count), 0)
        var index = 0
        while index + 16 <= part.count {
            mix(Self.word(part, index), Self.word(part, index + 8))
            index += 16
        }
        guard index < part.count else { return }
        var tail: (UInt64, UInt64) = (0, 0)
        for offset in 0..<part.count - index {
            let byte = UInt64(part[index + offset])
            if offset < 8 { tail.0 |= byte << (8 * UInt64(offset)) } else { tail.1 |= byte << (8 * UInt64(offset - 8)) }
        }
        mix(tail.0, tail.1)
    }

    /// Adds a number.
    mutating func add(_ number: UInt64) { mix(number, 1) }

    /// The 32 hexadecimal digits.
    consuming func digits() -> [UInt8] {
        first ^= byteCount
        second ^= byteCount
        first &+= second
        second &+= first
        first = Self.finish(first)
        second = Self.finish(second)
        first &+= second
        second &+= first
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for word in [first, second] {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
                digits.append(digit < 10 ? digit + 48 : digit + 87)
            }
        }
        return digits
    }

    private static func word(_ part: Span<UInt8>, _ index: Int) -> UInt64 {
        UInt64(littleEndian: unsafe part.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    private mutating func mix(_ low: UInt64, _ high: UInt64) {
        byteCount &+= 16
        var k1 = low &* Self.c1
        k1 = Self.rotated(k1, 31) &* Self.c2
        first ^= k1
        first = (Self.rotated(first, 27) &+ second) &* 5 &+ 0x52dc_e729
        var k2 = high &* Self.c2
        k2 = Self.rotated(k2, 33) &* Self.c1
        second ^= k2
        second = (Self.rotated(second, 31) &+ first) &* 5 &+ 0x3849_5ab5
    }

    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }

    private static func finish(_ word: UInt64) -> UInt64 {
        var word = word
        word ^= word >> 33
        word &*= 0xff51_afd7_ed55_8ccd
        word ^= word >> 33
        word &*= 0xc4ce_b9fe_1a85_ec53
        return word ^ word >> 33
    }
}
