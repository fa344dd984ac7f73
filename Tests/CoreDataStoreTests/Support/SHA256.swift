/// SHA-256, to compare bytes with the digests in the table of expected values.
enum SHA256 {
    /// The digest in lower-case hexadecimal digits.
    static func digest(_ message: [UInt8]) -> String {
        var state = initial
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> (UInt64($0) * 8)) }
        for block in stride(from: 0, to: padded.count, by: 64) { mix(padded[block..<block + 64], into: &state) }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The first 32 bits of the fractional parts of roots of the first primes.
    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
    private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    private static let constants = primes.prefix(64).map { cubeRootFraction($0) }

    private static func fraction(_ root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    /// Exact, by whole numbers: a double's cube root is a bit short.
    private static func cubeRootFraction(_ prime: Int) -> UInt32 {
        let whole = (1...7).last { $0 * $0 * $0 <= prime } ?? 1
        var fraction: UInt64 = 0
        for bit in (0..<32).reversed() {
            let candidate = fraction | 1 << UInt64(bit)
            let root = UInt64(whole) << 32 | candidate
            if isCube(root, atMost: UInt64(prime)) { fraction = candidate }
        }
        return UInt32(fraction)
    }

    /// Whether (root / 2^32)^3 <= bound.
    private static func isCube(_ root: UInt64, atMost bound: UInt64) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        let low = square.low.multipliedFullWidth(by: root)
        let high = square.high.multipliedFullWidth(by: root)
        let middle = high.low.addingReportingOverflow(low.high)
        let top = high.high + (middle.overflow ? 1 : 0)
        // The cube has 96 binary places: its whole part begins at bit 32 of the middle word.
        return top == 0 && middle.partialValue >> 32 < bound
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let first = a.rotated(7) ^ a.rotated(18) ^ a >> 3
            let second = b.rotated(17) ^ b.rotated(19) ^ b >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var s = state
        for index in 0..<64 {
            let sum = s[4].rotated(6) ^ s[4].rotated(11) ^ s[4].rotated(25)
            let choice = s[4] & s[5] ^ ~s[4] & s[6]
            let first = s[7] &+ sum &+ choice &+ constants[index] &+ words[index]
            let other = s[0].rotated(2) ^ s[0].rotated(13) ^ s[0].rotated(22)
            let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
            s = [first &+ other &+ majority, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
        }
        state = zip(state, s).map { $0 &+ $1 }
    }
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
