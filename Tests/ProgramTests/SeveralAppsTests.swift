import Foundation
import Testing

/// Several apps on the command line: `resolve`, its explanations, and `check`.
struct SeveralAppsTests {
    private func example(_ files: [String: String]) throws -> Folder {
        let folder = try Folder()
        try folder.addExample()
        for (name, text) in files { try folder.write(name, text) }
        return folder
    }

    private static let apps = [
        "all.yaml": "apps: {movies: deeplinks.yaml, cars: cars.yaml}\n",
        "cars.yaml": "activities: [{activityType: home, command: showCars}]\n",
    ]

    @Test func `resolve chooses by appID and tells of unknown apps`() throws {
        let folder = try example(Self.apps)
        let activities = ["movies", "cars", "trains"].map { #"{"activityType":"home","appID":"\#($0)"}"# + "\n" }
        let resolved = try Program.run(
            ["resolve", "--config", "all.yaml"], in: folder.path, input: activities.joined())
        #expect(resolved.status == 0)
        try #require(resolved.lines.count == 3)
        #expect(resolved.lines[0].contains(#""reason":"activityNotRouted""#))
        #expect(resolved.lines[1].contains(#""command":"showCars""#))
        #expect(resolved.lines[2].contains(#""reason":"unknownApp""#))
    }

    @Test func `an explanation for people stands below its answer`() throws {
        let folder = try example(Self.apps)
        let resolved = try Program.run(
            ["resolve", "--config", "all.yaml", "--explain=text"], in: folder.path,
            input: #"{"activityType":"home","appID":"cars"}"# + "\nnonsense\n")
        #expect(resolved.status == 65)
        try #require(resolved.lines.count == 5)
        #expect(resolved.lines[0].contains(#""command":"showCars""#) && !resolved.lines[0].contains("explanation"))
        #expect(
            resolved.lines[1...3] == [
                "  A user activity.", "  The app is cars.", "  activities[0] (line 1) matched.",
            ])
        #expect(resolved.lines[4].contains("malformedMessage"))
        let json = try Program.run(
            ["resolve", "--config", "all.yaml", "--explain"], in: folder.path,
            input: #"{"activityType":"home","appID":"cars"}"#)
        #expect(json.output.contains(#""explanation":{"app":"cars","kind":"userActivity","#))
        let wrong = try Program.run(["resolve", "--config", "all.yaml", "--explain=xml"], in: folder.path)
        #expect(wrong.status == 64)
    }

    @Test func `check judges the files of all apps`() throws {
        let folder = try example(
            Self.apps.merging([
                "cars.yaml": "stores: [coredata:FamilyMovies.sqlite]\nentities: {Car: {command: openCar}}\n"
            ]) { $1 })
        let check = try Program.run(["check", "--config", "all.yaml"], in: folder.path)
        #expect(check.status == 78)
        #expect(check.lines.contains { $0.hasPrefix("cars.yaml:2:12: error: No store has the entity Car;") })
        #expect(check.lines.contains { $0.hasPrefix("deeplinks.yaml:1:1: note: ") })
        #expect(check.lines.last == "all.yaml: 1 problem to solve")
    }

    @Test func `check finds aliases that lead nowhere`() throws {
        let folder = try example([
            "a.yaml": """
            stores: [coredata:FamilyMovies.sqlite]
            storeAliases:
              OLD: 0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60
              OLDER: OLD
              OLDEST: NOWHERE
              0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60: 0d8a1c7e-9e2b-4f5d-8c3a-1b2c3d4e5f60

            """
        ])
        let check = try Program.run(["check", "--config", "a.yaml"], in: folder.path)
        #expect(check.status == 78)
        let warnings = check.lines.filter { $0.contains(": warning: ") }
        try #require(warnings.count == 3, "\(check.output)")
        #expect(warnings[0].hasPrefix("a.yaml:4:3: warning: The alias OLDER leads to OLD, which is an alias itself;"))
        #expect(
            warnings[1].hasPrefix("a.yaml:5:3: warning: The alias OLDEST leads to NOWHERE, which is no open store's"))
        #expect(warnings[2].hasPrefix("a.yaml:6:3: warning: "))
    }
}
