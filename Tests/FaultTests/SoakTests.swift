import Foundation
import SeededRandom
import TestSupport
import Testing

extension FaultTests {
    /// Hours in minutes: requests and faults without a pause, and nothing may grow.
    @Suite(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
    struct SoakTests {
        private struct Sample {
            let anonymousBytes: Int
            let descriptors: Int
        }

        @Test(.timeLimit(.minutes(600)))
        func `20 memory, descriptors and counters stay flat`() throws {
            let scene = try Scene()
            try scene.worker.startReady()
            var random = SeededGenerator(seed: 20)
            var samples: [Sample] = []
            var faults = 0
            let end = ContinuousClock.now + FaultRun.soakTime
            var count = 0
            while ContinuousClock.now < end {
                let traffic = scene.traffic(perSecond: 1000)
                for _ in 0..<4 {
                    hold(.milliseconds(1000))
                    disturb(scene, &random)
                    faults += 1
                }
                scene.proxy.heal()
                try scene.worker.ready()
                // Every round ends quiet, with everything settled: so every round must look the same.
                let ledger = try scene.check(
                    try traffic.stop(), scenario: "20 round", repeatsMax: 4 * (scene.prefetch + 1))
                count += ledger.confirmed.count
                #expect(try scene.worker.metric("deeplink_in_flight") == 0)
                #expect(try scene.worker.metric("deeplink_held_bytes") == 0)
                samples.append(
                    Sample(
                        anonymousBytes: try scene.worker.anonymousByteCount(),
                        descriptors: try scene.worker.descriptorCount()))
            }
            try flat(samples)
            let (first, last) = (samples[samples.count / 3], samples[samples.count - 1])
            #expect(try scene.worker.terminate() == 0)
            FaultRun.report(
                "20",
                "\(count) requests, \(faults) faults in \(samples.count) rounds: RssAnon \(first.anonymousBytes >> 10) → "
                    + "\(last.anonymousBytes >> 10) KiB, descriptors \(first.descriptors) → \(last.descriptors)")
        }

        private func disturb(_ scene: Scene, _ random: inout SeededGenerator) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: scene.proxy.cut(reset: true)
            case 1: scene.proxy.cut(reset: true, connections: "deeplink-worker publishing")
            case 2: scene.proxy.cut(connections: "deeplink-worker consuming")
            case 3: scene.proxy.inject(.delay(.milliseconds(100)))
            case 4: scene.proxy.inject(.throttle(bytesPerSecond: 200_000), .downstream)
            default: scene.proxy.heal()
            }
        }

        /// After a third of the time, for warming up, the rest may not grow by more than a megabyte or two descriptors.
        private func flat(_ samples: [Sample]) throws {
            let settled = samples[(samples.count / 3)...]
            try #require(settled.count >= 3, "too short to tell")
            let half = settled.count / 2
            let early = settled.prefix(half).map(\.anonymousBytes).max() ?? 0
            let late = settled.suffix(half).map(\.anonymousBytes).min() ?? 0
            #expect(late < early + 1 << 20, "\(settled.map { $0.anonymousBytes >> 10 }) KiB")
            let descriptors = settled.map(\.descriptors)
            #expect((descriptors.max() ?? 0) - (descriptors.min() ?? 0) <= 2, "\(descriptors)")
        }
    }
}
