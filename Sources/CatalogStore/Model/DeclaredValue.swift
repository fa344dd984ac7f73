internal import Items
internal import PersistentStore

internal import struct FoundationEssentials.UUID

extension AttributeType {
    /// The value as an attribute that was declared with this type has it; other values stay as they are.
    ///
    /// JSON has no dates and no UUIDs: text that is written as one is taken as one.
    func reading(_ value: ItemValue) -> ItemValue {
        guard case .attribute(let value) = value else { return value }
        return .attribute(reading(value))
    }

    private func reading(_ value: AttributeValue) -> AttributeValue {
        switch (self, value) {
        case (.date, .string(let text)): ISO8601.seconds(in: text).map { .date($0) } ?? value
        case (.uuid, .string(let text)) where text.utf8.count == 36:
            UUID(uuidString: text).map { .uuid($0) } ?? value
        case (.boolean, .integer(let number)) where number == 0 || number == 1: .boolean(number == 1)
        case (.double, .integer(let number)), (.float, .integer(let number)): .number(Double(number))
        case (.objectID, .string(let text)): ObjectURI(text).map { .object($0) } ?? value
        default: value
        }
    }
}
