import AMQP
import CatalogStore
import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Items that come over the queue, and the answers that follow from them.
    @Suite(.enabled(if: WorkerProcess.isPresent, "\(WorkerProcess.absence)"))
    struct ItemsToAnswersTests {
        private static let configuration = """
            stores: [sqlite:catalog.sqlite]
            entities:
              Movie: {command: openMovieDetail, arguments: {name: $object.title}}
            searchResults:
              - identifier: movie-$id
                open: {entity: Movie, predicate: "uniqueIdentifier == $id"}
            activities:
              - activityType: movie
                open: {entity: Movie, predicate: "title ==[cd] $title"}

            """

        private func start(_ queues: QueueNames) throws -> WorkerProcess {
            let worker = try WorkerProcess(queues, configuration: Self.configuration)
            let path = worker.folder.appendingPathComponent("catalog.sqlite").path
            _ = try SQLiteCatalog(path: path, creating: true)
            try worker.startReady()
            return worker
        }

        private func answer(_ title: String, _ peer: Peer, _ queues: QueueNames) throws -> [String: Any] {
            peer.forget()
            try peer.publish(#"{"activityType":"movie","title":"\#(title)"}"#, to: queues.input)
            try peer.await(1)
            let message = try #require(peer.received.first)
            return try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
        }

        private static func item(_ id: Int, _ title: String, version: Int) -> String {
            #"{"index":{"uniqueIdentifier":"\#(id)","domainIdentifier":"films.\#(id)","entity":"Movie","#
                + #""attributeSet":{"title":"\#(title)"},"version":\#(version)}}"#
        }

        @Test func `the answers follow the items: added, changed, late, deleted`() throws {
            let queues = QueueNames()
            let worker = try start(queues)
            let peer = try Peer()
            try peer.consume(queues.reply)

            try peer.publish(Self.item(1, "Alien", version: 5), to: queues.items)
            try eventually("the item to be found") {
                try answer("ALIEN", peer, queues)["command"] as? String == "openMovieDetail"
            }

            try peer.publish(Self.item(1, "Aliens", version: 6), to: queues.items)
            try eventually("the change") {
                try answer("aliens", peer, queues)["handled"] as? Bool == true
            }
            #expect(try answer("Alien", peer, queues)["reason"] as? String == "objectNotFound")

            // A late message changes nothing; what comes behind it shows that it was taken.
            try peer.publish(Self.item(1, "Alien", version: 4), to: queues.items)
            try peer.publish(Self.item(2, "Up", version: 1), to: queues.items)
            try eventually("the second item") { try answer("up", peer, queues)["handled"] as? Bool == true }
            #expect(try answer("Alien", peer, queues)["reason"] as? String == "objectNotFound")

            try peer.publish(#"{"delete":{"domainIdentifiers":["films.1"]},"version":7}"#, to: queues.items)
            try eventually("the deletion") {
                try answer("Aliens", peer, queues)["reason"] as? String == "objectNotFound"
            }
            try peer.publish(Self.item(1, "Aliens", version: 6), to: queues.items)
            try peer.publish(Self.item(2, "Up!", version: 8), to: queues.items)
            try eventually("the last item") { try answer("up!", peer, queues)["handled"] as? Bool == true }
            #expect(try answer("Aliens", peer, queues)["reason"] as? String == "objectNotFound")

            #expect(try worker.terminate() == 0)
            #expect(try peer.connection.inspect(queue: queues.items).messageCount == 0)
            #expect(try peer.connection.inspect(queue: queues.dead).messageCount == 0)
        }

        @Test func `an unfinished stream of items survives a killed worker, and ends in the same catalog`() throws {
            let queues = QueueNames()
            let worker = try start(queues)
            let peer = try Peer()
            try peer.consume(queues.reply)
            let count = 3000
            for number in 0..<count {
                try peer.publish(Self.item(number, "Film \(number)", version: number), to: queues.items)
            }
            try peer.confirm()
            try worker.killHard()
            try worker.startReady()
            try eventually("the last item to be found", within: .seconds(60)) {
                try answer("Film \(count - 1)", peer, queues)["handled"] as? Bool == true
            }
            #expect(try worker.terminate() == 0)
            let path = worker.folder.appendingPathComponent("catalog.sqlite").path
            let description = try SQLiteCatalog(path: path).makeReader().describe()
            #expect(description.objectCounts.values.reduce(0, +) == count)
        }
    }
}
