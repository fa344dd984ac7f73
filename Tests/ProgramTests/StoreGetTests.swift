import Foundation
import Testing

/// `store get` on the example's store.
struct StoreGetTests {
    private static let store = "x-coredata://0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"

    private func get(_ arguments: String..., input: String = "") throws -> Program.Result {
        let folder = Program.package.appendingPathComponent("Examples/FamilyMovies").path
        return try Program.run(
            ["store", "get", "--store", "coredata:FamilyMovies.sqlite"] + arguments, in: folder, input: input)
    }

    @Test func `objects are printed in the order of their URIs, and what is not found ends with 65`() throws {
        let result = try get("-", input: "\(Self.store)/Movie/p1\nx\n\(Self.store)/Movie/p10\n")
        #expect(result.status == 65)
        #expect(result.lines.count == 3)
        #expect(result.lines.first?.contains(#""name":"Alien""#) == true)
        #expect(result.lines.dropFirst().first?.contains(#""reason":"malformedIdentifier","uri":"x""#) == true)
        #expect(result.lines.last?.contains("was deleted at 2026-01-15T12:00:00Z") == true)
    }

    @Test func `the targets of a to-many relationship are printed when they are asked for, by pages`() throws {
        let plain = try get("\(Self.store)/Movie/p1")
        #expect(plain.status == 0 && !plain.output.contains("toMany"))
        let family = try get("--to-many", "familyMembers", "\(Self.store)/Movie/p1")
        #expect(family.output.hasSuffix(#""toMany":{"familyMembers":["\#(Self.store)/FamilyMember/p2"]}}"# + "\n"))
        let beyond = try get("--to-many", "familyMembers", "--offset", "1", "\(Self.store)/Movie/p1")
        #expect(beyond.output.hasSuffix(#""toMany":{"familyMembers":[]}}"# + "\n"))
        let unknown = try get("--to-many", "familyMember", "\(Self.store)/Movie/p1")
        #expect(unknown.status == 64 && unknown.errors.contains("Did you mean 'familyMembers'?"))
    }
}
