import AMQP
import Foundation
import SeededRandom
import TestSupport
import Testing

extension FaultTests {
    /// A broker that breaks the protocol.
    struct HostileBrokerTests {
        /// Random, undersized, oversized and plausible frames, the same for the same seed.
        static func garbage(_ seed: Int) -> [UInt8] {
            var random = SeededGenerator(seed: UInt64(seed))
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) { bytes += frame(&random) }
            return bytes
        }

        private static func frame(_ random: inout SeededGenerator) -> [UInt8] {
            func some(_ counts: ClosedRange<Int>) -> [UInt8] {
                (0..<Int.random(in: counts, using: &random)).map { _ in .random(in: .min ... .max, using: &random) }
            }
            let deliver = Wire.short("c") + Wire.number(UInt64.random(in: 0...3, using: &random)) + [0, 0, 0]
            switch Int.random(in: 0..<10, using: &random) {
            case 0: return some(1...64)
            case 1: return Wire.frame(.random(in: 0...9, using: &random), some(0...40))
            // A size that the frame does not have, up to four gigabytes.
            case 2: return [1, 0, 1] + Wire.number(UInt32.random(in: .min ... .max, using: &random)) + some(0...64)
            case 3: return Wire.method(60, .random(in: 10...130, using: &random), some(0...40))
            case 4: return Wire.method(.random(in: 10...90, using: &random), 10, channel: 0, some(0...20))
            case 5: return Wire.method(60, 60, deliver)
            case 6: return Wire.frame(2, Wire.number(UInt16(60)) + [0, 0] + Wire.number(UInt64.max) + some(0...30))
            case 7:
                let size = UInt64.random(in: 0...1 << 62, using: &random)
                return Wire.method(60, 60, deliver)
                    + Wire.frame(2, Wire.number(UInt16(60)) + [0, 0] + Wire.number(size) + some(2...30))
            case 8: return Wire.frame(3, some(0...200))
            default: return Wire.frame(8, channel: 0, some(0...3)) + Wire.method(10, 60, channel: 0, some(0...10))
            }
        }

        @Test func `28 a client survives whatever a broker sends`() throws {
            let count = FaultRun.isFull ? 2000 : 150
            let rogue = try RogueBroker(garbage: Self.garbage)
            defer { rogue.stop() }
            let url = try AMQPURL("amqp://127.0.0.1:\(rogue.port)/?connection_timeout=500")
            for _ in 0..<count {
                guard let connection = try? Connection.open([url], name: "victim") else { continue }
                let deadline = ContinuousClock.now + .milliseconds(20)
                while ContinuousClock.now < deadline {
                    connection.noteInput(now: .now)
                    // Errors are what is hoped for; crashes and endless loops are not.
                    guard (try? connection.nextEvent()) != nil else { break }
                }
            }
            #expect(rogue.servedCount > count / 2)
            FaultRun.report("28", "\(rogue.servedCount) connections with broken frames, no crash")
        }

        @Test func `28 a worker that meets such a broker lives, and works when it meets a good one`() throws {
            let rogue = try RogueBroker(garbage: Self.garbage)
            let scene = try Scene(query: "connection_timeout=500")
            scene.proxy.lead(to: rogue.port)
            try scene.worker.start()
            try eventually("some connections") { rogue.servedCount >= (FaultRun.isFull ? 20 : 5) }
            #expect(scene.worker.isRunning && scene.worker.isLive, "\(scene.worker.log)")
            scene.proxy.lead(to: scene.broker.port)
            rogue.stop()
            try scene.worker.ready(within: .seconds(60))
            #expect(try scene.worker.terminate() == 0)
        }
    }
}
