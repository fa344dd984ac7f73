import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// The broker does not let the worker in, or no longer.
    struct AccessTests {
        @Test(arguments: ["guest:wrong@127.0.0.1:PORT/%2f", "guest:guest@127.0.0.1:PORT/missing"])
        func `22 a wrong password or virtual host ends the start, once and with a sentence`(address: String) throws {
            let broker = try BrokerAccess.shared()
            let proxy = try FaultProxy(to: broker.port)
            defer { proxy.stop() }
            let url = "amqp://" + address.replacingOccurrences(of: "PORT", with: "\(proxy.port)")
            let worker = try WorkerProcess(QueueNames(), configuration: Request.configuration, urls: [url])
            try worker.start()
            #expect(try worker.end(within: .seconds(15)) == 77)
            #expect(worker.log.contains("Check the "), "\(worker.log)")
            #expect(!worker.log.contains("wrong"), "a password is never logged")
            #expect(proxy.connectionCountEver <= 2)
            FaultRun.report(
                "22", "\(address.suffix(7)): ends with status 77 after \(proxy.connectionCountEver) connections")
        }

        @Test func `22 permissions that are taken away while it runs are waited for, without a storm`() throws {
            let broker = try BrokerAccess.shared()
            let user = "worker-\(UInt32.random(in: .min ... .max))"
            try broker.control("add_user", user, "secret")
            defer { _ = try? broker.control("delete_user", user) }
            try broker.control("set_permissions", user, ".*", ".*", ".*")
            let scene = try Scene(broker, throughProxy: true)
            let worker = try WorkerProcess(
                scene.queues, configuration: Request.configuration,
                urls: ["amqp://\(user):secret@127.0.0.1:\(scene.proxy.port)/%2f"])
            try worker.startReady()
            try broker.control("set_permissions", user, "^$", "^$", "^$")
            let before = scene.proxy.connectionCountEver
            let published = try scene.publish(300)
            scene.proxy.cut()
            let time = FaultRun.isFull ? 60 : 4
            hold(.seconds(time))
            #expect(worker.isRunning && worker.isLive && !worker.isReady, "\(worker.log)")
            let attempts = scene.proxy.connectionCountEver - before
            // Two connections; the waits double from at most 0.2 s to 30 s, and are half of that on average.
            #expect(attempts <= 2 * (12 + time / 8), "\(attempts) connections in \(time) s")
            try broker.control("set_permissions", user, ".*", ".*", ".*")
            try worker.ready(within: .seconds(45))
            try scene.check(published, scenario: "22 revoked (\(attempts) attempts in \(time) s)", repeatsMax: 501)
            #expect(try worker.terminate() == 0)
        }

        @Test func `27 a limit on connections is waited for, also at the start`() throws {
            let broker = try BrokerAccess.shared()
            let vhost = "limited-\(UInt32.random(in: .min ... .max))"
            try broker.control("add_vhost", vhost)
            defer { _ = try? broker.control("delete_vhost", vhost) }
            try broker.control("set_permissions", "-p", vhost, "guest", ".*", ".*", ".*")
            try broker.control("set_vhost_limits", "-p", vhost, #"{"max-connections": 0}"#)
            let queues = QueueNames()
            let worker = try WorkerProcess(
                queues, configuration: Request.configuration,
                urls: ["amqp://guest:guest@127.0.0.1:\(broker.port)/\(vhost)"])
            try worker.start()
            try eventually("the limit to be told; \(worker.log)") { worker.log.contains("limit") }
            hold(.seconds(1))
            #expect(worker.isRunning && worker.isLive && !worker.isReady, "\(worker.log)")
            try broker.control("clear_vhost_limits", "-p", vhost)
            try worker.ready(within: .seconds(40))
            let url = "amqp://guest:guest@127.0.0.1:\(broker.port)/\(vhost)"
            let ledger = try Traffic(to: queues.input, urls: [url], perSecond: 5000, countMax: 100).end()
            let peer = try Peer(AMQPURL(url))
            try peer.consume(queues.reply)
            try peer.await(98)
            #expect(ledger.confirmed.count == 100)
            #expect(try worker.terminate() == 0)
            FaultRun.report("27", "waits while the limit is reached, and works when it is not")
        }
    }
}
