/// One SQL statement with its values.
package struct Statement: Sendable {
    package let sql: String
    /// The name to keep it prepared under, on connections that have a server of their own.
    package let name: String?
    package var parameters: [Parameter]

    package init(_ sql: String, name: String? = nil, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.name = name
        self.parameters = parameters
    }
}

/// A value of a statement, in PostgreSQL's binary form.
package struct Parameter: Sendable {
    /// The type's number in the server's catalog.
    package let type: UInt32
    /// The bytes; nil for NULL.
    package let bytes: [UInt8]?

    private init(type: UInt32, bytes: [UInt8]?) {
        self.type = type
        self.bytes = bytes
    }

    package static func text(_ value: String?) -> Parameter {
        Parameter(type: TypeID.text, bytes: value.map { Array($0.utf8) })
    }
    package static func integer(_ value: Int64?) -> Parameter {
        Parameter(type: TypeID.int8, bytes: value.map(\.bigEndianBytes))
    }
    package static func bytes(_ value: [UInt8]?) -> Parameter { Parameter(type: TypeID.bytea, bytes: value) }

    package static func integers(_ values: [Int64?]) -> Parameter {
        array(of: TypeID.int8, as: TypeID.int8Array, values) { bytes, value in
            guard let value else { return bytes.append(length: -1) }
            bytes.append(length: 8)
            bytes.append(bigEndian: value)
        }
    }

    /// Integers of 32 bits.
    package static func smallIntegers(_ values: [Int32?]) -> Parameter {
        array(of: TypeID.int4, as: TypeID.int4Array, values) { bytes, value in
            guard let value else { return bytes.append(length: -1) }
            bytes.append(length: 4)
            bytes.append(bigEndian: value)
        }
    }

    package static func doubles(_ values: [Double?]) -> Parameter {
        array(of: TypeID.float8, as: TypeID.float8Array, values) { bytes, value in
            guard let value else { return bytes.append(length: -1) }
            bytes.append(length: 8)
            bytes.append(bigEndian: value.bitPattern)
        }
    }

    package static func booleans(_ values: [Bool]) -> Parameter {
        array(of: TypeID.bool, as: TypeID.boolArray, values) { bytes, value in
            bytes.append(length: 1)
            bytes.append(value ? 1 : 0)
        }
    }

    package static func double(_ value: Double?) -> Parameter {
        Parameter(type: TypeID.float8, bytes: value?.bitPattern.bigEndianBytes)
    }

    package static func texts(_ values: [String?]) -> Parameter {
        array(of: TypeID.text, as: TypeID.textArray, values) { bytes, value in
            guard let value else { return bytes.append(length: -1) }
            bytes.append(length: Int32(value.utf8.count))
            bytes.append(contentsOf: value.utf8)
        }
    }

    /// Texts that are UTF-8 already.
    package static func utf8(_ values: [[UInt8]]) -> Parameter {
        array(of: TypeID.text, as: TypeID.textArray, values) { bytes, value in
            bytes.append(length: Int32(value.count))
            bytes.append(contentsOf: value)
        }
    }

    package static func binaries(_ values: [[UInt8]?]) -> Parameter {
        array(of: TypeID.bytea, as: TypeID.byteaArray, values) { bytes, value in
            guard let value else { return bytes.append(length: -1) }
            bytes.append(length: Int32(value.count))
            bytes.append(contentsOf: value)
        }
    }

    /// One-dimensional: the number of dimensions, whether there are NULLs, the element's type, the count, the first index.
    private static func array<Values: Collection>(
        of element: UInt32, as type: UInt32, _ values: Values, _ append: (inout [UInt8], Values.Element) -> Void
    ) -> Parameter {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.count * 12)
        bytes.append(length: 1)
        // The server does not look at the flag for NULLs; it looks at the lengths.
        bytes.append(length: 1)
        bytes.append(bigEndian: element)
        bytes.append(length: Int32(values.count))
        bytes.append(length: 1)
        for value in values { append(&bytes, value) }
        return Parameter(type: type, bytes: bytes)
    }
}

/// The numbers of PostgreSQL's own types, which never change.
enum TypeID {
    static let bool: UInt32 = 16
    static let boolArray: UInt32 = 1000
    static let float8: UInt32 = 701
    static let float8Array: UInt32 = 1022
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let byteaArray: UInt32 = 1001
    static let int4Array: UInt32 = 1007
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
}

extension FixedWidthInteger {
    /// The bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: self)
        return bytes
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        var shift = value.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func append(length: Int32) { append(bigEndian: length) }
}
