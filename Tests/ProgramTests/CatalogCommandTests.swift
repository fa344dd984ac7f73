import Foundation
import Testing

/// The commands that work on catalogs, and catalogs in configurations.
struct CatalogCommandTests {
    private static let store = "0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60"
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.addExample()
    }

    @discardableResult
    private func run(_ arguments: String..., input: String = "") throws -> Program.Result {
        try Program.run(arguments, in: folder.path, input: input)
    }

    private func importExample(_ more: String...) throws {
        let arguments = ["store", "import", "--store", "sqlite:c.sqlite", "FamilyMovies.sqlite"] + more
        let result = try Program.run(arguments, in: folder.path)
        #expect(result.status == 0, "\(result.errors)")
    }

    private func exported(_ url: String = "sqlite:c.sqlite") throws -> [String] {
        try run("store", "export", "--store", url).lines
    }

    @Test func `a configuration answers from a catalog as from the file`() throws {
        try importExample()
        let configuration = try folder.read("deeplinks.yaml")
        try folder.write(
            "catalog.yaml", configuration.replacing("coredata:FamilyMovies.sqlite", with: "sqlite:c.sqlite"))
        let expected = try run("resolve", "--config", "deeplinks.yaml", "activities.ndjson")
        let answers = try run("resolve", "--config", "catalog.yaml", "activities.ndjson")
        #expect(answers.status == expected.status && answers.lines.count == expected.lines.count)
        // The history of a Core Data file, which tells when an object was deleted, is not imported.
        let differing = zip(answers.lines, expected.lines).filter { $0 != $1 }.map(\.1)
        #expect(differing.allSatisfy { $0.contains("was deleted at") }, "\(differing)")
        let check = try run("check", "--config", "catalog.yaml")
        #expect(check.status == 0, "\(check.output)")
        let starter = try run("init", "--store", "sqlite:c.sqlite")
        #expect(starter.output.contains("- sqlite:c.sqlite"))
        try folder.write("starter.yaml", starter.output)
        #expect(try run("check", "--config", "starter.yaml").status == 0)
    }

    @Test func `what is exported is imported again, and importing twice changes nothing`() throws {
        try importExample()
        let lines = try exported()
        #expect(lines.count == 17)
        let again = try run("store", "import", "--store", "sqlite:c.sqlite", "FamilyMovies.sqlite")
        #expect(again.status == 0 && again.errors.contains("0 objects were imported"))
        let input = lines.joined(separator: "\n")
        #expect(try run("store", "import", "--store", "sqlite:d.sqlite", "--items", "-", input: input).status == 0)
        #expect(try exported("sqlite:d.sqlite") == lines)
        #expect(try exported("coredata:FamilyMovies.sqlite").sorted() == lines.sorted())
    }

    @Test func `entities and attributes are chosen`() throws {
        try importExample("--entity", "Movie", "--attribute", "Movie.name")
        let lines = try exported()
        #expect(lines.count == 11 && lines[1].contains(#""name":"#))
        #expect(!lines.joined().contains("popularity") && !lines.joined().contains("p1/"))
        let unknown = try run(
            "store", "import", "--store", "sqlite:e.sqlite", "FamilyMovies.sqlite", "--entity", "Move")
        #expect(unknown.status == 64 && unknown.errors.contains("Did you mean 'Movie'?"))
        let attribute = try run(
            "store", "import", "--store", "sqlite:e.sqlite", "FamilyMovies.sqlite", "--attribute", "Movie.nam")
        #expect(attribute.status == 64 && attribute.errors.contains("Did you mean 'Movie.name'?"))
    }

    @Test func `what a file no longer has is deleted on demand, unless something newer is known of it`() throws {
        try importExample()
        let known = try exported()
        let (gone, newer) = ("x-coredata://\(Self.store)/Movie/p9001", "x-coredata://\(Self.store)/Movie/p9002")
        let other = "x-coredata://\(Self.store)/Poster/p9001"
        let input = """
            {"index":{"object":"\(gone)","attributeSet":{"name":"Gone"},"version":1}}
            {"index":{"object":"\(newer)","attributeSet":{"name":"Newer"},"version":9000000000000}}
            {"index":{"object":"\(other)","version":1}}
            {"index":{"uniqueIdentifier":"item-1","entity":"Movie","version":1}}
            """
        #expect(try run("store", "import", "--store", "sqlite:c.sqlite", "--items", "-", input: input).status == 0)
        try importExample()
        #expect(try exported().count == known.count + 4)
        try importExample("--delete-missing", "--entity", "Movie")
        let lines = try exported()
        #expect(lines.count == known.count + 3)
        #expect(!lines.joined().contains(gone))
        let late = #"{"index":{"object":"\#(gone)","version":2}}"#
        #expect(try run("store", "import", "--store", "sqlite:c.sqlite", "--items", "-", input: late).status == 0)
        #expect(try !exported().joined().contains(gone))
        let items = try run("store", "import", "--store", "sqlite:c.sqlite", "--items", "-", "--delete-missing")
        #expect(items.status == 64)
    }

    @Test func `items are indexed and deleted`() throws {
        let item =
            #"{"uniqueIdentifier":"movie-1","domainIdentifier":"a.b","entity":"Movie","attributeSet":{"name":"Alien"}}"#
        #expect(try run("store", "index", "--store", "sqlite:c.sqlite", item).status == 0)
        let more = #"{"index":[{"uniqueIdentifier":"2","domainIdentifier":"a.bc"},{"uniqueIdentifier":"3"}]}"# + "\n"
        #expect(try run("store", "index", "--store", "sqlite:c.sqlite", "-", input: more).status == 0)
        try folder.write(
            "c.yaml",
            """
            stores: [sqlite:c.sqlite]
            entities: {Movie: {command: open, arguments: {name: $object.name}}}
            searchResults:
              - {identifier: "$id", open: {entity: Movie, predicate: "uniqueIdentifier == $id"}}
            """)
        let activity =
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"movie-1"}}"#
        #expect(try run("resolve", "--config", "c.yaml", input: activity).output.contains(#""name":"Alien""#))
        #expect(
            try run("store", "delete", "--store", "sqlite:c.sqlite", "--domain", "a.b").errors.contains(
                "1 item was deleted"))
        #expect(try run("resolve", "--config", "c.yaml", input: activity).output.contains("objectNotFound"))
        #expect(
            try run("store", "delete", "--store", "sqlite:c.sqlite", "3", "none").errors.contains("1 item was deleted"))
        #expect(try exported().count == 2)
        #expect(try run("store", "delete", "--store", "sqlite:c.sqlite", "--all").status == 0)
        #expect(try exported().count == 1)
    }

    @Test func `an object of a catalog is printed whole`() throws {
        try importExample()
        let uri = "x-coredata://\(Self.store)/Poster/p1"
        let fromFile = try run("store", "get", "--store", "FamilyMovies.sqlite", uri)
        let fromCatalog = try run("store", "get", "--store", "sqlite:c.sqlite", uri)
        #expect(fromCatalog.output == fromFile.output && fromCatalog.status == 0)
        let info = try run("store", "info", "sqlite:c.sqlite").output
        #expect(info.contains("identifier         \(Self.store)") && info.contains("ShortFilm  (is a Movie, 1 object)"))
    }

    @Test func `errors say what is wrong, and have their status`() throws {
        try importExample()
        try folder.write("other.ndjson", #"{"index":{"object":"x-coredata://OTHER/Movie/p1"}}"# + "\n{\n")
        let refused = try run("store", "import", "--store", "sqlite:c.sqlite", "--items", "other.ndjson")
        #expect(
            refused.status == 65 && refused.errors.contains("of the store OTHER")
                && refused.errors.contains("other.ndjson:2"))
        try folder.write("missing.yaml", "stores: [sqlite:none.sqlite]\n")
        let missing = try run("check", "--config", "missing.yaml")
        #expect(
            missing.status == 66 && missing.errors.contains("missing.yaml:1:10")
                && missing.errors.contains("store import"))
        try folder.write("wrong.yaml", "stores: [sqlite:FamilyMovies.sqlite]\n")
        let wrong = try run("check", "--config", "wrong.yaml")
        #expect(wrong.status == 65 && wrong.errors.contains("coredata:"))
        #expect(try run("store", "index", "--store", "sqlite:c.sqlite", "{}").status == 65)
        #expect(try run("store", "index", "--store", "FamilyMovies.sqlite", #"{"uniqueIdentifier":"a"}"#).status == 64)
        #expect(try run("store", "import", "--store", "sqlite:c.sqlite").status == 64)
        #expect(try run("store", "import", "--store", "sqlite:c.sqlite", "none.sqlite").status == 66)
        #expect(try run("store", "delete", "--store", "sqlite:none.sqlite", "a").status == 66)
        #expect(try run("store", "delete", "--store", "sqlite:c.sqlite").status == 64)
        #expect(try run("store", "get", "--store", "sqlite:c.sqlite", "--model", "m", "x").status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none.sqlite"))
    }
}
