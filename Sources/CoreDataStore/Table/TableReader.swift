internal import SQLite

/// Reads rows of a table by their key straight from the pages of its B-tree, by SQLite's documentation of its file format.
///
/// SQLite takes several times as long. It has the last word: what is not plain (a row in several pages, one that is shorter
/// than the table, a damaged page) counts as not found here, and so does a key that has no row.
final class TableReader {

    /// A value of the current row: its type, and where it is.
    private struct Field {
        var type: UInt64 = 0
        var place = 0
    }

    /// The types of pages.
    private static let interior: UInt8 = 5
    private static let leaf: UInt8 = 13
    /// No table is as deep as this.
    private static let depthMax = 20

    private let pages: PageCache
    private let root: UInt32
    /// What a page holds beside the reserved bytes at its end.
    private let usableSize: Int
    /// The position among a row's values of each column that is read.
    private let positions: [Int]
    /// Whether a column's whole numbers are kept as integers but are real.
    private let areReal: [Bool]
    /// The indexes of the columns in the order of their positions.
    private let order: [Int]
    private var fields: [Field]

    /// Prepares to read columns; nil where one is not among the rows' values.
    init?(_ table: TableFormat, columns: [String], pages: PageCache, reservedSize: Int) {
        self.pages = pages
        root = table.root
        usableSize = pages.pageSize - reservedSize
        var found: [(position: Int, isReal: Bool)] = []
        for column in columns {
            guard let position = table.columns.firstIndex(where: { $0.name == column }) else { return nil }
            guard !table.columns[position].isKey else { return nil }
            found.append((position, table.columns[position].isReal))
        }
        positions = found.map(\.position)
        areReal = found.map(\.isReal)
        fields = Array(repeating: Field(), count: columns.count)
        order = found.indices.sorted { found[$0].position < found[$1].position }
    }
}

// MARK: - Finding

extension TableReader {
    /// Goes to the row of a key; false where it is not found here.
    ///
    /// Its values can be read until another row of the file is found.
    func find(_ key: Int64) -> Bool {
        var page = root
        for _ in 0..<Self.depthMax {
            guard let start = pages.place(ofPage: page) else { return false }
            // The first page begins with the file's header.
            let head = page == 1 ? start + 100 : start
            let count = Int(pages.number(at: head + 3, UInt16.self))
            switch pages.byte(at: head) {
            case Self.interior:
                guard let child = child(for: key, head: head, start: start, count: count) else { return false }
                page = child
            case Self.leaf: return row(of: key, head: head, start: start, count: count)
            default: return false
            }
        }
        return false
    }

    /// The page that holds the key, by an interior page: the child before the first key that is not less.
    private func child(for key: Int64, head: Int, start: Int, count: Int) -> UInt32? {
        let cells = Cells(array: head + 12, start: start, usableSize: usableSize, keyOffset: 4)
        guard let index = pages.firstNotLess(than: key, in: cells, count: count) else { return nil }
        if index == count { return pages.number(at: head + 8, UInt32.self) }
        guard let place = pages.place(of: index, in: cells) else { return nil }
        return pages.number(at: place, UInt32.self)
    }

    private func row(of key: Int64, head: Int, start: Int, count: Int) -> Bool {
        let cells = Cells(array: head + 8, start: start, usableSize: usableSize, keyOffset: nil)
        guard let index = pages.firstNotLess(than: key, in: cells, count: count), index < count,
            var at = pages.place(of: index, in: cells)
        else { return false }
        let size = pages.variableNumber(at: &at)
        guard Int64(bitPattern: pages.variableNumber(at: &at)) == key else { return false }
        // A larger row goes on in other pages.
        guard size <= UInt64(usableSize - 35), at + Int(size) <= start + usableSize else { return false }
        return read(at, size: Int(size))
    }
}

