import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// The store's file is written by others, replaced, locked, broken or gone.
    ///
    /// Scenario 13 asks for a handler that always fails and 14 for a store that is down: here both are a store that
    /// cannot answer.
    struct StoreFaultTests {
        private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/FamilyMovies").standardizedFileURL

        private static let configuration = """
            stores: [coredata:FamilyMovies.sqlite]
            entities:
              Movie: {command: openMovieDetail, arguments: {name: $object.name}}
            activities:
              - activityType: movie
                open: {entity: Movie, predicate: "name ==[cd] $title"}
            """

        private static let uri = "x-coredata://0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60/Movie/p1"
        private static let byURI =
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"\#(uri)"}}"#

        private static func byName(_ name: String) -> String { #"{"activityType":"movie","title":"\#(name)"}"# }

        /// A worker with a store of its own.
        private struct Stage {
            let scene: Scene
            let asker: Asker
            let store: URL

            init() throws {
                scene = try Scene(configuration: StoreFaultTests.configuration, throughProxy: false)
                store = scene.worker.folder.appendingPathComponent("FamilyMovies.sqlite")
                try FileManager.default.copyItem(
                    at: StoreFaultTests.example.appendingPathComponent("FamilyMovies.sqlite"), to: store)
                try scene.worker.startReady()
                asker = try Asker(scene)
                let answer = try asker.ask(StoreFaultTests.byURI)
                try #require(answer?.contains(#""command":"openMovieDetail""#) == true, "\(answer ?? "no answer")")
            }

            /// Runs SQL on a store in another process.
            func change(_ store: URL, _ sql: String) throws {
                try run("/usr/bin/env", ["python3", "-c", StoreFaultTests.script, store.path, sql])
            }

            /// Ends the worker; nothing may have been dead-lettered or left.
            func end(_ scenario: String, _ what: String) throws {
                #expect(
                    try scene.broker.state(of: [scene.queues.dead, scene.queues.input]).values.allSatisfy {
                        $0 == .empty
                    })
                #expect(try scene.worker.metric("deeplink_dead_letters_total") == 0)
                #expect(try scene.worker.terminate() == 0)
                FaultRun.report(scenario, what)
            }
        }

        private static let script =
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"

        @Test func `a store that another process writes to is followed within a second`() throws {
            let stage = try Stage()
            for name in ["Alien Resurrection", "Aliens"] {
                try stage.change(stage.store, "UPDATE ZMOVIE SET ZNAME = '\(name)' WHERE Z_PK = 1")
                let written = ContinuousClock.now
                try eventually("the new name", within: .seconds(1)) {
                    try stage.asker.ask(Self.byURI)?.contains(#""name":"\#(name)""#) == true
                        && stage.asker.ask(Self.byName(name))?.contains(#""name":"\#(name)""#) == true
                }
                #expect(ContinuousClock.now - written < .seconds(1))
            }
            try stage.end("store written", "answers follow within a second")
        }

        @Test func `a store that is replaced is followed within a second`() throws {
            let stage = try Stage()
            let other = stage.scene.worker.folder.appendingPathComponent("other.sqlite")
            try FileManager.default.copyItem(at: Self.example.appendingPathComponent("FamilyMovies.sqlite"), to: other)
            try stage.change(other, "UPDATE ZMOVIE SET ZNAME = 'Replaced' WHERE Z_PK = 1")
            // Written beside and renamed, as an app that restores a copy does.
            try Data(contentsOf: other).write(to: stage.store, options: .atomic)
            try eventually("the new name", within: .seconds(1)) {
                try stage.asker.ask(Self.byURI)?.contains(#""name":"Replaced""#) == true
            }
            try stage.end("store replaced", "answers follow within a second")
        }

        @Test func `requests wait while the store's file is away, and no attempt is counted against them`() throws {
            let stage = try Stage()
            let away = stage.scene.worker.folder.appendingPathComponent("away")
            try FileManager.default.moveItem(at: stage.store, to: away)
            try waitOut(stage, "store removed") { try FileManager.default.moveItem(at: away, to: stage.store) }
        }

        @Test func `requests wait while the store's file is not a store`() throws {
            let stage = try Stage()
            let good = try Data(contentsOf: stage.store)
            try Data(repeating: 0x41, count: good.count).write(to: stage.store)
            try waitOut(stage, "store broken") { try good.write(to: stage.store, options: .atomic) }
        }

        @Test func `requests wait while another process holds the store locked`() throws {
            let stage = try Stage()
            let holder = Process()
            holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            holder.arguments = [
                "python3", "-c",
                """
                import sqlite3, sys
                c = sqlite3.connect(sys.argv[1], isolation_level=None)
                c.execute("PRAGMA locking_mode = EXCLUSIVE"); c.execute("BEGIN EXCLUSIVE")
                c.execute("UPDATE ZMOVIE SET ZNAME = 'Locked' WHERE Z_PK = 1")
                print("locked", flush=True); sys.stdin.read(); c.execute("COMMIT"); c.close()
                """, stage.store.path,
            ]
            let (input, output) = (Pipe(), Pipe())
            holder.standardInput = input
            holder.standardOutput = output
            try holder.runWithoutBlockedSignals()
            defer { if holder.isRunning { holder.terminate() } }
            _ = output.fileHandleForReading.availableData
            // What is held in memory may be answered; what must be looked up waits for the lock.
            let published = try stage.scene.publish(50) { Request(Self.byName("nothing \($0)")) }
            hold(.seconds(FaultRun.isFull ? 30 : 2))
            #expect(stage.scene.worker.isLive)
            try input.fileHandleForWriting.close()
            holder.waitUntilExit()
            try eventually("the new name", within: .seconds(1)) {
                try stage.asker.ask(Self.byURI)?.contains(#""name":"Locked""#) == true
            }
            try stage.scene.check(published, scenario: "store locked", repeatsMax: 0, deadLetters: [])
            try stage.end("store locked", "answers follow within a second of the lock's end")
        }

        /// Publishes during an outage, ends it, and sees that everything is answered within a second.
        private func waitOut(_ stage: Stage, _ scenario: String, _ restore: () throws -> Void) throws {
            let scene = stage.scene
            let published = try scene.publish(200) { number in
                Request(number.isMultiple(of: 2) ? Self.byURI : Self.byName("Up \(number)"))
            }
            try eventually("the outage to show; \(scene.worker.log)") {
                scene.worker.unreadyReasons.contains("a store is unavailable")
            }
            hold(.seconds(FaultRun.isFull ? 60 : 2))
            #expect(scene.worker.isLive)
            #expect(try scene.answerCount() == 0)
            try restore()
            // The last wait between two looks at the store is at most five seconds.
            try scene.worker.ready(within: .seconds(7))
            try scene.check(published, scenario: "13, 14 \(scenario)", repeatsMax: 0, deadLetters: [])
            let log = scene.worker.log
            #expect(!log.contains("lost the consuming"), "the requests were held, not given back")
            try stage.end("13, 14 \(scenario)", "requests were held, and answered when the store was back")
        }
    }
}
