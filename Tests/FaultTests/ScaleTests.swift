import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// Workers of several machines, here processes, share one PostgreSQL behind a cluster of three RabbitMQ nodes.
    @Suite(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
    struct ScaleTests {
        /// The servers, and four workers that know all of them.
        private struct Stage {
            let primary: PrivateDatabase
            let standby: PrivateDatabase
            let cluster: PrivateCluster
            let scenes: [Scene]

            init() throws {
                primary = try PrivateDatabase()
                try primary.index(["Alien", "Aliens"])
                standby = try PrivateDatabase(following: primary)
                let url = primary.url.replacing(primary.address, with: "\(primary.address),\(standby.address)")
                cluster = try PrivateCluster()
                let queues = QueueNames()
                let (nodes, urls) = (cluster.nodes, cluster.impatientURLs)
                scenes = try (0..<4).map { place in
                    // Each begins with another node, as workers on several machines would.
                    try Scene(
                        nodes[0].access, queues: queues,
                        configuration: MovieCatalog.configuration(url + "?target_session_attrs=read-write"),
                        throughProxy: false, urls: Array(urls[(place % 3)...] + urls[..<(place % 3)]))
                }
            }

            func traffic() -> Traffic {
                Traffic(
                    to: scenes[0].queues.input, urls: cluster.impatientURLs, perSecond: 300,
                    request: MovieCatalog.request)
            }

            /// Waits until every worker that runs has answered more than before.
            func progress() throws {
                for scene in scenes where scene.worker.isRunning {
                    try scene.worker.ready(within: .seconds(90))
                    let count = try scene.worker.metric("deeplink_answers_total")
                    try eventually("an answer of each worker; \(scene.worker.log.suffix(2000))", within: .seconds(60)) {
                        try scene.worker.metric("deeplink_answers_total") > count
                    }
                }
            }

            /// Checks that nothing is lost; a node or a worker that dies may repeat what it had under way.
            func check(_ traffic: Traffic, _ scenario: String, repeatsMax: Int) throws {
                try scenes[0].check(try traffic.stop(), scenario: scenario, repeatsMax: repeatsMax)
            }
        }

        @Test func `33 four workers lose one of them, the database and its host, and no request`() throws {
            let stage = try Stage()
            for scene in stage.scenes { try scene.worker.startReady() }
            try killAWorker(stage)
            try restartTheDatabase(stage)
            try failOver(stage)
            for scene in stage.scenes { #expect(try scene.worker.terminate() == 0) }
        }

        private func killAWorker(_ stage: Stage) throws {
            let traffic = stage.traffic()
            try stage.progress()
            try stage.scenes[3].worker.killHard()
            try stage.progress()
            try stage.scenes[3].worker.startReady()
            try stage.progress()
            try stage.check(traffic, "33 worker killed", repeatsMax: stage.scenes[3].inFlightMax)
        }

        private func restartTheDatabase(_ stage: Stage) throws {
            let traffic = stage.traffic()
            try stage.progress()
            try stage.primary.halt()
            try stage.primary.resume()
            try stage.progress()
            try stage.check(traffic, "33 database restarted", repeatsMax: 0)
        }

        private func failOver(_ stage: Stage) throws {
            let traffic = stage.traffic()
            try stage.progress()
            try stage.primary.signal("KILL")
            for scene in stage.scenes {
                try eventually("the outage to show; \(scene.worker.log.suffix(2000))", within: .seconds(60)) {
                    scene.worker.unreadyReasons.contains("a store is unavailable")
                }
            }
            try stage.standby.control("SELECT pg_promote()")
            try stage.progress()
            try stage.check(traffic, "33 database failed over", repeatsMax: 0)
        }
    }
}
