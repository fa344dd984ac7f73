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
    /// What a page holds beside the reserved bytes at its end.
    private let usableSize: Int
    /// Whether a column's whole numbers are kept as integers but are real.
    private let areReal: [Bool]
    /// The columns that are read, in the order in which a row holds them.
    private let steps: [(position: Int, column: Int)]
    private var fields: [Field]
    private var branches: BranchTable

    /// Prepares to read columns; nil where one is not among the rows' values.
    init?(
        _ table: TableFormat, columns: [String], pages: PageCache, reservedSize: Int,
        branches: BranchTable? = nil
    ) {
        self.pages = pages
        self.branches = branches ?? BranchTable(root: table.root)
        usableSize = pages.pageSize - reservedSize
        var found: [(position: Int, isReal: Bool)] = []
        for column in columns {
            guard let position = table.columns.firstIndex(where: { $0.name == column }) else { return nil }
            guard !table.columns[position].isKey else { return nil }
            found.append((position, table.columns[position].isReal))
        }
        areReal = found.map(\.isReal)
        fields = Array(repeating: Field(), count: columns.count)
        steps = found.indices.map { (found[$0].position, $0) }.sorted { $0.position < $1.position }
    }
}

// MARK: - Finding

extension TableReader {
    /// Goes to the row of a key; false where it is not found here.
    ///
    /// Its values can be read until another row of the file is found.
    func find(_ key: Int64) -> Bool {
        guard var child = branches.child(for: key, depthMax: Self.depthMax) else { return false }
        for _ in 0..<Self.depthMax {
            guard let start = pages.place(ofPage: child.page) else { return false }
            // The first page begins with the file's header.
            let head = child.page == 1 ? start + 100 : start
            let count = Int(pages.number(at: head + 3, UInt16.self))
            switch pages.byte(at: head) {
            case Self.interior:
                let cells = Cells(array: head + 12, start: start, usableSize: usableSize, keyOffset: 4)
                let last = pages.number(at: head + 8, UInt32.self)
                guard let next = branches.child(for: key, of: child, cells, count: count, last: last, in: pages) else {
                    return false
                }
                child = next
            case Self.leaf: return row(of: key, in: child, head: head, start: start, count: count)
            default: return false
            }
        }
        return false
    }

    private func row(of key: Int64, in child: BranchTable.Child, head: Int, start: Int, count: Int) -> Bool {
        let cells = Cells(array: head + 8, start: start, usableSize: usableSize, keyOffset: nil)
        guard cells.array + 2 * count <= start + usableSize else { return false }
        // Where no keys are missing, the row is as far in the page as its key is behind the pages before.
        let guess = Int(truncatingIfNeeded: key &- child.before &- 1)
        if guess >= 0, guess < count, let isFound = row(of: key, at: guess, in: cells) { return isFound }
        guard let index = pages.firstNotLess(than: key, in: cells, count: count), index < count else { return false }
        return row(of: key, at: index, in: cells) ?? false
    }

    /// Goes to the row in a cell, and says whether it can be read here; nil where the cell is another key's or damaged.
    @inline(__always)
    private func row(of key: Int64, at index: Int, in cells: Cells) -> Bool? {
        guard var at = pages.place(of: index, in: cells) else { return nil }
        let size = pages.variableNumber(at: &at)
        guard Int64(bitPattern: pages.variableNumber(at: &at)) == key else { return nil }
        // A larger row goes on in other pages.
        guard size <= UInt64(usableSize - 35), at + Int(size) <= cells.start + usableSize else { return false }
        return read(at, size: Int(size))
    }
}

// MARK: - Rows

extension TableReader {
    /// Finds the columns in a row; false where one is not there.
    private func read(_ row: Int, size: Int) -> Bool {
        pages.withBytes(row..<row + size) { bytes in
            var at = 0
            guard let headerSize = bytes.variableNumber(at: &at), headerSize <= UInt64(size) else { return false }
            let headerEnd = Int(headerSize)
            var end = headerEnd
            var position = 0
            var field = Field()
            for step in steps {
                while position <= step.position {
                    guard at < headerEnd, let type = bytes.variableNumber(at: &at),
                        let count = Self.byteCount(of: type), count <= size - end
                    else { return false }
                    field = Field(type: type, place: row + end)
                    end += count
                    position += 1
                }
                fields[step.column] = field
            }
            return true
        }
    }

    /// How many bytes a value of the type has; nil for a type that there is not.
    @inline(__always)
    private static func byteCount(of type: UInt64) -> Int? {
        if type >= 12 { return Int(truncatingIfNeeded: (type - 12) / 2) }
        // The sizes of the types from 11 down to 0, in four bits each; there is no size of 15.
        let count = 0xFF00_8864_3210 >> (type * 4) & 15
        return count == 15 ? nil : count
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
