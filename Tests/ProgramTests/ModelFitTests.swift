import Foundation
import Testing

/// `check` tells of data models that do not fit their stores.
struct ModelFitTests {
    private func check(entity: String, attributes: [String]) throws -> Program.Result {
        let folder = try Folder()
        try folder.addExample()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/App.xcdatamodel", withIntermediateDirectories: true)
        let lines = attributes.map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
        try folder.write(
            "App.xcdatamodel/contents",
            #"<model type="com.apple.IDECoreDataModeler.DataModel"><entity name="\#(entity)">"# + lines.joined()
                + "</entity></model>")
        // Without the store's own copy of its model, the model that is given counts.
        _ = try Program.shell(
            "python3 -c 'import sqlite3; d = sqlite3.connect(\"FamilyMovies.sqlite\"); "
                + "d.execute(\"DELETE FROM Z_MODELCACHE\"); d.commit()'", in: folder.path)
        try folder.write("c.yaml", "stores: [{url: coredata:FamilyMovies.sqlite, model: App.xcdatamodel}]\n")
        return try Program.run(["check", "--config", "c.yaml"], in: folder.path)
    }

    @Test func `a model of another app is a warning`() throws {
        let result = try check(entity: "Recipe", attributes: ["title"])
        #expect(result.status == 78)
        #expect(
            result.lines.first?.hasPrefix(
                "c.yaml:1:16: warning: The model App.xcdatamodel has none of the store's entities") == true,
            "\(result.output)")
    }

    @Test func `an attribute that the store does not have is noted`() throws {
        let result = try check(entity: "Poster", attributes: ["caption", "colour"])
        #expect(result.status == 0)
        #expect(result.output.contains("note: The model calls for what the store does not have"), "\(result.output)")
        #expect(result.output.contains("ZPOSTER.ZCOLOUR (Poster.colour)"))
    }

    @Test func `a model that is not needed is noted`() throws {
        let folder = try Folder()
        try folder.addExample()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/App.xcdatamodel", withIntermediateDirectories: true)
        try folder.write("App.xcdatamodel/contents", #"<model><entity name="Poster"/></model>"#)
        try folder.write("c.yaml", "stores: [{url: coredata:FamilyMovies.sqlite, model: App.xcdatamodel}]\n")
        let result = try Program.run(["check", "--config", "c.yaml"], in: folder.path)
        #expect(result.status == 0)
        #expect(result.output.contains("c.yaml:1:16: note: No version of the model App.xcdatamodel matches the store"))
    }
}
