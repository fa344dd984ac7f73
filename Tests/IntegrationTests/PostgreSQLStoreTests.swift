import AMQP
import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// The worker on a catalog in PostgreSQL.
    @Suite(
        .enabled(
            if: Database.isPresent && WorkerProcess.isPresent,
            Comment(rawValue: "\(Database.absence), or \(WorkerProcess.absence)")))
    struct PostgreSQLStoreTests {
        private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/FamilyMovies").standardizedFileURL

        private static func file(_ name: String) -> String { example.appendingPathComponent(name).path }

        /// The example's configuration for a catalog in place of the app's file.
        private static func configuration(_ url: String) throws -> String {
            try String(contentsOfFile: file("deeplinks.yaml"), encoding: .utf8)
                .replacing("coredata:FamilyMovies.sqlite", with: "\"\(url)\"")
                .replacing("apple-app-site-association.json", with: file("apple-app-site-association.json"))
        }

        /// The answers of `resolve`, a line each.
        private static func resolve(_ configuration: String) throws -> [String] {
            let program = try #require(WorkerProcess.path)
            let text = try run(program, ["resolve", "--config", configuration, file("activities.ndjson")])
            return text.split(separator: "\n").map { comparable(String($0)) }
        }

        /// An answer without its sentence: a catalog does not know what the app had deleted before it was imported.
        private static func comparable(_ answer: String) -> String {
            answer.replacing(/"message":"[^"]*",/, with: "")
        }

        @Test func `an imported catalog answers as the app's store does, also over the queue`() throws {
            let program = try #require(WorkerProcess.path)
            let database = try TestDatabase()
            let pooled = Database.poolerURLText == nil ? nil : try database.pooledURL
            try run(program, ["store", "import", "--store", database.url, Self.file("FamilyMovies.sqlite")])
            let expected = try Self.resolve(Self.file("deeplinks.yaml"))
            #expect(expected.count > 10)
            let activities = try String(contentsOfFile: Self.file("activities.ndjson"), encoding: .utf8)
                .split(separator: "\n").map(String.init)
            for url in [database.url, pooled].compactMap(\.self) {
                let worker = try WorkerProcess(QueueNames(), configuration: try Self.configuration(url))
                #expect(try Self.resolve(worker.folder.appendingPathComponent("deeplinks.yaml").path) == expected)
                try worker.startReady()
                let peer = try Peer()
                try peer.consume(worker.queues.reply)
                for round in 0..<20 {
                    for (number, activity) in activities.enumerated() {
                        try peer.publish(activity, to: worker.queues.input) {
                            $0.messageID = $0.text("\(round).\(number)")
                        }
                    }
                }
                try peer.confirm()
                try peer.await(20 * activities.count)
                for message in peer.received {
                    let number = try #require(message.messageID.split(separator: ".").last.flatMap { Int($0) })
                    #expect(Self.comparable(message.text) == expected[number])
                }
                #expect(try worker.terminate() == 0)
                #expect(!worker.log.contains(try #require(url.firstMatch(of: /:([^:@]*)@/)?.1)))
            }
        }

        @Test func `items that the command line indexes are found at once`() throws {
            let program = try #require(WorkerProcess.path)
            let database = try TestDatabase()
            try run(program, ["store", "import", "--store", database.url, Self.file("FamilyMovies.sqlite")])
            let worker = try WorkerProcess(QueueNames(), configuration: try Self.configuration(database.url))
            try worker.startReady()
            let peer = try Peer()
            try peer.consume(worker.queues.reply)
            let activity = #"{"activityType":"com.familymovies.movieDetailView","title":"zardoz"}"#
            func ask(_ id: String) throws -> String {
                try peer.publish(activity, to: worker.queues.input) { $0.messageID = $0.text(id) }
                try peer.await(["re:" + id])
                return peer.received.last { $0.messageID == "re:" + id }?.text ?? ""
            }
            #expect(try ask("1").contains(#""reason":"objectNotFound""#))
            let item = #"{"uniqueIdentifier":"s","entity":"Movie","attributeSet":{"name":"Zardoz"}}"#
            try run(program, ["store", "index", "--store", database.url, item])
            #expect(try ask("2").contains(#""name":"Zardoz""#))
            try run(program, ["store", "delete", "--store", database.url, "s"])
            #expect(try ask("3").contains(#""reason":"objectNotFound""#))
            #expect(try worker.terminate() == 0)
        }
    }
}
