import Foundation
import Navigation
import Testing
import Worker

/// The page on troubleshooting has an entry for whatever the program can say, and none for what it cannot.
struct TroubleshootingTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Program.package.appendingPathComponent(path), encoding: .utf8)
    }

    /// The names in the first column of the table under a heading.
    private static func entries(
        under heading: String, of path: String = "Documentation/Troubleshooting.md"
    ) throws -> Set<String> {
        // The title is a heading like the others.
        let page = try "\n#" + text(path)
        let start = try #require(page.range(of: "\n## \(heading)\n")).upperBound
        let section = page[start...].components(separatedBy: "\n## ")[0]
        let names = section.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| "), !line.hasPrefix("| ---") else { return nil }
            return line.dropFirst(2).components(separatedBy: " | ")[0].trimmingCharacters(in: ["`"])
        }
        // The first line is the table's head.
        return Set(names.dropFirst())
    }

    /// What a pattern captures in the program's sources, in files whose names end so.
    private static func found(
        _ pattern: String, in folders: [String], filesEndingIn suffix: String = ".swift"
    ) throws -> Set<String> {
        let expression = try NSRegularExpression(pattern: pattern)
        var found: Set<String> = []
        for folder in folders {
            let files = FileManager.default.enumerator(atPath: Program.package.appendingPathComponent(folder).path)
            for case let file as String in try #require(files) where file.hasSuffix(suffix) {
                let source = try text("\(folder)/\(file)")
                for match in expression.matches(in: source, range: NSRange(source.startIndex..., in: source)) {
                    found.insert(String(source[try #require(Range(match.range(at: 1), in: source))]))
                }
            }
        }
        return found
    }

    @Test func `every log message has an entry, and every entry is a message`() throws {
        let events = try Self.found(
            #"\b[lL]og\.(?:debug|info|warning|error|write)\(\s*(?:[^"()]*\s)?"([^"\\]+)""#, in: ["Sources"])
        #expect(events.count > 20)
        // An event whose name is put together could not be searched for.
        let variable = try Self.found(#"\b([lL]og\.(?:debug|info|warning|error)\(\s*[^"\s)][^")]*\))"#, in: ["Sources"])
        #expect(variable == [])
        #expect(try Self.entries(under: "Log messages").symmetricDifference(events) == [])
    }

    @Test func `every reason has an entry`() throws {
        let answers = Set(NotHandledReason.allCases.map(\.rawValue))
        #expect(try Self.entries(under: "Answers that are not handled").symmetricDifference(answers) == [])
        let deadLetters = Set(RejectionReason.allCases.map(\.rawValue))
        #expect(try Self.entries(under: "Dead letters").symmetricDifference(deadLetters) == [])
        let unready = Set(UnreadyReason.allCases.map(\.text))
        #expect(try Self.entries(under: "Not ready").symmetricDifference(unready) == [])
    }

    @Test func `every metric has an entry`() throws {
        let metrics = try Self.found(
            #"\b(?:family|histogram)\(\s*"(deeplink_[a-z_]+)""#, in: ["Sources/Worker"])
        #expect(metrics.count > 15)
        let page = try Self.entries(under: "Metrics", of: "Documentation/Metrics.md")
        #expect(page.filter { $0.hasPrefix("deeplink_") }.symmetricDifference(metrics) == [])
    }

    @Test func `every exit status has an entry`() throws {
        let statuses = try Self.found(
            #"\n    case [a-zA-Z]+ = ([0-9]+)\n"#, in: ["Sources/deeplink-worker"], filesEndingIn: "ExitStatus.swift"
        ).union(
            Self.found(#"\n    case [a-zA-Z]+ = ([0-9]+)\n"#, in: ["Sources/Worker"], filesEndingIn: "ExitCode.swift"))
        #expect(statuses.isSuperset(of: ["0", "64", "65", "66", "69", "70", "74", "77", "78"]))
        #expect(try Self.entries(under: "Exit statuses").symmetricDifference(statuses) == [])
    }
}
