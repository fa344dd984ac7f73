import Activities
import Items

/// Messages with changes to a catalog.
enum ItemBytes {
    /// What is decoded is written so that it is decoded the same again.
    static func take(_ bytes: [UInt8]) {
        let decoder = ItemDecoder()
        let version = ItemVersion(time: 1)
        do throws(ItemError) {
            for operation in try decoder.decode(bytes.span, version: version) { check(operation) }
        } catch {
            precondition(!error.description.isEmpty, "an error says what is wrong")
        }
    }

    private static func check(_ operation: ItemOperation) {
        guard let bytes = written(operation) else { return }
        let decoder = ItemDecoder()
        guard let again = try? decoder.decode(bytes.span, version: ItemVersion(time: 1)), again.count == 1 else {
            preconditionFailure("what is written is a message")
        }
        precondition(written(again[0]) == bytes, "written twice it is the same")
    }

    /// What can be written: items and declarations.
    private static func written(_ operation: ItemOperation) -> [UInt8]? {
        var writer = JSONWriter()
        writer.beginObject()
        switch operation {
        case .index(let item):
            writer.key("index" as StaticString)
            writer.item(item)
        case .declare(let entities):
            writer.key("entities" as StaticString)
            writer.beginArray()
            for entity in entities { writer.declaration(entity) }
            writer.endArray()
        case .adopt, .deleteIdentifiers, .deleteDomains, .deleteAll: return nil
        }
        writer.endObject()
        return writer.bytes
    }
}
