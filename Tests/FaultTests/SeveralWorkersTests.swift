import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// Several workers share a queue.
    @Suite(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
    struct SeveralWorkersTests {
        @Test func `18 a queue with a single active consumer keeps the order of each key when the active one dies`() throws {
            let queues = QueueNames()
            let peer = try Peer()
            let topology = Topology(
                input: queues.input, reply: queues.reply, dead: queues.dead, items: nil, type: .quorum)
            for queue in topology.queues where queue.name != queues.input { try peer.connection.declare(queue) }
            // An argument of this kind is the operator's choice, so the workers take the queue as it is.
            let topologyInput = try #require(topology.queues.first { $0.name == queues.input })
            try Broker.control(
                "eval",
                """
                rabbit_amqqueue:declare(rabbit_misc:r(<<"/">>, queue, <<"\(queues.input)">>), true, false,
                 [{<<"x-queue-type">>, longstr, <<"quorum">>}, {<<"x-single-active-consumer">>, bool, true},
                  {<<"x-delivery-limit">>, long, \(Topology.deliveryLimit)}], none, <<"test">>).
                """)
            #expect(!topologyInput.arguments.isEmpty)
            let scenes = try (0..<2).map { _ in
                try Scene(queues: queues, prefetch: 50, throughProxy: false, arguments: ["--no-declare"])
            }
            try scenes[0].worker.startReady()
            try scenes[1].worker.start()
            let traffic = Traffic(to: queues.input, urls: [scenes[0].broker.url], perSecond: 500) { number in
                var request = Request.good(number)
                request.correlationID = "key\(number % 100).\(number / 100)"
                return request
            }
            for number in 0..<4 {
                hold(.seconds(2))
                let scene = scenes[number % 2]
                try scene.worker.killHard()
                hold(.seconds(1))
                try scene.worker.start()
            }
            let published = try traffic.stop()
            let answers = try Peer()
            try answers.consume(queues.reply)
            try answers.await(Set(published.confirmed.map { "re:" + $0 }), within: .seconds(60))
            var last: [String: Int] = [:]
            var seen: Set<String> = []
            for answer in answers.received where seen.insert(answer.messageID).inserted {
                let parts = answer.correlationID.split(separator: ".")
                let place = try #require(Int(parts[1]))
                #expect(place > last[String(parts[0]), default: -1], "\(answer.correlationID) came too late")
                last[String(parts[0])] = place
            }
            for scene in scenes { #expect(try scene.worker.terminate() == 0) }
            FaultRun.report("18", "\(published.confirmed.count) requests of 100 keys in order, 4 kills")
        }

        @Test func `19 ten workers share a queue fairly, and more and fewer of them do`() throws {
            let queues = QueueNames()
            let scenes = try (0..<10).map { _ in try Scene(queues: queues, prefetch: 20, throughProxy: false) }
            for scene in scenes { try scene.worker.startReady() }
            let traffic = scenes[0].traffic(perSecond: 1500)
            try eventually("some work", within: .seconds(60)) { traffic.confirmedCount > 8000 }
            let shares = try scenes.map { try $0.worker.metric("deeplink_deliveries_total") }
            let fair = shares.reduce(0, +) / 10
            #expect(shares.allSatisfy { $0 > fair / 3 && $0 < fair * 3 }, "\(shares)")
            for scene in scenes[5...] { #expect(try scene.worker.terminate() == 0) }
            for scene in scenes[7...] { try scene.worker.startReady() }
            hold(.seconds(2))
            try scenes[0].check(try traffic.stop(), scenario: "19", repeatsMax: 0)
            for scene in scenes where scene.worker.isRunning { #expect(try scene.worker.terminate() == 0) }
            FaultRun.report("19", "shares of ten workers: \(shares.map(Int.init))")
        }
    }
}
