import AMQP
import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite(.enabled(if: WorkerProcess.isPresent, Comment(rawValue: WorkerProcess.absence)))
    struct KilledWorkerTests {
        private static let configuration = """
            activities:
              - {activityType: com.example.tab, title: Movies, command: openTab, arguments: {index: 1}}
            """

        /// One request: the even ones are handled, the odd ones are not; every hundredth is no JSON at all.
        private static func body(_ number: Int) -> String {
            if number % 100 == 99 { return "no JSON \(number)" }
            let title = number.isMultiple(of: 2) ? "Movies" : "Shows \(number)"
            return #"{"activityType":"com.example.tab","title":"\#(title)"}"#
        }

        @Test func `ten thousand requests survive five kills, each with its answer or dead letter`() throws {
            let count = 10_000
            let queues = QueueNames()
            let worker = try WorkerProcess(queues, configuration: Self.configuration)
            try worker.start()
            let answers = try Peer()
            try eventually("the queues to be declared") {
                (try? answers.connection.inspectQuietly(queues.input)) != nil
                    && (try? answers.connection.inspectQuietly(queues.reply)) != nil
            }
            try answers.consume(queues.reply)
            let requests = try Peer()
            for number in 0..<count {
                try requests.publish(Self.body(number), to: queues.input) {
                    $0.messageID = $0.text("m\(number)")
                    $0.correlationID = $0.text("c\(number)")
                }
            }
            try requests.confirm()
            // Each kill comes when some more requests have been answered, so that it hits the work under way.
            for round in 1...5 {
                try answers.await(round * 1500, within: .seconds(60))
                try worker.killHard()
                try worker.start()
            }
            let dead = try Peer()
            try dead.consume(queues.dead)
            let rejected = Set((0..<count).filter { $0 % 100 == 99 })
            let answered = Set(0..<count).subtracting(rejected)
            try answers.await(Set(answered.map { "re:m\($0)" }), within: .seconds(120))
            try dead.await(Set(rejected.map { "m\($0)" }))
            for answer in answers.received {
                #expect(answer.messageID == "re:m" + answer.correlationID.dropFirst())
            }
            // Repeats are at most what was under way at each kill, and say the same.
            #expect(answers.received.count - answered.count <= 5 * 501)
            let texts = Dictionary(grouping: answers.received, by: \.messageID).mapValues { Set($0.map(\.text)) }
            #expect(texts.values.allSatisfy { $0.count == 1 })
            #expect(try worker.terminate() == 0)
            #expect(try requests.connection.inspect(queue: queues.input).messageCount == 0)
        }

        @Test func `a termination ends clean with nothing left behind`() throws {
            let queues = QueueNames()
            let worker = try WorkerProcess(queues, configuration: Self.configuration)
            try worker.start()
            let peer = try Peer()
            try eventually("the queues to be declared") {
                (try? peer.connection.inspectQuietly(queues.input)) != nil
            }
            for number in 0..<5000 {
                try peer.publish(Self.body(number), to: queues.input) { $0.messageID = $0.text("m\(number)") }
            }
            try peer.confirm()
            #expect(try worker.terminate() == 0)
            try worker.start()
            try peer.consume(queues.reply)
            try peer.await(4950)
            #expect(try worker.terminate() == 0)
            try peer.turn()
            #expect(peer.received.count == 4950, "a clean end repeats no answer")
        }
    }
}
