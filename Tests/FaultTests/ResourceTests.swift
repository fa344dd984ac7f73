import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// The machine gives the worker too little.
    struct ResourceTests {
        @Test(arguments: [8, 20, 39])
        func `32 a worker that may open too few files ends at once and says how many it needs`(limit: Int) throws {
            let scene = try Scene(throughProxy: false, descriptorLimit: limit)
            try scene.worker.start()
            #expect(try scene.worker.end(within: .seconds(10)) == 78)
            #expect(scene.worker.log.contains("only \(limit) files"), "\(scene.worker.log)")
            #expect(scene.worker.log.contains("ulimit -n 40"))
            FaultRun.report("32", "\(limit) descriptors: ends with status 78 and says how many it needs")
        }

        @Test func `32 a worker that runs out of descriptors complains, waits, and works again`() throws {
            let scene = try Scene()
            try scene.worker.startReady()
            // Not even the descriptors that are given back can be had again.
            try setDescriptorLimit(4, of: scene.worker)
            scene.proxy.cut()
            try eventually("a complaint; \(scene.worker.log)") { scene.worker.log.contains("Raise the limit") }
            hold(.seconds(FaultRun.isFull ? 10 : 1))
            #expect(scene.worker.isRunning)
            try setDescriptorLimit(1024, of: scene.worker)
            try scene.worker.ready(within: .seconds(40))
            try scene.check(try scene.publish(100), scenario: "32 exhausted", repeatsMax: 0)
            #expect(try scene.worker.terminate() == 0)
        }

        private func setDescriptorLimit(_ limit: Int, of worker: WorkerProcess) throws {
            try run("/usr/bin/env", ["prlimit", "--pid", "\(worker.processID)", "--nofile=\(limit):"])
        }
    }
}
