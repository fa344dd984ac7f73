import Foundation
import Testing

/// The documents say what the program does: their examples are resolved, and their tables are its own.
struct DocumentationTests {
    /// A fenced block of a document.
    private struct Block {
        let info: String
        let line: Int
        var text = ""
    }

    private static let documents = ["Configuration.md", "CoreData.md", "Catalogs.md", "Operations.md"]

    private static func document(_ name: String) throws -> String {
        let url = Program.package.appendingPathComponent("Documentation/\(name)")
        return try String(contentsOf: url, encoding: .utf8)
    }

    private static func blocks(_ name: String) throws -> [Block] {
        var blocks: [Block] = []
        var isInside = false
        for (index, line) in try document(name).components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("```") {
                if !isInside { blocks.append(Block(info: String(line.dropFirst(3)), line: index + 1)) }
                isInside.toggle()
            } else if isInside {
                blocks[blocks.count - 1].text += line + "\n"
            }
        }
        return blocks
    }

    /// The example's own sections that a snippet leaves out, for a snippet is not a whole configuration.
    private static func completed(_ snippet: String) throws -> String {
        let keys = snippet.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("#") }
        if keys.contains(where: { $0.hasPrefix("apps:") }) { return snippet }
        var text = snippet
        if !keys.contains(where: { $0.hasPrefix("stores:") }) { text += "stores: [coredata:FamilyMovies.sqlite]\n" }
        if !keys.contains(where: { $0.hasPrefix("entities:") }) {
            text += """
                entities:
                  Movie: {command: openMovieDetail, arguments: {name: $object.name}}
                  FamilyMember: {command: openFamilyMemberDetail, arguments: {name: $object.name}}

                """
        }
        return text
    }

    /// The pages of which every block is an example that is run.
    private static let guides = ["Configuration.md", "CoreData.md"]

    @Test(arguments: guides)
    func `every block of a guide is run, and what it prints is what the page says`(name: String) throws {
        let folder = try Folder()
        try folder.addExample()
        try folder.write("movies.yaml", folder.read("deeplinks.yaml"))
        let blocks = try Self.blocks(name)
        var examples = 0, answers = 0, commands = 0
        for (index, block) in blocks.enumerated() {
            let place = "\(name):\(block.line)"
            switch block.info {
            case "yaml example", "yaml wrong":
                examples += 1
                try folder.write("example.yaml", Self.completed(block.text))
                for file in blocks[(index + 1)...].prefix(while: { !$0.info.hasPrefix("yaml example") })
                where file.info.hasPrefix("yaml file ") {
                    try folder.write(String(file.info.dropFirst(10)), file.text)
                }
                let check = try Program.run(["check", "--config", "example.yaml"], in: folder.path)
                #expect(
                    (check.status == 0) == (block.info == "yaml example"), "\(place): \(check.output)\(check.errors)")
            case "ndjson answers": answers += try Self.resolve(block, at: place, in: folder)
            case "console": commands += try Self.runCommands(block, at: place, in: folder)
            default: #expect(block.info.hasPrefix("yaml file "), "\(place): nothing runs a block of this kind")
            }
        }
        print(
            "\(name): \(blocks.count) blocks, \(examples) configurations, \(answers) answers, \(commands) commands run")
        // Marks that nothing reads any more would make this test pass for ever.
        #expect(examples >= (name == "CoreData.md" ? 1 : 14))
        #expect(answers >= (name == "CoreData.md" ? 5 : 25))
        #expect(commands >= 2)
    }

    /// Resolves activities, each of which has its answer on the next line; gives their number.
    private static func resolve(_ block: Block, at place: String, in folder: Folder) throws -> Int {
        let lines = block.text.split(separator: "\n").map(String.init)
        try #require(lines.count.isMultiple(of: 2), "\(place): each activity has an answer")
        let activities = lines.indices.filter { $0.isMultiple(of: 2) }.map { lines[$0] + "\n" }.joined()
        let expected = lines.indices.filter { !$0.isMultiple(of: 2) }.map { lines[$0] }
        let resolved = try Program.run(["resolve", "--config", "example.yaml"], in: folder.path, input: activities)
        #expect(resolved.lines == expected, "\(place): \(resolved.errors)")
        return expected.count
    }

    /// Runs the commands of a block, each behind a `$`, and compares what they print; gives their number.
    private static func runCommands(_ block: Block, at place: String, in folder: Folder) throws -> Int {
        var commands: [(line: String, output: String)] = []
        for line in block.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("$ ") {
                commands.append((String(line.dropFirst(2)), ""))
            } else if !commands.isEmpty {
                commands[commands.count - 1].output += line + "\n"
            }
        }
        for (line, output) in commands {
            #expect(try Program.shell(line, in: folder.path) == output, "\(place): \(line)")
        }
        return commands.count
    }

    @Test func `a catalog takes every message that the document shows`() throws {
        let folder = try Folder()
        let messages = try Self.blocks("Catalogs.md").filter { $0.info == "json items" }.map(\.text).joined()
        // A message may go on in further lines, which begin with spaces.
        let lines = messages.replacing("\n  ", with: " ")
        try folder.write("items.ndjson", lines)
        let imported = try Program.run(
            ["store", "import", "--store", "sqlite:c.sqlite", "--items", "items.ndjson"], in: folder.path)
        #expect(imported.status == 0 && lines.split(separator: "\n").count >= 7, "\(imported.errors)")
        let exported = try Program.run(["store", "export", "--store", "sqlite:c.sqlite"], in: folder.path)
        #expect(exported.lines.count == 2 && exported.output.contains(#""uniqueIdentifier":"note-8""#))
    }

    @Test func `tables of flags are those of the program`() throws {
        var tables = 0
        for name in Self.documents {
            let parts = try Self.document(name).components(separatedBy: "<!-- flags of ").dropFirst()
            for part in parts {
                let command = part.prefix { $0 != "," }
                let start = try #require(part.range(of: "-->\n")).upperBound
                let end = try #require(part.range(of: "<!-- end of flags -->")).lowerBound
                let printed = try Program.run(
                    ["flags"] + command.split(separator: " ").map(String.init), in: Program.package.path)
                #expect(printed.status == 0)
                #expect(
                    part[start..<end].trimmingCharacters(in: .newlines)
                        == printed.output.trimmingCharacters(in: .newlines),
                    "the table of '\(command)' in \(name) is stale; scripts/tour puts it right")
                tables += 1
            }
        }
        #expect(tables >= 1)
    }
}
