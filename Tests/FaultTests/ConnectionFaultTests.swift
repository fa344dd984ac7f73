import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// The connections between worker and broker are closed, cut, slowed down or made silent.
    struct ConnectionFaultTests {
        @Test(
            arguments: ["deeplink-worker consuming", "deeplink-worker publishing", "deeplink-worker"],
            FaultRun.isFull ? [1, 3] : [3])
        func `03 connections that an operator closes lose nothing`(name: String, pipelines: Int) throws {
            let rounds = FaultRun.isFull ? 15 : 2
            let scene = try Scene(pipelines: pipelines, throughProxy: false)
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 1000)
            for _ in 0..<rounds {
                try scene.worker.ready()
                try scene.broker.closeConnections(named: name)
            }
            try scene.check(
                try traffic.stop(),
                scenario: "3 \(name.split(separator: " ").dropFirst().first ?? "both")\(scene.suffix)",
                repeatsMax: rounds * scene.inFlightMax)
            #expect(try scene.worker.metric("deeplink_reconnects_total", "connection_closed") >= Double(rounds))
            #expect(try scene.worker.terminate() == 0)
        }

        /// A fault that lasts while requests come, and is taken back.
        enum Disturbance: String, CaseIterable {
            case latency, throttle, slice
        }

        @Test(arguments: Disturbance.allCases)
        func `06 a slow or crumbling network only slows the answers`(disturbance: Disturbance) throws {
            let scene = try Scene(prefetch: 100)
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 100)
            let until = ContinuousClock.now + .seconds(FaultRun.isFull ? 30 : 2)
            while ContinuousClock.now < until {
                switch disturbance {
                case .latency: scene.proxy.inject(.delay(.milliseconds(Int.random(in: 100...300))))
                case .throttle: scene.proxy.inject(.throttle(bytesPerSecond: 10_000))
                case .slice: scene.proxy.inject(.slice(byteCount: 1))
                }
                hold(.milliseconds(250))
            }
            let published = try traffic.stop()
            scene.proxy.heal()
            try scene.check(published, scenario: "6 \(disturbance)", repeatsMax: 0)
            #expect(try scene.worker.terminate() == 0)
        }

        @Test(arguments: Direction.allCases)
        func `06 a network that swallows one direction is noticed and left`(direction: Direction) throws {
            try silence(scenario: "6 blackhole \(direction)") { $0.inject(.blackhole, direction) }
        }

        @Test func `06 a half-open connection is noticed and left`() throws {
            try silence(scenario: "6 half-open") { $0.inject(.stall) }
        }

        @Test func `06 connections that are reset lose nothing`() throws {
            let rounds = FaultRun.isFull ? 30 : 3
            let scene = try Scene()
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 1000)
            for _ in 0..<rounds {
                try scene.worker.ready()
                hold(.milliseconds(300))
                scene.proxy.cut(reset: true)
                try eventually("the loss to be noticed") { !scene.worker.isReady }
            }
            try scene.check(try traffic.stop(), scenario: "6 reset", repeatsMax: rounds * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        /// Makes the network silent until the worker has given up both connections, which heartbeats must bring about.
        private func silence(scenario: String, _ inject: (FaultProxy) -> Void) throws {
            let scene = try Scene(query: "heartbeat=1&connection_timeout=1000")
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 500)
            hold(.milliseconds(300))
            let began = ContinuousClock.now
            inject(scene.proxy)
            try eventually("both connections to be given up; \(scene.worker.log)", within: .seconds(10)) {
                scene.worker.log.contains("lost the consuming") && scene.worker.log.contains("lost the publishing")
            }
            // Three heartbeats, and what the broker and this machine take.
            #expect(ContinuousClock.now - began < .seconds(5))
            #expect(scene.worker.isLive)
            #expect(!scene.worker.isReady)
            scene.proxy.cut()
            scene.proxy.heal()
            try scene.worker.ready()
            try scene.check(try traffic.stop(), scenario: scenario, repeatsMax: 2 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        @Test func `25 answers whose confirms are lost are repeated once, with the same message_id`() throws {
            let scene = try Scene(prefetch: 100)
            try scene.worker.startReady()
            // Its message_id is that of the first of the others, too.
            let first = try scene.publish(1)
            try scene.fullPrefetch()
            scene.proxy.inject(.blackhole, .downstream, connections: "deeplink-worker publishing")
            var published = try scene.publish(1000)
            for id in first.confirmed { published.confirm(id) }
            try eventually("the answers to a whole prefetch") { try scene.answerCount() >= 98 }
            scene.proxy.cut(reset: true, connections: "deeplink-worker publishing")
            scene.proxy.heal()
            let ledger = try scene.check(published, scenario: "25", repeatsMax: 101)
            #expect(ledger.repeatCount >= 90, "the answers were stored, so there must be repeats")
            #expect(ledger.answerCounts.allSatisfy { id, count in count <= (first.confirmed.contains(id) ? 3 : 2) })
            #expect(try scene.worker.terminate() == 0)
        }
    }
}
