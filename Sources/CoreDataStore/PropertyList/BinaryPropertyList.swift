/// A binary property list whose objects are read by their index, one at a time, and never expanded.
///
/// A hostile list can name one object a million times or in a cycle; reading by index costs what is really looked at,
/// and `budget` bounds even that.
final class BinaryPropertyList {
    /// Why a list cannot be read.
    enum Failure: Error {
        /// The bytes are not a binary property list, or contradict themselves.
        case damaged
        /// More would have to be looked at than any real list needs.
        case tooLarge
    }

    /// One object; containers hold the indexes of their members.
    enum Object {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case date(Double)
        case data(Range<Int>)
        case string(String)
        case reference(Int)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    /// The most that is looked at in one list: objects, members of containers, and 16 bytes of text or data each.
    private static let maximumWork = 8_000_000

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let indexSize: Int
    private let tableStart: Int
    private var budget = maximumWork

    /// How many objects the list has.
    let count: Int
    /// The index of the outermost object.
    let top: Int

    /// Reads the trailer; objects are read later.
    init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count >= 40, bytes.starts(with: Array("bplist0".utf8)) else { throw .damaged }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        indexSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(indexSize),
            let count = Self.integer(bytes[trailer + 8..<trailer + 16]),
            let top = Self.integer(bytes[trailer + 16..<trailer + 24]),
            let start = Self.integer(bytes[trailer + 24..<trailer + 32]),
            count > 0, top < count, start >= 8, start < trailer, count <= (trailer - start) / offsetSize
        else { throw .damaged }
        self.bytes = bytes
        self.count = count
        self.top = top
        self.tableStart = start
    }

    /// The object of that index.
    func object(at index: Int) throws(Failure) -> Object {
        guard index >= 0, index < count else { throw .damaged }
        try spend(1)
        let entry = tableStart + index * offsetSize
        guard let offset = Self.integer(bytes[entry..<entry + offsetSize]), offset >= 8, offset < tableStart
        else { throw .damaged }
        let marker = bytes[offset]
        let low = Int(marker & 0x0f)
        switch marker >> 4 {
        case 0x0: return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .null
        case 0x1: return .integer(try wholeNumber(at: offset + 1, size: 1 << low))
        case 0x2: return .real(try real(at: offset + 1, size: 1 << low))
        case 0x3: return .date(try real(at: offset + 1, size: 8))
        case 0x4: return .data(try payload(at: offset, low: low, unit: 1))
        case 0x5: return .string(String(decoding: bytes[try payload(at: offset, low: low, unit: 1)], as: UTF8.self))
        case 0x6: return .string(try utf16(in: payload(at: offset, low: low, unit: 2)))
        case 0x7: return .string(String(decoding: bytes[try payload(at: offset, low: low, unit: 1)], as: UTF8.self))
        case 0x8:
            guard let value = Self.integer(try slice(offset + 1, low + 1)) else { throw .damaged }
            return .reference(value)
        case 0xa, 0xb, 0xc: return .array(try members(of: payload(at: offset, low: low, unit: indexSize)))
        case 0xd:
            let all = try members(of: payload(at: offset, low: low, unit: indexSize * 2))
            return .dictionary(keys: Array(all[..<(all.count / 2)]), values: Array(all[(all.count / 2)...]))
        default: throw .damaged
        }
    }

    /// The bytes of a `.data` object.
    func data(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Where the content of an object of `count` units lies, after its marker and length.
    private func payload(at offset: Int, low: Int, unit: Int) throws(Failure) -> Range<Int> {
        var start = offset + 1
        var length = low
        if low == 0x0f {
            guard start < tableStart, bytes[start] >> 4 == 1 else { throw .damaged }
            let size = 1 << Int(bytes[start] & 0x0f)
            guard size <= 8, let read = Self.integer(try slice(start + 1, size)) else { throw .damaged }
            length = read
            start += 1 + size
        }
        guard length <= (tableStart - start) / unit, start <= tableStart else { throw .damaged }
        try spend(length / 16)
        return start..<start + length * unit
    }

    private func members(of range: Range<Int>) throws(Failure) -> [Int] {
        let count = range.count / indexSize
        try spend(count)
        var members: [Int] = []
        members.reserveCapacity(count)
        for position in stride(from: range.lowerBound, to: range.upperBound, by: indexSize) {
            guard let index = Self.integer(bytes[position..<position + indexSize]), index < self.count
            else { throw .damaged }
            members.append(index)
        }
        return members
    }

    private func utf16(in range: Range<Int>) -> String {
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Integers of up to 4 bytes are unsigned, longer ones signed; of 16 bytes the low 8 count.
    private func wholeNumber(at offset: Int, size: Int) throws(Failure) -> Int64 {
        guard size <= 16 else { throw .damaged }
        return Int64(truncatingIfNeeded: try slice(offset, size).suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    private func real(at offset: Int, size: Int) throws(Failure) -> Double {
        let bits = try slice(offset, size).suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 8: return Double(bitPattern: bits)
        default: throw .damaged
        }
    }

    private func slice(_ start: Int, _ length: Int) throws(Failure) -> ArraySlice<UInt8> {
        guard start + length <= tableStart else { throw .damaged }
        return bytes[start..<start + length]
    }

    private func spend(_ work: Int) throws(Failure) {
        budget -= work
        if budget < 0 { throw .tooLarge }
    }

    /// A big-endian number; nil where it does not fit an Int.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value: UInt64 = 0
        for byte in bytes {
            guard value >> 56 == 0 else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(exactly: value)
    }
}
