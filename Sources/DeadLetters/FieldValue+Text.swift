public import AMQP
public import Activities
internal import Foundation

extension FieldValue {
    /// The value as one line of text; nil for tables, arrays and nothing.
    var plainText: String? {
        switch self {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .flag(let flag): String(flag)
        case .number(let number): String(number)
        case .large(let number): String(number)
        case .real(let number): number.description
        case .decimal(let digits, let places): Self.decimal(digits, places)
        case .timestamp(let seconds): String(seconds)
        case .bytes, .table, .array, .void, .omitted: nil
        }
    }

    private static func decimal(_ digits: UInt32, _ places: UInt8) -> String {
        guard places > 0 else { return String(digits) }
        let text = String(digits)
        let padded = String(repeating: "0", count: max(0, Int(places) + 1 - text.count)) + text
        return "\(padded.dropLast(Int(places))).\(padded.suffix(Int(places)))"
    }
}

extension FieldValue {
    /// Writes the value as JSON; bytes, and text that is not UTF-8, as `{"base64": ...}`.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                writer.string(text)
            } else {
                write(bytes, to: &writer)
            }
        case .bytes(let bytes): write(bytes, to: &writer)
        case .flag(let flag): writer.boolean(flag)
        case .number(let number): writer.integer(number)
        case .large(let number): writer.unsigned(number)
        case .real(let number): writer.number(number)
        case .decimal(let digits, let places): writer.string(Self.decimal(digits, places))
        case .timestamp(let seconds): writer.unsigned(seconds)
        case .table(let fields):
            writer.beginObject()
            for field in fields {
                writer.key(field.name)
                field.value.write(to: &writer)
            }
            writer.endObject()
        case .array(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        case .void: writer.null()
        case .omitted: writer.string("(nested too deep)")
        }
    }

    private func write(_ bytes: [UInt8], to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("base64" as StaticString)
        writer.string(Data(bytes).base64EncodedString())
        writer.endObject()
    }
}
