import CoreDataStore
import Foundation
import PersistentStore
import StoreTestSupport
import Testing

/// Opening files, also such as are no stores, without leaving anything behind.
struct OpeningTests {
    /// What opening a file says, after a check that the folder stays as it is.
    private func complaint(_ folder: TemporaryFolder, _ path: String) throws -> StoreError? {
        let before = try contents(of: folder.path)
        var complaint: StoreError?
        do throws(StoreError) { _ = try CoreDataFile(path: path) } catch { complaint = error }
        #expect(try contents(of: folder.path) == before)
        return complaint
    }

    @Test func `what is not a store is refused with a sentence that says what to do`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        func refusal(writing bytes: [UInt8]) throws -> StoreError? {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return try self.complaint(folder, path)
        }
        let missing = try complaint(folder, folder.path + "/nothing.sqlite")
        #expect(missing?.code == .missing && missing?.description.contains("does not exist") == true)
        let isFolder = try complaint(folder, folder.path)
        #expect(isFolder?.code == .invalid && isFolder?.description.contains("is a folder") == true)
        #expect(try refusal(writing: [])?.description.contains("is empty") == true)
        #expect(try refusal(writing: Array("Hello".utf8))?.description.contains("not an SQLite file") == true)
        #expect(try refusal(writing: Array("<?xml version='1.0'?>".utf8))?.description.contains("XML") == true)
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<8192).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let encrypted = try refusal(writing: noise)
        #expect(encrypted?.code == .invalid && encrypted?.description.contains("looks encrypted") == true)
    }

    @Test func `an SQLite file that is no store is told from a store`() throws {
        let folder = try TemporaryFolder()
        try SQLiteFile(folder.path + "/other.sqlite").run("CREATE TABLE users (id INTEGER)")
        let other = try complaint(folder, folder.path + "/other.sqlite")
        #expect(other?.code == .invalid && other?.description.contains("not a Core Data") == true)
        // A view could run anything; it is not taken for a table.
        try SQLiteFile(folder.path + "/view.sqlite").run(
            """
            CREATE VIEW Z_METADATA AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)
              SELECT i AS Z_UUID, i AS Z_PLIST FROM n;
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER);
            """)
        #expect(try complaint(folder, folder.path + "/view.sqlite")?.code == .invalid)
    }

    @Test func `a store without property list, model or identifier does not crash`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien", entity: 2)
        try movies.app.run("UPDATE Z_METADATA SET Z_PLIST = NULL; UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
        let store = try CoreDataFile(path: movies.path).makeStore()
        #expect(try store.describe().modelSource == .columns)
        guard case .found(let object) = try store.object(entity: "Movie", primaryKey: 1) else {
            Issue.record("not found")
            return
        }
        #expect(object.uri.entity == "ShortFilm" && object.attributes["name"] == .string("Alien"))
        #expect(object.attributes["remoteid"] == .null)
        try movies.app.run("DELETE FROM Z_MODELCACHE; UPDATE Z_METADATA SET Z_UUID = NULL")
        #expect(try complaint(folder, movies.path)?.description.contains("no store identifier") == true)
        try movies.app.run("DELETE FROM Z_METADATA")
        #expect(try complaint(folder, movies.path)?.code == .invalid)
    }

    @Test func `a file cut off at any length is refused or read, never more`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        for key in Int64(1)...300 { try movies.addMovie(key, "Movie \(key)") }
        let whole = try Data(contentsOf: URL(fileURLWithPath: movies.path))
        let path = folder.path + "/cut.sqlite"
        var refused = 0
        for length in stride(from: 1, to: whole.count, by: 1777) {
            try whole.prefix(length).write(to: URL(fileURLWithPath: path))
            if try complaint(folder, path)?.code == .invalid { refused += 1 }
        }
        #expect(refused == (whole.count - 2) / 1777 + 1)
    }

    @Test func `rows in the log of a living app are read, and its files stay as they are`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0")
        try movies.addMovie(1, "Alien")
        let before = try contents(of: folder.path)
        let store = try CoreDataFile(path: movies.path).makeStore()
        guard case .found(let object) = try store.object(entity: "Movie", primaryKey: 1) else {
            Issue.record("the row in the log was lost")
            return
        }
        #expect(object.attributes["name"] == .string("Alien"))
        #expect(try store.describe().readsCopy)
        #expect(try contents(of: folder.path) == before)
    }

    @Test func `the journal of an app that died is rolled back in a copy, not in the folder`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.addMovie(1, "Alien")
        // A small cache makes SQLite write pages before the commit: the copy taken then is what a crash leaves.
        try movies.app.run("PRAGMA cache_size=1; PRAGMA synchronous=FULL; BEGIN; UPDATE ZMOVIE SET ZNAME = 'Torn'")
        for key in Int64(2)...400 { try movies.addMovie(key, String(repeating: "x", count: 200)) }
        let crashed = try TemporaryFolder()
        for name in ["m.sqlite", "m.sqlite-journal"] {
            try FileManager.default.copyItem(
                atPath: folder.path + "/" + name, toPath: crashed.path + "/" + name)
        }
        try movies.app.run("ROLLBACK")
        let before = try contents(of: crashed.path)
        let store = try CoreDataFile(path: crashed.path + "/m.sqlite").makeStore()
        guard case .found(let object) = try store.object(entity: "Movie", primaryKey: 1) else {
            Issue.record("not found")
            return
        }
        #expect(object.attributes["name"] == .string("Alien"))
        guard case .notFound = try store.object(entity: "Movie", primaryKey: 2) else {
            Issue.record("a row that was never committed was found")
            return
        }
        #expect(try contents(of: crashed.path) == before)
    }

    @Test func `private copies go with their stores, and those of dead processes with the next copy`() throws {
        func copies() throws -> Set<String> {
            Set(
                try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).filter {
                    $0.hasPrefix("deeplink-store-")
                })
        }
        let abandoned = NSTemporaryDirectory() + "deeplink-store-abandoned" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: abandoned, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: abandoned + "/owner"))
        try Data("old".utf8).write(to: URL(fileURLWithPath: abandoned + "/store"))
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        try movies.app.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0")
        try movies.addMovie(1, "Alien")
        let before = try copies()
        do {
            let file = try CoreDataFile(path: movies.path)
            let new = try copies().subtracting(before)
            #expect(!new.isEmpty)
            for name in new {
                let mode = try FileManager.default.attributesOfItem(atPath: NSTemporaryDirectory() + name)
                #expect(mode[.posixPermissions] as? Int == 0o700)
            }
            #expect(try file.makeStore().describe().readsCopy)
        }
        #expect(!FileManager.default.fileExists(atPath: abandoned))
    }

    @Test func `odd names of files and folders are no obstacle`() throws {
        let folder = try TemporaryFolder()
        let odd = folder.path + "/a ?#%41;\u{e9}'\""
        try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: true)
        let movies = try SyntheticStore.movies(odd + "/m?x=1#%.sqlite")
        try movies.addMovie(1, "Alien")
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: movies.path)
        for path in [movies.path, link] {
            guard case .found = try CoreDataFile(path: path).makeStore().object(entity: "Movie", primaryKey: 1) else {
                Issue.record("not found through \(path)")
                continue
            }
        }
    }
}
