import AMQP
import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// A worker whose configuration changes while it works.
    @Suite(.enabled(if: WorkerProcess.isPresent, "\(WorkerProcess.absence)"))
    struct ReloadTests {
        private static func configuration(_ command: String) -> String {
            "activities: [{activityType: open, command: \(command)}]\n"
        }

        /// Sends a request and returns the command of its answer.
        private func command(
            _ peer: Peer, _ queues: QueueNames, _ activity: String = #"{"activityType":"open"}"#, appID: String = ""
        ) throws -> String {
            peer.forget()
            try peer.publish(activity, to: queues.input) { $0.appID = $0.text(appID) }
            try peer.await(1)
            let answer = try #require(peer.received.first)
            let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
            return try #require(json["command"] as? String ?? json["reason"] as? String)
        }

        private func start(_ configuration: String) throws -> (worker: WorkerProcess, queues: QueueNames, peer: Peer) {
            let queues = QueueNames()
            let worker = try WorkerProcess(queues, configuration: configuration)
            try worker.start()
            let peer = try Peer()
            try eventually("the queues to be declared") {
                (try? peer.connection.inspectQuietly(queues.input)) != nil
                    && (try? peer.connection.inspectQuietly(queues.reply)) != nil
            }
            try peer.consume(queues.reply)
            return (worker, queues, peer)
        }

        @Test func `a changed file is taken over, and a wrong one is not`() throws {
            let (worker, queues, peer) = try start(Self.configuration("first"))
            #expect(try command(peer, queues) == "first")
            try worker.write(Self.configuration("second"))
            try eventually("the new command") { try command(peer, queues) == "second" }
            try worker.write("activities: [{activityType: open}]\n")
            try eventually("the log line") { worker.log.contains("kept the former configuration") }
            #expect(try command(peer, queues) == "second")
            try worker.write(Self.configuration("third"))
            try eventually("the new command") { try command(peer, queues) == "third" }
            #expect(try worker.terminate() == 0)
            let lines = worker.log.split(separator: "\n")
            #expect(lines.count { $0.contains(" info reloaded the configuration ") } == 2)
            let failure = try #require(lines.first { $0.contains(" error kept the former configuration ") })
            #expect(failure.contains(":1:14: The rule does nothing; name a command, or say what to open."))
        }

        @Test func `SIGHUP reads the configuration again, changed or not`() throws {
            let (worker, queues, peer) = try start(Self.configuration("first"))
            #expect(try command(peer, queues) == "first")
            for count in 1...2 {
                worker.signal(SIGHUP)
                try eventually("log line \(count)") {
                    worker.log.split(separator: "\n").count { $0.contains("because=SIGHUP") } == count
                }
            }
            #expect(try command(peer, queues) == "first")
            #expect(try worker.terminate() == 0)
        }

        @Test func `requests under way are all answered, once, while the configuration changes again and again`() throws
        {
            let (worker, queues, peer) = try start(Self.configuration("c0"))
            #expect(try command(peer, queues) == "c0")
            peer.forget()
            let count = 20_000
            for number in 0..<count {
                try peer.publish(#"{"activityType":"open"}"#, to: queues.input) { $0.messageID = $0.text("m\(number)") }
                guard number.isMultiple(of: 2000) else { continue }
                try worker.write(Self.configuration("c\(number)"))
                worker.signal(SIGHUP)
            }
            try peer.await(count, within: .seconds(60))
            #expect(Set(peer.received.map(\.messageID)) == Set((0..<count).map { "re:m\($0)" }))
            #expect(peer.received.allSatisfy { $0.text.contains(#""command":"c"#) })
            #expect(try worker.terminate() == 0)
            #expect(peer.received.count == count)
        }

        @Test func `an app's own file is watched, and a new app is there without a restart`() throws {
            let folder = try Folder()
            try folder.write("a.yaml", Self.configuration("fromA"))
            let (worker, queues, peer) = try start("apps: {a: \(folder.path)/a.yaml}\n")
            #expect(try command(peer, queues, appID: "a") == "fromA")
            #expect(try command(peer, queues, appID: "b") == "unknownApp")
            try folder.write("a.yaml", Self.configuration("fromNewA"))
            try eventually("the new command") { try command(peer, queues, appID: "a") == "fromNewA" }
            // A file that is missing keeps what was; when it comes, it is taken.
            try worker.write("apps: {a: \(folder.path)/a.yaml, b: \(folder.path)/b.yaml}\n")
            try eventually("the log line") { worker.log.contains("b.yaml' does not exist") }
            #expect(try command(peer, queues, appID: "b") == "unknownApp")
            try folder.write("b.yaml", Self.configuration("fromB"))
            try eventually("the new app") { try command(peer, queues, appID: "b") == "fromB" }
            #expect(try worker.terminate() == 0)
        }

        @Test func `an association file is watched, through links that are replaced`() throws {
            func association(_ path: String) -> String {
                #"{"applinks":{"details":[{"appIDs":["T.app"],"components":[{"/":"\#(path)"}]}]}}"#
            }
            let folder = try Folder()
            for (version, path) in [("v1", "/movie/*"), ("v2", "/book/*")] {
                try FileManager.default.createDirectory(
                    atPath: folder.path + "/" + version, withIntermediateDirectories: false)
                try folder.write(version + "/aasa.json", association(path))
            }
            try folder.link("current", to: "v1")
            let (worker, queues, peer) = try start(
                """
                links:
                  appID: T.app
                  domains: {www.example.com: "\(folder.path)/current/aasa.json"}
                  routes: [{path: "/:kind/:name", command: openPage}]

                """)
            let book =
                #"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://www.example.com/book/1"}"#
            #expect(try command(peer, queues, book) == "linkNotClaimed")
            try folder.link("current", to: "v2")
            try eventually("the link to be claimed") { try command(peer, queues, book) == "openPage" }
            #expect(try worker.terminate() == 0)
        }

        @Test func `a store that is not there yet is waited for, with the former configuration in use`() throws {
            let folder = try Folder()
            let (worker, queues, peer) = try start(Self.configuration("first"))
            #expect(try command(peer, queues) == "first")
            try worker.write(Self.configuration("second") + "stores: [coredata:\(folder.path)/later.sqlite]\n")
            try eventually("the log line") { worker.log.contains("later.sqlite") }
            #expect(try command(peer, queues) == "first")
            let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Examples/FamilyMovies/FamilyMovies.sqlite").standardizedFileURL.path
            try FileManager.default.copyItem(atPath: example, toPath: folder.path + "/later.sqlite")
            try eventually("the new command") { try command(peer, queues) == "second" }
            #expect(try worker.terminate() == 0)
        }

        @Test func `an app may name its own reply queues only`() throws {
            let folder = try Folder()
            try folder.write("a.yaml", Self.configuration("fromA") + "replyTo: [\"test.*.a\"]\n")
            try folder.write("b.yaml", Self.configuration("fromB") + "replyTo: [\"test.*.b\"]\n")
            let (worker, queues, peer) = try start("apps: {a: \(folder.path)/a.yaml, b: \(folder.path)/b.yaml}\n")
            let name = "test.\(queues.id).a"
            try peer.connection.declare(QueueDeclaration(name: name, arguments: []))
            let dead = try Peer()
            try dead.consume(queues.dead)
            try peer.consume(name)
            for appID in ["a", "b", ""] {
                try peer.publish(#"{"activityType":"open","appID":"a"}"#, to: queues.input) {
                    $0.messageID = $0.text("for-\(appID)")
                    $0.appID = $0.text(appID)
                    $0.replyTo = $0.text(name)
                }
            }
            try peer.await(["re:for-a", "re:for-"])
            try dead.await(["for-b"])
            #expect(dead.received.first?.raw.textHeaders()["deeplink-reason"] == "replyToNotAllowed")
            #expect(try worker.terminate() == 0)
        }
    }
}
