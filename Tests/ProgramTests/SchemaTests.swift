import Foundation
import Testing

/// The command `schema`, and the line by which an editor finds what it prints.
struct SchemaTests {
    @Test func `each published schema is printed byte for byte`() throws {
        let folder = Program.package.appendingPathComponent("Documentation/schemas")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.count >= 5)
        for file in files {
            let printed = try Program.run(
                ["schema", String(file.dropLast(".schema.json".count))], in: Program.package.path)
            #expect(printed.status == 0, "\(file): \(printed.errors)")
            #expect(try printed.output == String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
        }
    }

    @Test func `an unknown name is answered with those that there are`() throws {
        for names in [[], ["configuraton"], ["activity", "command"]] {
            let result = try Program.run(["schema"] + names, in: Program.package.path)
            #expect(result.status == 64)
            #expect(result.errors.contains("activity, command, configuration, dead-letter, item"))
        }
    }

    @Test func `init names the schema for editors, and says how to get it`() throws {
        let folder = try Folder()
        try folder.addExample()
        let written = try Program.run(["init", "--store", "FamilyMovies.sqlite"], in: folder.path)
        #expect(written.lines.first == "# yaml-language-server: $schema=deeplinks.schema.json")
        #expect(written.output.contains("deeplink-worker schema configuration "))
    }
}
