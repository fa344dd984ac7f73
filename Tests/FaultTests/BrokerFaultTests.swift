import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// The broker stops, dies, hangs, or takes no messages.
    struct BrokerFaultTests {
        enum Outage: String, CaseIterable {
            case stopped, killed
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)), arguments: Outage.allCases)
        func `04 a broker that is stopped or killed keeps what it has confirmed`(outage: Outage) throws {
            let node = try PrivateBroker()
            let scene = try Scene(node.access, throughProxy: false)
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 500)
            for _ in 0..<2 {
                hold(.seconds(2))
                switch outage {
                case .stopped: try node.access.control("stop_app")
                case .killed: try node.signal("KILL")
                }
                try eventually("the worker to notice") { !scene.worker.isReady }
                #expect(scene.worker.isLive)
                switch outage {
                case .stopped: try node.access.control("start_app")
                case .killed: try node.resume()
                }
                // The longest wait between two attempts is 30 seconds.
                try scene.worker.ready(within: .seconds(40))
            }
            try scene.check(try traffic.stop(), scenario: "4 \(outage)", repeatsMax: 2 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `05 a broker that hangs is noticed within three heartbeats, and blocks nothing`() throws {
            let node = try PrivateBroker()
            let heartbeat = 5
            let scene = try Scene(node.access, query: "heartbeat=\(heartbeat)&connection_timeout=2000")
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 500)
            hold(.seconds(2))
            try node.signal("STOP")
            let began = ContinuousClock.now
            try eventually("both connections to be given up", within: .seconds(60)) {
                #expect(scene.worker.isLive)
                return scene.worker.log.contains("lost the consuming")
                    && scene.worker.log.contains("lost the publishing")
            }
            #expect(ContinuousClock.now - began < .seconds(3 * heartbeat))
            while ContinuousClock.now - began < .seconds(60) {
                #expect(scene.worker.isLive)
                #expect(!scene.worker.isReady)
                hold(.seconds(1))
            }
            try node.signal("CONT")
            try scene.worker.ready(within: .seconds(40))
            try scene.check(try traffic.stop(), scenario: "5", repeatsMax: 2 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `05 a broker that hangs for less than its heartbeats allow is waited for, and repeats nothing`() throws {
            let node = try PrivateBroker()
            let scene = try Scene(node.access, query: "heartbeat=30")
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 500)
            hold(.seconds(2))
            try node.signal("STOP")
            // Longer than an answer may be unconfirmed, shorter than two heartbeats.
            hold(.seconds(45))
            #expect(scene.worker.isLive)
            try node.signal("CONT")
            try scene.check(try traffic.stop(), scenario: "5 short", repeatsMax: 0)
            #expect(!scene.worker.log.contains("lost the"), "\(scene.worker.log)")
            #expect(try scene.worker.terminate() == 0)
        }

        enum Alarm: String, CaseIterable {
            case memory, disk

            /// rabbitmqctl's arguments that raise the alarm, and those that end it.
            var raising: (String, String) {
                self == .memory ? ("set_vm_memory_high_watermark", "0.0000001") : ("set_disk_free_limit", "1000000GB")
            }
            var ending: (String, String) {
                self == .memory ? ("set_vm_memory_high_watermark", "0.4") : ("set_disk_free_limit", "50MB")
            }
        }

        @Test(arguments: FaultRun.isFull ? Alarm.allCases : [.memory])
        func `07 an alarm stops the answers and loses nothing`(alarm: Alarm) throws {
            let scene = try Scene(prefetch: 200, throughProxy: false)
            try scene.worker.startReady()
            let traffic = scene.traffic(perSecond: 500)
            try scene.progress(beyond: 200)
            // A connection is blocked only when it publishes: after the alarm the worker has something left to answer.
            scene.worker.signal(SIGSTOP)
            try scene.broker.control(alarm.raising.0, alarm.raising.1)
            defer { _ = try? scene.broker.control(alarm.ending.0, alarm.ending.1) }
            scene.worker.signal(SIGCONT)
            try eventually("the block to show; \(scene.worker.log)") {
                try scene.worker.metric("deeplink_blocked") == 1
            }
            #expect(scene.worker.unreadyReasons.contains("the broker has blocked publishing"))
            let before = try scene.worker.anonymousByteCount()
            // What was confirmed before the alarm is acknowledged on the other connection.
            try eventually("the acknowledgements of what was confirmed") {
                let held = try scene.worker.metric("deeplink_in_flight")
                return try scene.broker.state(of: [scene.queues.input])[scene.queues.input]?.unacknowledged == Int(held)
            }
            // Longer than an answer may be unconfirmed.
            hold(.seconds(FaultRun.isFull ? 40 : 1))
            #expect(try scene.worker.metric("deeplink_in_flight") <= 200)
            #expect(try scene.worker.anonymousByteCount() < before + 4 << 20)
            #expect(scene.worker.isLive)
            try scene.broker.control(alarm.ending.0, alarm.ending.1)
            try scene.worker.ready()
            try scene.check(try traffic.stop(), scenario: "7 \(alarm)", repeatsMax: 0)
            #expect(try scene.worker.metric("deeplink_blocked_seconds_total") > 0)
            #expect(try scene.worker.terminate() == 0)
        }

        @Test(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
        func `07 an alarm on TLS blocks no loop, and repeats nothing`() throws {
            let broker = try SecureBroker()
            let scene = try Scene(
                broker.node.access, configuration: Request.echoConfiguration, throughProxy: false,
                urls: [broker.url(heartbeat: 10)])
            try scene.worker.startReady()
            #expect(try scene.worker.terminate() == 0)
            // What it will answer is more than the kernel takes on both sides.
            let published = try scene.publish(400) { _ in Request.echo(byteCount: 60_000) }
            try broker.node.access.control("set_vm_memory_high_watermark", "0.0000001")
            try scene.worker.start()
            try eventually("the block to show; \(scene.worker.log)") {
                scene.worker.unreadyReasons.contains("the broker has blocked publishing")
            }
            let until = ContinuousClock.now + .seconds(40)
            while ContinuousClock.now < until {
                #expect(scene.worker.isLive)
                hold(.seconds(1))
            }
            try broker.node.access.control("set_vm_memory_high_watermark", "0.4")
            try scene.check(published, scenario: "7 TLS", repeatsMax: 0, deadLetters: [])
            #expect(!scene.worker.log.contains("lost the"), "\(scene.worker.log)")
            #expect(try scene.worker.terminate() == 0)
        }
    }
}
