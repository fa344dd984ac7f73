import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// The worker is killed, stopped or signalled.
    struct WorkerDeathTests {
        @Test(arguments: FaultRun.isFull ? [1, 3] : [1])
        func `01 a worker that is killed again and again loses nothing`(pipelines: Int) throws {
            let kills = FaultRun.isFull ? 60 / pipelines : 4
            let pause: Duration = FaultRun.isFull ? .seconds(2) : .milliseconds(700)
            let scene = try Scene(pipelines: pipelines, throughProxy: false)
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 2000)
            for _ in 0..<kills {
                hold(pause)
                try scene.worker.killHard()
                try scene.worker.start()
            }
            try scene.check(try traffic.stop(), scenario: "1\(scene.suffix)", repeatsMax: kills * scene.inFlightMax)
            #expect(try scene.worker.terminate() == 0)
        }

        @Test(arguments: FaultRun.isFull ? [1, 3] : [1])
        func `02 a rolling restart under load repeats no answer`(pipelines: Int) throws {
            let restarts = FaultRun.isFull ? 12 : 3
            let queues = QueueNames()
            let first = try Scene(queues: queues, pipelines: pipelines, throughProxy: false)
            let second = try Scene(queues: queues, pipelines: pipelines, throughProxy: false)
            try first.worker.startReady()
            try second.worker.startReady()
            let traffic = first.traffic(perSecond: 1500)
            for number in 0..<restarts {
                hold(.milliseconds(600))
                let scene = number.isMultiple(of: 2) ? first : second
                #expect(try scene.worker.terminate() == 0, "\(scene.worker.log)")
                try scene.worker.startReady()
            }
            try first.check(try traffic.stop(), scenario: "2\(first.suffix)", repeatsMax: 0)
            #expect(try first.worker.terminate() == 0)
            #expect(try second.worker.terminate() == 0)
        }

        @Test func `26 a kill between confirm and acknowledgement repeats answers with the same message_id`() throws {
            let scene = try Scene(prefetch: 100)
            try scene.worker.startReady()
            let warmUp = try scene.publish(1)
            try scene.fullPrefetch()
            // Acknowledgements are stuck in the proxy, and answers are not.
            scene.proxy.inject(.stall, .upstream, connections: "deeplink-worker consuming")
            let traffic = scene.traffic(perSecond: 5000, countMax: 1000)
            var published = try traffic.end()
            try eventually("the answers to a whole prefetch") { try scene.answerCount() >= 99 }
            try scene.worker.killHard()
            // Dropped with the connection, or they would still arrive.
            scene.proxy.cut(reset: true)
            scene.proxy.heal()
            try scene.worker.startReady()
            published.publish("m0")
            for id in warmUp.confirmed { published.confirm(id) }
            let ledger = try scene.check(published, scenario: "26", repeatsMax: 102)
            #expect(ledger.repeatCount > 50, "the kill came after the answers, so there must be repeats")
            #expect(try scene.worker.terminate() == 0)
        }

        @Test func `31 a storm of signals that mean nothing here changes nothing`() throws {
            let scene = try Scene(throughProxy: false)
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 1000)
            let until = ContinuousClock.now + .seconds(FaultRun.isFull ? 20 : 2)
            while ContinuousClock.now < until {
                for number in [SIGHUP, SIGCHLD, SIGUSR1, SIGUSR2, SIGPIPE, SIGWINCH, SIGCONT] {
                    scene.worker.signal(number)
                }
                hold(.milliseconds(1))
            }
            #expect(scene.worker.isRunning, "\(scene.worker.log)")
            try scene.check(try traffic.stop(), scenario: "31", repeatsMax: 0)
            #expect(try scene.worker.terminate() == 0)
        }

        /// The proxy kills the worker whenever the bytes of the one message are about to reach it.
        @Test(arguments: [1, 3])
        func `poison: one message of 500 that kills the worker is the only dead letter`(pipelines: Int) throws {
            let scene = try Scene(pipelines: pipelines)
            let worker = scene.worker
            try worker.startReady()
            let mark = "poison-\(scene.queues.id)"
            let killer = Killer()
            scene.proxy.watch(for: mark) { killer.kill() }
            killer.target = worker.processID
            let published = try scene.publish(500) { number in
                number == 250 ? Request(#"{"activityType":"\#(mark)"}"#) : Request.good(number)
            }
            let deadline = ContinuousClock.now + .seconds(120)
            let peer = try Peer()
            while try peer.connection.inspect(queue: scene.queues.dead).messageCount == 0,
                ContinuousClock.now < deadline
            {
                guard !worker.isRunning else {
                    hold(.milliseconds(50))
                    continue
                }
                try worker.start()
                killer.target = worker.processID
            }
            if !worker.isRunning { try worker.start() }
            try worker.ready()
            try scene.check(
                published, scenario: "poison\(scene.suffix)", repeatsMax: 3 * scene.inFlightMax + 20,
                deadLetters: ["m250"])
            // A worker that dies before it has said so takes a delivery with it that is not counted here.
            #expect(killer.count >= 15, "the delivery limit is 20")
            #expect(try worker.terminate() == 0)
        }
    }
}
