import Foundation
import Testing

struct ManualPageTests {
    /// Formats the page as `man` does, for a terminal of 200 columns.
    private static func format(_ page: String) throws -> (text: String, warnings: String, status: Int32) {
        let folder = try Folder()
        try folder.write("deeplink-worker.1", page)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/man")
        process.arguments = ["--warnings", "-E", "UTF-8", "-l", "./deeplink-worker.1"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "200", "HOME": folder.path]
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let warnings = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            String(decoding: text, as: UTF8.self), String(decoding: warnings, as: UTF8.self), process.terminationStatus
        )
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"), "man is not installed"))
    func `man formats the page without a warning, and it has every command and flag`() throws {
        let page = try Program.run(["man"], in: Program.package.path)
        #expect(page.status == 0)
        let (text, warnings, status) = try Self.format(page.output)
        #expect(status == 0)
        #expect(warnings.isEmpty, "\(warnings)")
        let known = try Program.run(["flags", "?"], in: Program.package.path).errors
        let names = try #require(known.split(separator: ": ").last).split { ",.\n".contains($0) }
        #expect(names.count >= 10)
        for name in names.map({ $0.trimmingCharacters(in: .whitespaces) }) {
            #expect(text.contains("\n   \(name)\n"), "no section for \(name)")
            let flags = try Program.run(
                ["flags"] + name.split(separator: " ").map(String.init), in: Program.package.path)
            for row in flags.lines.dropFirst(2) {
                let flag = try #require(row.split { "` =[".contains($0) }.dropFirst().first)
                #expect(text.contains("       \(flag)"), "\(name): \(flag)")
            }
        }
        #expect(text.contains("EXIT STATUS"))
    }
}
