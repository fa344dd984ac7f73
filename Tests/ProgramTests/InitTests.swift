import Foundation
import Testing

/// `init` on real stores: `check` accepts what it writes, and `resolve` answers with it.
struct InitTests {
    /// The shared folder of stores that Apple's frameworks wrote; nil where it is not there.
    private static let samples: String? = {
        let data = ProcessInfo.processInfo.environment["DEEPLINK_CONFORMANCE_DATA"] ?? "../shared/data"
        let folder = URL(fileURLWithPath: data).appendingPathComponent("coredata").path
        return FileManager.default.fileExists(atPath: folder + "/expected.json") ? folder : nil
    }()
    private static let absence: Comment =
        "the folder of sample stores is not there; set DEEPLINK_CONFORMANCE_DATA to have it"

    /// Removes the # of every example.
    private static func withExamples(_ text: String) -> String {
        text.components(separatedBy: "\n")
            .map {
                $0.hasPrefix("#") && $0.dropFirst().first.map { $0.isLetter } == true
                    || $0.hasPrefix("#  ") && isCode($0) ? String($0.dropFirst()) : $0
            }
            .joined(separator: "\n")
    }

    /// Prose has one space behind its #; indented code has two and is no line of the head.
    private static func isCode(_ line: String) -> Bool { !line.contains("deeplink-worker ") }

    private func check(_ configuration: String, in folder: Folder) throws -> [String] {
        try folder.write("checked.yaml", configuration)
        let result = try Program.run(["check", "--config", "checked.yaml"], in: folder.path)
        let serious = result.lines.filter { $0.contains(": error: ") || $0.contains(": warning: ") }
        return serious + (result.status == 0 || !serious.isEmpty ? [] : [result.errors])
    }

