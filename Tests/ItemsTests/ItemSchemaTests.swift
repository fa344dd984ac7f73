import Foundation
import Items
import PersistentStore
import Testing

/// The published schema of item messages is judged by the same cases as the decoder.
struct ItemSchemaTests {
    private struct Cases: Decodable {
        struct Beyond: Decodable { let body: String }

        let taken: [String]
        let malformed: [String]
        /// Malformed messages that the schema takes.
        let beyond: [Beyond]
    }

    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func isTaken(_ body: String) -> Bool {
        let decoder = ItemDecoder()
        return (try? decoder.decode(Array(body.utf8).span, version: ItemVersion(time: 0))) != nil
    }

    @Test func `the decoder judges the cases of the schema as they say`() throws {
        let file = Self.package.appendingPathComponent("Tests/contracts/items.json")
        let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
        #expect(cases.taken.filter { !Self.isTaken($0) } == [])
        #expect((cases.malformed + cases.beyond.map(\.body)).filter(Self.isTaken) == [])
        #expect(cases.taken.count > 10 && cases.malformed.count > 30)
    }

    @Test func `the schema lists the types of attributes`() throws {
        let file = Self.package.appendingPathComponent("Documentation/schemas/item.schema.json")
        let root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let parts = try #require(root["$defs"] as? [String: [String: Any]])
        let properties = try #require(parts["entity"]?["properties"] as? [String: [String: Any]])
        let attributes = try #require(properties["attributes"]?["additionalProperties"] as? [String: Any])
        #expect(attributes["enum"] as? [String] == AttributeType.allCases.map(\.rawValue))
    }
}
