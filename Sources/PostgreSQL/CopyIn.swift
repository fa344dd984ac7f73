/// Rows to add to a table by COPY, in PostgreSQL's binary form: the cheapest way for many.
package struct CopyIn: Sendable {
    /// The COPY statement's table with its columns.
    let target: String
    private let columnCount: Int16
    private(set) var bytes: [UInt8]
    /// How many rows there are.
    package private(set) var rowCount = 0

    /// Prepares for rows of these columns of a table.
    package init(table: String, columns: [String]) {
        target = "\(table) (\(columns.joined(separator: ", ")))"
        columnCount = Int16(columns.count)
        // The signature, no flags, no extension of the header.
        bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
        bytes.append(bigEndian: Int32(0))
        bytes.append(bigEndian: Int32(0))
    }

    /// Begins a row; one value for each column must follow, in their order.
    package mutating func beginRow() {
        bytes.append(bigEndian: columnCount)
        rowCount += 1
    }

    package mutating func append(_ value: Int64?) {
        guard let value else { return appendNull() }
        bytes.append(length: 8)
        bytes.append(bigEndian: value)
    }

    package mutating func append(_ value: Int32) {
        bytes.append(length: 4)
        bytes.append(bigEndian: value)
    }

    package mutating func append(_ value: Double?) {
        guard let value else { return appendNull() }
        bytes.append(length: 8)
        bytes.append(bigEndian: value.bitPattern)
    }

    package mutating func append(_ text: String?) {
        guard let text else { return appendNull() }
        bytes.append(length: Int32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends text that is UTF-8 already.
    package mutating func append(utf8 text: [UInt8]) {
        bytes.append(length: Int32(text.count))
        bytes.append(contentsOf: text)
    }

    private mutating func appendNull() { bytes.append(length: -1) }

    /// The rows with their end.
    var finished: [UInt8] { bytes + [0xFF, 0xFF] }
}