    @Test func `the example's store gets its rules, and its examples are right YAML in their places`() throws {
        let folder = try Folder()
        try folder.addExample()
        let written = try Program.run(["init", "--store", "FamilyMovies.sqlite"], in: folder.path)
        #expect(written.status == 0)
        for line in [
            "  - coredata:FamilyMovies.sqlite",
            "  Movie: {command: openMovieDetail, arguments: {name: $object.name}}",
            "  Poster: {command: openPosterDetail, arguments: {caption: $object.caption}}",
            "  # also for ShortFilm", "#  - identifier: movie-$remoteId",
            #"#    open: {entity: Movie, predicate: "remoteId == $remoteId"}"#,
        ] {
            #expect(written.lines.contains(line), "\(line)")
        }
        #expect(try check(written.output, in: folder) == [])
        let examples = Self.withExamples(written.output)
        #expect(examples.contains("\nsearchResults:\n  - identifier: movie-$remoteId\n"))
        #expect(try check(examples, in: folder) == [])
        let activities =
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"movie-348"}}"#
            + "\n" + #"{"activityType":"com.example.movie","title":"alien"}"# + "\n"
        let resolved = try Program.run(["resolve", "--config", "checked.yaml"], in: folder.path, input: activities)
        #expect(resolved.lines.allSatisfy { $0.contains(#""command":"openMovieDetail""#) && $0.contains("Alien") })
        #expect(resolved.lines.count == 2)
    }

    @Test func `a file is written once and never overwritten, and names the store wherever it is`() throws {
        let folder = try Folder()
        try folder.addExample()
        try FileManager.default.createDirectory(atPath: folder.path + "/conf", withIntermediateDirectories: false)
        let arguments = ["init", "--store", "FamilyMovies.sqlite", "--output", "conf/new.yaml"]
        let first = try Program.run(arguments, in: folder.path)
        #expect(first.status == 0 && first.output.isEmpty)
        #expect(try Program.run(["check", "--config", "conf/new.yaml"], in: folder.path).status == 0)
        let text = try folder.read("conf/new.yaml")
        let second = try Program.run(arguments, in: folder.path)
        #expect(second.status == 74)
        #expect(second.errors.contains("exists already"))
        #expect(try folder.read("conf/new.yaml") == text)
    }

    @Test func `an association file gives the app's identifier and routes`() throws {
        let folder = try Folder()
        try folder.addExample()
        try folder.write(
            "aasa.json",
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.FamilyMovies"],"components":[{"/":"/movies/*"},{"/":"/private/*","exclude":true},{"/":"/help/*"}]}]}}"#
        )
        let written = try Program.run(
            ["init", "--store", "FamilyMovies.sqlite", "--association", "aasa.json"], in: folder.path)
        #expect(written.status == 0)
        #expect(
            written.output.contains(
                """
                links:
                  appID: ABCDE12345.com.example.FamilyMovies
                  domains:
                    www.example.com: aasa.json
                  routes:
                    - path: /movies/:name
                      open: {entity: Movie, predicate: "name ==[cd] $name"}
                    - path: /help/:name
                      command: openPage
                      arguments: {name: $name}

                """))
        #expect(!written.output.contains("private"))
        #expect(try check(written.output, in: folder) == [])
        let resolved = try Program.run(
            ["resolve", "--config", "checked.yaml"], in: folder.path,
            input:
                #"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://www.example.com/movies/Alien"}"#
        )
        #expect(resolved.output.contains(#""command":"openMovieDetail""#))
        #expect(resolved.output.contains(#""rule":"links.routes[0]""#))
        let missing = try Program.run(
            ["init", "--store", "FamilyMovies.sqlite", "--association", "none.json"], in: folder.path)
        #expect(missing.status == 66)
        try folder.write("empty.json", "{}")
        let empty = try Program.run(
            ["init", "--store", "FamilyMovies.sqlite", "--association", "empty.json"], in: folder.path)
        #expect(empty.output.contains("\n#links:\n#  appID: TEAM123456.com.example.app\n"))
        #expect(try check(empty.output, in: folder) == [])
        try folder.write("wrong.json", "[]")
        let wrong = try Program.run(
            ["init", "--store", "FamilyMovies.sqlite", "--association", "wrong.json"], in: folder.path)
        #expect(wrong.status == 65)
    }

    /// A store of the shared folder, and the model that lies beside it.
    struct Sample: Sendable, CustomStringConvertible {
        let store: String
        let model: String?
        var description: String { store }
    }

    /// Every store of the shared folder.
    private static let stores: [Sample] = {
        guard let samples, let names = try? FileManager.default.subpathsOfDirectory(atPath: samples) else { return [] }
        let stores = names.sorted().filter(isStore)
        return stores.map { store in
            let folder = store.prefix { $0 != "/" }
            let model = names.sorted().first { name in
                name.hasPrefix(folder) && [".xcdatamodeld", ".xcdatamodel"].contains { name.hasSuffix($0) }
            }
            return Sample(store: store, model: model)
        }
    }()

    private static func isStore(_ name: String) -> Bool { name.hasSuffix(".sqlite") || name.hasSuffix(".moody") }

    @Test(.enabled(if: samples != nil, absence))
    func `all stores of the shared folder are tried`() {
        let models = Self.stores.count { $0.model != nil }
        print("init: \(Self.stores.count) stores, of which \(models) with a model of their own beside them")
        #expect(Self.stores.count == 22)
        #expect(models >= 15)
    }

    @Test(.enabled(if: samples != nil, absence), arguments: stores)
    func `a store that nobody here wrote gets a configuration that works`(sample: Sample) throws {
        let samples = try URL(fileURLWithPath: #require(Self.samples)).standardizedFileURL.path
        let store = samples + "/" + sample.store
        let association = URL(fileURLWithPath: samples + "/../aasa/published/5calls.org.json").standardizedFileURL.path
        for model in Set([nil, sample.model]) {
            let flags = model.map { ["--model", samples + "/" + $0] } ?? []
            let folder = try Folder()
            let written = try Program.run(
                ["init", "--store", store, "--output", "new.yaml"] + flags
                    + (model == nil ? [] : ["--association", association]), in: folder.path)
            #expect(written.status == 0, "\(written.errors)")
            let text = try folder.read("new.yaml")
            #expect(try check(text, in: folder) == [])
            #expect(try check(Self.withExamples(text), in: folder) == [])
            // Every entity that has objects is answered by its rule, with what its objects have.
            let uris = try objectURIs(store, flags, in: folder)
            let activities = uris.map {
                #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"\#($0)"}}"#
                    + "\n"
            }
            let resolved = try Program.run(
                ["resolve", "--config", "new.yaml"], in: folder.path, input: activities.joined())
            #expect(resolved.status == 0)
            try #require(resolved.lines.count == uris.count)
            for (uri, answer) in zip(uris, resolved.lines) {
                #expect(answer.contains(#""rule":"entities."#) && answer.contains(uri), "\(answer)")
                #expect(
                    answer.contains(#""handled":true"#) || answer.contains(#""reason":"missingValue""#), "\(answer)")
            }
        }
    }

    @Test(.enabled(if: samples != nil, absence))
    func `the links of every published association file are such as check accepts`() throws {
        let files = try URL(fileURLWithPath: #require(Self.samples)).deletingLastPathComponent()
            .appendingPathComponent("aasa/published").standardizedFileURL.path
        let folder = try Folder()
        try folder.addExample()
        var active = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: files).sorted() {
            let written = try Program.run(
                ["init", "--store", "FamilyMovies.sqlite", "--association", files + "/" + name], in: folder.path)
            #expect(written.status == 0, "\(name)")
            #expect(try check(written.output, in: folder) == [], "\(name)")
            if written.output.contains("\nlinks:\n") { active += 1 }
        }
        #expect(active >= 10)
    }

    /// A URI of an object for each entity with objects, as far as low numbers lead to one.
    private func objectURIs(_ store: String, _ flags: [String], in folder: Folder) throws -> [String] {
        let info = try Program.run(["store", "info", store] + flags, in: folder.path)
        let identifier = try #require(info.lines.first { $0.hasPrefix("identifier ") }?.split(separator: " ").last)
        let entities = info.lines.filter { $0.contains("  (number ") && !$0.contains(", 0 objects") }
            .compactMap { $0.split(separator: " ").first }
        let candidates = entities.flatMap { entity in
            (1...30).map { "x-coredata://\(identifier)/\(entity)/p\($0)" }
        }
        guard !candidates.isEmpty else { return [] }
        let got = try Program.run(
            ["store", "get", "--store", store] + flags + ["-"], in: folder.path,
            input: candidates.joined(separator: "\n"))
        return zip(candidates, got.lines).filter { uri, line in line.contains("\"object\":\"\(uri)\"") }.map(\.0)
    }
}
