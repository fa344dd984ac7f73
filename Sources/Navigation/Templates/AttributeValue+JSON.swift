public import Activities
import FoundationEssentials
public import PersistentStore

extension AttributeValue {
    /// Writes the value as commands carry it; false, and nothing is written, where JSON has no such value.
    ///
    /// Dates are ISO 8601 in UTC, UUIDs upper-case text, binary base64, decimals numbers. JSON has no value for null,
    /// for a number that is not finite, for a date outside the years 1 to 9999, and for external data that is missing.
    public func write(to writer: inout JSONWriter) -> Bool {
        switch self {
        case .boolean(let flag): writer.boolean(flag)
        case .integer(let number): writer.integer(number)
        case .number(let number):
            guard number.isFinite else { return false }
            writer.number(number)
        default:
            guard let text else { return false }
            writer.string(text)
        }
        return true
    }

    /// Whether JSON has the value as it is; of values of other kinds it may have some.
    var isWritten: Bool {
        switch self {
        case .string, .integer, .boolean: true
        default: false
        }
    }

    /// A value that JSON holds as text; nil for any other.
    var text: String? {
        switch self {
        case .string(let text): text
        case .date(let seconds): ISO8601.text(seconds: seconds)
        case .uuid(let uuid): uuid.uuidString
        case .binary(let bytes): Data(bytes).base64EncodedString()
        case .object(let uri): uri.description
        case .null, .boolean, .integer, .number, .externalDataMissing: nil
        }
    }
}
