/// An IPv4 address as hosts write it: up to four numbers, each decimal, octal (`0...`) or hexadecimal (`0x...`).
struct IPv4Address {
    private let value: UInt32

    /// Whether a host is meant as an address: its last label is a number.
    static func endsInNumber(_ host: [UInt8]) -> Bool {
        guard let last = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last else {
            return false
        }
        if !last.isEmpty, last.allSatisfy(\.isASCIIDigit) { return true }
        return number(last) != nil
    }

    init?(_ host: [UInt8]) {
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard let number = Self.number(part) else { return nil }
            numbers.append(number)
        }
        // The last number fills all bytes that are left.
        let last = numbers.removeLast()
        guard numbers.allSatisfy({ $0 <= 255 }), last < 1 << UInt64(8 * (4 - numbers.count)) else { return nil }
        var value = UInt32(last)
        for (index, number) in numbers.enumerated() { value += UInt32(number) << UInt32(8 * (3 - index)) }
        self.value = value
    }

    /// The usual form, `192.0.2.1`.
    var dotted: [UInt8] {
        Array([24, 16, 8, 0].map { String(value >> UInt32($0) & 255) }.joined(separator: ".").utf8)
    }

    private static func number(_ part: ArraySlice<UInt8>) -> UInt64? {
        var digits = part
        var radix: UInt64 = 10
        if part.count >= 2, part.first == UInt8(ascii: "0") {
            radix = part[part.startIndex + 1].asciiLowercased == UInt8(ascii: "x") ? 16 : 8
            digits = digits.dropFirst(radix == 16 ? 2 : 1)
        }
        guard !part.isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = PercentDecoding.hexadecimal(byte), UInt64(digit) < radix else { return nil }
            // Beyond 32 bits it is too large, however long it is.
            value = min(value * radix + UInt64(digit), 1 << 40)
        }
        return value
    }
}

/// An IPv6 address as hosts write it, between brackets.
struct IPv6Address {
    private let pieces: [UInt16]

    init?(_ text: Span<UInt8>) {
        var bytes: [UInt8] = []
        for index in text.indices { bytes.append(text[index]) }
        let halves = Self.halves(bytes)
        guard halves.count <= 2 else { return nil }
        var read: [[UInt16]] = []
        for (index, half) in halves.enumerated() {
            guard let pieces = Self.pieces(half, mayEndInIPv4: index == halves.count - 1) else { return nil }
            read.append(pieces)
        }
        let count = read.reduce(0) { $0 + $1.count }
        guard halves.count == 1 ? count == 8 : count <= 7 else { return nil }
        pieces = read[0] + Array(repeating: 0, count: 8 - count) + (halves.count == 2 ? read[1] : [])
    }

    /// The parts before and after `::`.
    private static func halves(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var halves: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: ":") {
                halves.append(bytes[start..<index])
                index += 2
                start = index
            } else {
                index += 1
            }
        }
        return halves + [bytes[start...]]
    }

    private static func pieces(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var pieces: [UInt16] = []
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard mayEndInIPv4, let pair = dotted(part) else { return nil }
                return pieces + pair
            }
            guard (1...4).contains(part.count) else { return nil }
            var value: UInt16 = 0
            for byte in part {
                guard let digit = PercentDecoding.hexadecimal(byte) else { return nil }
                value = value << 4 | UInt16(digit)
            }
            pieces.append(value)
        }
        return pieces
    }

    /// An IPv4 address at the end: exactly four decimal numbers.
    private static func dotted(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt16] = []
        for part in parts {
            guard part.allSatisfy(\.isASCIIDigit), part.count == 1 || part.first != UInt8(ascii: "0"),
                let number = UInt8(String(decoding: part, as: UTF8.self))
            else { return nil }
            bytes.append(UInt16(number))
        }
        return [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
    }

    /// The usual form, with the longest run of at least two zeros as `::`, in brackets.
    var bracketed: [UInt8] {
        var run = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || pieces[index] != 0 {
            if index - start > max(run.count, 1) { run = start..<index }
            start = index + 1
        }
        func text(_ range: Range<Int>) -> String {
            pieces[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        let address = run.isEmpty ? text(0..<8) : text(0..<run.lowerBound) + "::" + text(run.upperBound..<8)
        return Array("[\(address)]".utf8)
    }
}
