internal import CRabbitMQ

/// A value in a table of AMQP, as headers have them.
public indirect enum FieldValue: Sendable, Hashable {
    /// Text, or bytes that should be text.
    case text([UInt8])
    /// Bytes.
    case bytes([UInt8])
    /// True or false.
    case flag(Bool)
    /// A whole number.
    case number(Int64)
    /// A whole number that does not fit an Int64.
    case large(UInt64)
    /// A number.
    case real(Double)
    /// A decimal number: the digits, and how many of them are behind the point.
    case decimal(digits: UInt32, places: UInt8)
    /// Seconds since 1970.
    case timestamp(UInt64)
    /// A table.
    case table([Field])
    /// An array.
    case array([FieldValue])
    /// Nothing.
    case void
    /// Something nested too deep to be shown, or of an unknown kind.
    case omitted

    /// How deep tables and arrays are taken over; what lies deeper is left out.
    public static let depthMax = 32
}

/// An entry of a table of AMQP.
public struct Field: Sendable, Hashable {
    /// The name, with invalid UTF-8 repaired.
    public let name: String
    /// The value.
    public let value: FieldValue

    /// Makes an entry.
    public init(_ name: String, _ value: FieldValue) {
        self.name = name
        self.value = value
    }
}

extension FieldValue {
    /// Copies a value out of the library's buffer.
    init(_ value: amqp_field_value_t, depth: Int) {
        guard depth < Self.depthMax else {
            self = .omitted
            return
        }
        switch unsafe UnicodeScalar(value.kind) {
        case "S": self = unsafe .text(Array(value.value.bytes.buffer))
        case "x": self = unsafe .bytes(Array(value.value.bytes.buffer))
        case "t": self = unsafe .flag(value.value.boolean != 0)
        case "b": self = unsafe .number(Int64(value.value.i8))
        case "B": self = unsafe .number(Int64(value.value.u8))
        case "s": self = unsafe .number(Int64(value.value.i16))
        case "u": self = unsafe .number(Int64(value.value.u16))
        case "I": self = unsafe .number(Int64(value.value.i32))
        case "i": self = unsafe .number(Int64(value.value.u32))
        case "l": self = unsafe .number(value.value.i64)
        case "L":
            let number = unsafe value.value.u64
            self = Int64(exactly: number).map { .number($0) } ?? .large(number)
        case "f": self = unsafe .real(Double(value.value.f32))
        case "d": self = unsafe .real(value.value.f64)
        case "D": self = unsafe .decimal(digits: value.value.decimal.value, places: value.value.decimal.decimals)
        case "T": self = unsafe .timestamp(value.value.u64)
        case "V": self = .void
        case "F": self = unsafe .table(Field.fields(value.value.table, depth: depth + 1))
        case "A":
            var items: [FieldValue] = []
            for index in 0..<Int(unsafe value.value.array.num_entries) {
                items.append(unsafe FieldValue(value.value.array.entries[index], depth: depth + 1))
            }
            self = .array(items)
        default: self = .omitted
        }
    }
}

extension Field {
    /// Copies a table out of the library's buffer.
    static func fields(_ table: amqp_table_t, depth: Int) -> [Field] {
        unsafe (0..<Int(table.num_entries)).map { index in
            let entry = unsafe table.entries[index]
            return unsafe Field(
                String(decoding: entry.key.buffer, as: UTF8.self), FieldValue(entry.value, depth: depth))
        }
    }
}
