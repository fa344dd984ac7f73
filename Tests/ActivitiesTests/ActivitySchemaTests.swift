import Foundation
import Testing

@testable import Activities

/// The published schema of activities names the properties that the decoder knows.
struct ActivitySchemaTests {
    @Test func `the schema has each property that is read, and no other`() throws {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/schemas/activity.schema.json")
        let schema = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: Any])
        #expect(Set(properties.keys) == Set(Property.allCases.map(\.name.description)))
    }
}
