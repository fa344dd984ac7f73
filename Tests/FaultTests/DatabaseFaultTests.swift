import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// The database behind a catalog is away, silent, full, read-only, refuses the worker, or is another one.
    ///
    /// Whatever happens to it, requests wait: none is lost, and none is dead-lettered for the database's sake.
    struct DatabaseFaultTests {
        /// A worker with a database of its own.
        private struct Stage {
            let database: PrivateDatabase
            let scene: Scene

            init(_ database: PrivateDatabase? = nil, url: String? = nil, isReady: Bool = true) throws {
                let database = try database ?? PrivateDatabase()
                self.database = database
                if isReady { try database.index(["Alien", "Aliens"]) }
                scene = try Scene(
                    configuration: MovieCatalog.configuration(url ?? database.url), throughProxy: false)
                if isReady { try start() }
            }

            func start() throws {
                try scene.worker.startReady()
                try expectAnswer("Alien")
            }

            /// Asks, and expects the movie's name in the answer.
            func expectAnswer(_ name: String) throws {
                let answer = try Asker(scene, timeout: .seconds(60)).ask(MovieCatalog.byURI)
                #expect(
                    answer?.contains(#""name":"\#(name)""#) == true, "\(answer ?? "no answer"); \(scene.worker.log)")
            }

            /// Waits until the worker says that a store is unavailable, while it stays alive.
            func expectOutage() throws {
                try eventually("the outage to show; \(scene.worker.log.suffix(2000))", within: .seconds(60)) {
                    scene.worker.unreadyReasons.contains("a store is unavailable")
                }
                #expect(scene.worker.isLive)
            }

            /// Has requests come all the time while something happens to the database; nothing may be lost.
            func ride(_ scenario: String, _ trouble: () throws -> Void) throws {
                let traffic = Traffic(
                    to: scene.queues.input, urls: [scene.broker.url], perSecond: 200,
                    request: MovieCatalog.request)
                let before = try scene.answerCount()
                try scene.progress(beyond: before)
                try trouble()
                try scene.worker.ready(within: .seconds(60))
                let after = try scene.answerCount()
                try scene.progress(beyond: after)
                let published = try traffic.stop()
                try scene.check(published, scenario: scenario, repeatsMax: 0)
                // The requests were held, not given back. But what is on its way to a consumer while that is cancelled,
                // a quorum queue takes back by itself and delivers again.
                #expect(!scene.worker.log.contains("has been unavailable for"))
                #expect(try scene.worker.metric("deeplink_deliveries_total", #"redelivered="true""#) < 20)
                #expect(try scene.worker.terminate() == 0)
            }
        }

        @Test func `a database that is not there yet is waited for`() throws {
            let database = try PrivateDatabase()
            try database.index(["Alien"])
            try database.halt()
            let stage = try Stage(database, isReady: false)
            try stage.scene.worker.start()
            try stage.expectOutage()
            try database.resume()
            try stage.scene.worker.ready(within: .seconds(60))
            try stage.expectAnswer("Alien")
            #expect(try stage.scene.worker.terminate() == 0)
        }

        @Test func `a catalog that is not there yet is waited for`() throws {
            let stage = try Stage(isReady: false)
            try stage.scene.worker.start()
            try stage.expectOutage()
            #expect(stage.scene.worker.log.contains("has no catalog yet"))
            try stage.database.index(["Alien"])
            try stage.scene.worker.ready(within: .seconds(60))
            try stage.expectAnswer("Alien")
            #expect(try stage.scene.worker.terminate() == 0)
        }

        @Test func `a database that is killed and started again costs time alone`() throws {
            let stage = try Stage()
            try stage.ride("database killed") {
                try stage.database.signal("KILL")
                try stage.expectOutage()
                try stage.database.resume()
            }
        }

        @Test func `a database that restarts costs time alone`() throws {
            let stage = try Stage()
            try stage.ride("database restarted") {
                try stage.database.halt()
                try stage.database.resume()
            }
        }

        @Test func `a database that falls silent is given up, and waited for`() throws {
            let stage = try Stage()
            try stage.ride("database paused") {
                try stage.database.signal("STOP")
                defer { try? stage.database.signal("CONT") }
                try stage.expectOutage()
            }
        }

        @Test func `a database without a connection to spare is waited for`() throws {
            let stage = try Stage()
            try stage.ride("database without connections") {
                try stage.database.control("ALTER ROLE deeplink CONNECTION LIMIT 0")
                try stage.database.endConnections()
                try stage.expectOutage()
                try stage.database.control("ALTER ROLE deeplink CONNECTION LIMIT -1")
            }
        }

        @Test func `look-ups go on while a database is read-only`() throws {
            let stage = try Stage()
            try stage.ride("database read-only") {
                try stage.database.control("ALTER DATABASE deeplink SET default_transaction_read_only = on")
                try stage.database.endConnections()
                try stage.expectAnswer("Alien")
                #expect(stage.scene.worker.isReady)
                try stage.database.control(
                    "BEGIN READ WRITE; ALTER DATABASE deeplink RESET default_transaction_read_only; COMMIT")
            }
        }

        @Test func `a password that is changed is waited for`() throws {
            let stage = try Stage()
            let password = try #require(stage.database.url.firstMatch(of: /:([^:@]*)@/)?.1)
            try stage.ride("password changed") {
                try stage.database.control("ALTER ROLE deeplink PASSWORD 'another'")
                try stage.database.endConnections()
                try stage.expectOutage()
                try stage.database.control("ALTER ROLE deeplink PASSWORD '\(password)'")
            }
            #expect(!stage.scene.worker.log.contains(password))
        }

        @Test func `refused credentials end the worker at its start`() throws {
            let database = try PrivateDatabase()
            try database.index(["Alien"])
            let url = database.url.replacing(/:[^:@]*@/, with: ":mistaken@")
            let stage = try Stage(database, url: url, isReady: false)
            try stage.scene.worker.start()
            #expect(try stage.scene.worker.end() == 77)
            #expect(stage.scene.worker.log.contains("refuses the access"))
            #expect(!stage.scene.worker.log.contains("mistaken"))
        }

        @Test func `a catalog of a newer program ends the worker at its start, and is waited for later`() throws {
            let stage = try Stage()
            try stage.ride("catalog migrated") {
                try stage.database.control("UPDATE deeplink.catalog SET version = version + 1")
                try stage.expectOutage()
                try stage.database.control("UPDATE deeplink.catalog SET version = version - 1")
            }
            try stage.database.control("UPDATE deeplink.catalog SET version = version + 1")
            try stage.scene.worker.start()
            #expect(try stage.scene.worker.end() == 78)
            #expect(stage.scene.worker.log.contains("newer"))
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `the next host of the list is used when the first one is gone`() throws {
            let primary = try PrivateDatabase()
            try primary.index(["Alien", "Aliens"])
            let standby = try PrivateDatabase(following: primary)
            let url = primary.url.replacing(primary.address, with: "\(primary.address),\(standby.address)")
            let stage = try Stage(primary, url: url + "?target_session_attrs=read-write")
            try stage.ride("database failed over") {
                try primary.signal("KILL")
                try stage.expectOutage()
                try standby.control("SELECT pg_promote()")
            }
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `look-ups come from a standby, and items go to the server that takes writes`() throws {
            let primary = try PrivateDatabase()
            try primary.index(["Alien", "Aliens"])
            let standby = try PrivateDatabase(following: primary)
            let url = primary.url.replacing(primary.address, with: "\(standby.address),\(primary.address)")
            let stage = try Stage(primary, url: url + "?target_session_attrs=prefer-standby")
            let readers = try standby.control("SELECT count(*) FROM pg_stat_activity WHERE usename = 'deeplink'")
            #expect((Int(readers.filter(\.isNumber)) ?? 0) > 0)
            let item = Request(#"{"index":{"object":"\#(MovieCatalog.uri)","attributeSet":{"name":"Nostromo"}}}"#)
            _ = try Traffic(
                to: stage.scene.queues.items, urls: [stage.scene.broker.url], perSecond: 10, countMax: 1
            ) { _ in item }.end()
            try eventually("the item in an answer; \(stage.scene.worker.log)", within: .seconds(60)) {
                try Asker(stage.scene, timeout: .seconds(30)).ask(MovieCatalog.byURI)?.contains("Nostromo") == true
            }
            #expect(try stage.scene.worker.terminate() == 0)
        }
    }
}
