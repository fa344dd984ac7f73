/// A header of a message that is a CloudEvent in the binary mode, by the AMQP binding of CloudEvents.
///
/// The binding writes `cloudEvents_id` or `cloudEvents:id`; receivers take both.
public struct EventHeader: Sendable, Hashable {
    /// What the names of such headers begin with, before the separator.
    static let prefix: StaticString = "cloudEvents"

    /// What stands between the prefix and the attribute's name: `_` or `:`.
    public let separator: UInt8
    /// Where the attribute's name is in the message.
    public let name: ByteRange
    /// Where the text is; absent for a value that is not text.
    public let text: ByteRange

    /// The header's name for an attribute.
    public static func name(_ attribute: StaticString, separator: UInt8) -> [UInt8] {
        var name: [UInt8] = []
        prefix.withUTF8Buffer { unsafe name.append(contentsOf: $0) }
        name.append(separator)
        attribute.withUTF8Buffer { unsafe name.append(contentsOf: $0) }
        return name
    }
}
