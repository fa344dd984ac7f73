import Foundation
import Testing

/// What is no regular file where one is needed: a pipe that nobody writes into would keep a start waiting for ever.
struct SpecialFileTests {
    /// A folder with the example, a pipe, and a configuration that names `%`.
    private func folder(_ yaml: String, naming file: String) throws -> Folder {
        let folder = try Folder()
        try folder.addExample()
        let maker = try Process.run(
            URL(fileURLWithPath: "/usr/bin/mkfifo"), arguments: [folder.path + "/pipe"])
        maker.waitUntilExit()
        try #require(maker.terminationStatus == 0)
        try folder.write("c.yaml", yaml.replacing("%", with: file))
        return folder
    }

    private static let files = [
        ("pipe", "is a pipe or a device; name a regular file."), ("/dev/zero", "is a pipe or a device;"),
        ("/dev/null", "is a pipe or a device;"), (".", "is a folder; name a file."), ("none", "does not exist."),
    ]

    @Test(arguments: files)
    func `a configuration must be a regular file`(file: String, words: String) throws {
        let folder = try folder("", naming: file)
        for arguments in [["check"], ["resolve"]] {
            let result = try Program.run(arguments + ["--config", file], in: folder.path)
            #expect(result.status == 66)
            #expect(result.errors.contains("The configuration '\(file)' \(words)"), "\(result.errors)")
        }
    }

    @Test(arguments: files)
    func `so must be an association file and an app's own file`(file: String, words: String) throws {
        for (yaml, place) in [
            ("links: {appID: A.b, domains: {example.com: '%'}}\n", "c.yaml:1:44"), ("apps: {a: '%'}\n", "c.yaml:1:11"),
            ("apps: {a: deeplinks.yaml}\ndefault: '%'\n", "c.yaml:2:10"),
        ] {
            let folder = try folder(yaml, naming: file)
            let result = try Program.run(["check", "--config", "c.yaml"], in: folder.path)
            #expect(result.status == 66)
            #expect(result.errors.contains("\(place): The file '\(file)' \(words)"), "\(result.errors)")
            let started = try Program.run(
                ["init", "--store", "FamilyMovies.sqlite", "--association", file], in: folder.path)
            #expect(started.status == 66 && started.output.isEmpty)
            #expect(started.errors.contains("The association file '\(file)' \(words)"), "\(started.errors)")
        }
    }

    @Test(arguments: ["pipe", "/dev/zero", "/dev/null", "."])
    func `a store or model that is no file is data that is wrong`(file: String) throws {
        for yaml in ["stores: ['coredata:%']\n", "stores: [{url: coredata:FamilyMovies.sqlite, model: '%'}]\n"] {
            let folder = try folder(yaml, naming: file)
            let result = try Program.run(["check", "--config", "c.yaml"], in: folder.path)
            #expect(result.status == 65)
            #expect(result.errors.hasPrefix("deeplink-worker: c.yaml:1:"), "\(result.errors)")
            #expect(
                ["is not a regular file", "is a folder", "is not a data model"].contains { result.errors.contains($0) })
        }
    }

    @Test func `what a shell has opened already is read as a pipe`() throws {
        let folder = try folder("", naming: "")
        let result = try Program.run(
            ["check", "--config", "/dev/stdin"], in: folder.path,
            input: "activities: [{activityType: a, command: c}]\n")
        #expect(result.status == 0, "\(result.errors)")
        let wrong = try Program.run(["check", "--config", "/dev/stdin"], in: folder.path, input: "activites: []\n")
        #expect(wrong.status == 78)
    }

    @Test func `an association file that is none says why`() throws {
        let folder = try folder("", naming: "")
        try folder.write("large.json", "{}" + String(repeating: " ", count: 128 << 10))
        try folder.write("list.json", "[]")
        for (file, words) in [("large.json", "larger than 128 KiB"), ("list.json", "must be a JSON object")] {
            let result = try Program.run(
                ["init", "--store", "FamilyMovies.sqlite", "--association", file], in: folder.path)
            #expect(result.status == 65)
            #expect(result.errors.contains(words) && result.errors.contains(file), "\(result.errors)")
        }
    }
}
