import Foundation
import Navigation
import Testing
import Worker

/// The published schemas list the reasons that the program gives.
struct ReasonSchemaTests {
    private static func reasons(_ schema: String, _ property: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/schemas/\(schema).schema.json")
        let root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let properties = try #require(root["properties"] as? [String: [String: Any]])
        return try #require(properties[property]?["enum"] as? [String])
    }

    @Test func `the schema of commands has every reason, in the order of the program`() throws {
        #expect(try Self.reasons("command", "reason") == NotHandledReason.allCases.map(\.rawValue))
    }

    @Test func `the schema of dead letters has every reason, in the order of the program`() throws {
        #expect(try Self.reasons("dead-letter", "deeplink-reason") == RejectionReason.allCases.map(\.rawValue))
    }
}
