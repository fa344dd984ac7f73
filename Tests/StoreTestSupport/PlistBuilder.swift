/// Writes binary property lists, also such as no framework would write.
package struct PlistBuilder {
    private var objects: [[UInt8]] = []
    /// Bytes of an object's index.
    package let indexSize: Int

    package init(indexSize: Int = 2) { self.indexSize = indexSize }

    package var count: Int { objects.count }

    /// Reserves an object to be filled in later.
    package mutating func reserve() -> Int {
        objects.append([])
        return objects.count - 1
    }

    package mutating func raw(_ bytes: [UInt8], at index: Int? = nil) -> Int {
        guard let index else {
            objects.append(bytes)
            return objects.count - 1
        }
        objects[index] = bytes
        return index
    }

    package mutating func string(_ text: String) -> Int {
        let isASCII = text.utf8.allSatisfy { $0 < 128 }
        let bytes = isASCII ? Array(text.utf8) : text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return raw(marker(isASCII ? 0x50 : 0x60, isASCII ? bytes.count : bytes.count / 2) + bytes)
    }

    package mutating func integer(_ number: Int64) -> Int { raw([0x13] + bigEndian(Int(number), 8)) }
    package mutating func boolean(_ flag: Bool) -> Int { raw([flag ? 9 : 8]) }
    package mutating func data(_ bytes: [UInt8]) -> Int { raw(marker(0x40, bytes.count) + bytes) }
    package mutating func reference(_ number: Int) -> Int { raw([0x81] + bigEndian(number, 2)) }

    package mutating func array(_ members: [Int], at index: Int? = nil) -> Int {
        raw(marker(0xa0, members.count) + members.flatMap { bigEndian($0, indexSize) }, at: index)
    }

    package mutating func dictionary(_ members: [(Int, Int)], at index: Int? = nil) -> Int {
        let all = members.map(\.0) + members.map(\.1)
        return raw(marker(0xd0, members.count) + all.flatMap { bigEndian($0, indexSize) }, at: index)
    }

    package mutating func dictionary(_ members: [String: Int]) -> Int {
        let pairs = members.sorted { $0.key < $1.key }.map { (string($0.key), $0.value) }
        return dictionary(pairs)
    }

    /// The whole list with that outermost object.
    package func bytes(top: Int) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += bigEndian(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, UInt8(indexSize)]
        return bytes + bigEndian(objects.count, 8) + bigEndian(top, 8) + bigEndian(table, 8)
    }

    private func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 15, 0x12] + bigEndian(count, 4)
    }
}

/// A number as bytes, the most significant first.
package func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}