/// The cells of one page, in the order of their keys.
private struct Cells {
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
    fileprivate func place(of index: Int, in cells: Cells) -> Int? {
        let offset = Int(number(at: cells.array + 2 * index, UInt16.self))
        // A cell has four bytes at least, and its two numbers are checked when they are read.
        return offset >= 8 && offset <= cells.usableSize - 4 ? cells.start + offset : nil
    }

    @inline(__always)
    private func key(of index: Int, in cells: Cells) -> Int64? {
        guard var at = place(of: index, in: cells) else { return nil }
        if let offset = cells.keyOffset { at += offset } else { _ = variableNumber(at: &at) }
        return Int64(bitPattern: variableNumber(at: &at))
    }

    /// The index of the first cell whose key is not less; `count` where there is none, nil where the page is damaged.
    ///
    /// Keys mostly have even distances, so the first looks go where the key should be; then the range is halved.
    fileprivate func firstNotLess(than sought: Int64, in cells: Cells, count: Int) -> Int? {
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

// MARK: - Rows

extension TableReader {
    /// Finds the columns in a row; false where one is not there.
    private func read(_ row: Int, size: Int) -> Bool {
        var at = row
        let headerSize = pages.variableNumber(at: &at)
        guard headerSize <= UInt64(size) else { return false }
        let headerEnd = row + Int(headerSize)
        var end = headerEnd
        var position = 0
        var field = Field()
        for index in order {
            while position <= positions[index] {
                guard at < headerEnd else { return false }
                field = Field(type: pages.variableNumber(at: &at), place: end)
                guard let count = Self.byteCount(of: field.type), count <= row + size - end else { return false }
                end += count
                position += 1
            }
            fields[index] = field
        }
        return true
    }

    /// How many bytes a value of the type has; nil for a type that there is not.
    @inline(__always)
    private static func byteCount(of type: UInt64) -> Int? {
        switch type {
        case 0...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 8, 9: 0
        case 10, 11: nil
        default: Int(truncatingIfNeeded: (type - 12) / 2)
        }
    }
}

extension TableReader: RowValues {
    func storage(_ column: Int32) -> SQLiteStatement.Storage {
        let field = fields[Int(column)]
        switch field.type {
        case 0: return .null
        // Not a number is no value.
        case 7: return real(column).isNaN ? .null : .real
        case 1...9: return areReal[Int(column)] ? .real : .integer
        default: return field.type & 1 == 0 ? .blob : .text
        }
    }

    func integer(_ column: Int32) -> Int64 {
        let field = fields[Int(column)]
        switch field.type {
        case 1: return Int64(pages.number(at: field.place, Int8.self))
        case 2: return Int64(pages.number(at: field.place, Int16.self))
        case 3: return Int64(pages.number(at: field.place, Int16.self)) << 8 | Int64(pages.byte(at: field.place + 2))
        case 4: return Int64(pages.number(at: field.place, Int32.self))
        case 5:
            return Int64(pages.number(at: field.place, Int16.self)) << 32
                | Int64(pages.number(at: field.place + 2, UInt32.self))
        case 6: return pages.number(at: field.place, Int64.self)
        case 9: return 1
        default: return 0
        }
    }

    func real(_ column: Int32) -> Double {
        let field = fields[Int(column)]
        return field.type == 7
            ? Double(bitPattern: pages.number(at: field.place, UInt64.self)) : Double(integer(column))
    }

    func text(_ column: Int32) -> String { pages.text(range(column)) }

    func blob(_ column: Int32) -> [UInt8] { pages.blob(range(column)) }

    private func range(_ column: Int32) -> Range<Int> {
        let field = fields[Int(column)]
        return field.place..<field.place + (Self.byteCount(of: field.type) ?? 0)
    }
}

extension PageCache {
    /// A number in one to nine bytes: seven bits in each but the ninth, the highest first.
    @inline(__always)
    fileprivate func variableNumber(at place: inout Int) -> UInt64 {
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
