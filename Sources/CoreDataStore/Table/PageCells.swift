/// The cells of one page, in the order of their keys.
struct Cells {
    /// Where the array of their places begins.
    let array: Int
    /// Where the page begins.
    let start: Int
    let usableSize: Int
    /// Where the key stands in a cell; nil where it comes behind the row's size.
    let keyOffset: Int?
}

extension PageCache {
    /// Where a cell is; nil where that cannot be.
    @inline(__always)
    func place(of index: Int, in cells: Cells) -> Int? {
        let offset = Int(number(at: cells.array + 2 * index, UInt16.self))
        // A cell has four bytes at least, and its two numbers are checked when they are read.
        return offset >= 8 && offset <= cells.usableSize - 4 ? cells.start + offset : nil
    }

    @inline(__always)
    func key(of index: Int, in cells: Cells) -> Int64? {
        guard var at = place(of: index, in: cells) else { return nil }
        if let offset = cells.keyOffset { at += offset } else { _ = variableNumber(at: &at) }
        return Int64(bitPattern: variableNumber(at: &at))
    }

    /// The index of the first cell whose key is not less; `count` where there is none, nil where the page is damaged.
    ///
    /// Keys mostly have even distances, so the first looks go where the key should be; then the range is halved.
    func firstNotLess(than sought: Int64, in cells: Cells, count: Int) -> Int? {
        guard cells.array + 2 * count <= cells.start + cells.usableSize else { return nil }
        guard count > 0 else { return 0 }
        guard let first = key(of: 0, in: cells), let last = key(of: count - 1, in: cells) else { return nil }
        if sought <= first { return 0 }
        if sought >= last { return sought == last ? count - 1 : count }
        // Always: the key at `low` is less, the one at `high` is not.
        var (low, high, lowKey, highKey) = (0, count - 1, first, last)
        var guesses = 3
        while high - low > 1 {
            var middle = (low + high) / 2
            if guesses > 0 {
                // Keys at the ends of their range have distances that overflow.
                let share = Double(sought &- lowKey) / Double(highKey &- lowKey)
                if share > 0, share < 1 {
                    let guess = low + Int((share * Double(high - low)).rounded(.up))
                    middle = min(max(guess, low + 1), high - 1)
                }
                guesses -= 1
            }
            guard let found = key(of: middle, in: cells) else { return nil }
            if found == sought { return middle }
            if found < sought { (low, lowKey) = (middle, found) } else { (high, highKey) = (middle, found) }
        }
        return high
    }
}

extension PageCache {
    /// A number in one to nine bytes: seven bits in each but the ninth, the highest first.
    @inline(__always)
    func variableNumber(at place: inout Int) -> UInt64 {
        let first = byte(at: place)
        place += 1
        if first < 0x80 { return UInt64(first) }
        return longNumber(UInt64(first & 0x7F), at: &place)
    }

    private func longNumber(_ first: UInt64, at place: inout Int) -> UInt64 {
        var number = first
        for _ in 1..<8 {
            let next = byte(at: place)
            place += 1
            number = number << 7 | UInt64(next & 0x7F)
            if next < 0x80 { return number }
        }
        number = number << 8 | UInt64(byte(at: place))
        place += 1
        return number
    }
}

extension Span<UInt8> {
    /// The number at a place, as `PageCache` reads it; nil where it is cut off.
    @inline(__always)
    func variableNumber(at place: inout Int) -> UInt64? {
        guard place < count else { return nil }
        let first = self[place]
        place += 1
        return first < 0x80 ? UInt64(first) : longNumber(UInt64(first & 0x7F), at: &place)
    }

    private func longNumber(_ first: UInt64, at place: inout Int) -> UInt64? {
        var number = first
        for index in 1..<9 {
            guard place < count else { return nil }
            let next = self[place]
            place += 1
            if index == 8 { return number << 8 | UInt64(next) }
            number = number << 7 | UInt64(next & 0x7F)
            if next < 0x80 { return number }
        }
        return number
    }
}
