import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// Three nodes, of which some die, hang or are cut off.
    @Suite(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
    struct ClusterTests {
        @Test func `15 a cluster loses its leader, a minority and its quorum, and no request`() throws {
            let cluster = try PrivateCluster()
            try killTheLeader(cluster)
            try cutOffAMinority(cluster)
            try loseTheQuorum(cluster)
        }

        private func killTheLeader(_ cluster: PrivateCluster) throws {
            let scene = try cluster.scene()
            try scene.worker.startReady()
            let traffic = cluster.traffic(scene)
            hold(.seconds(2))
            let leader = try cluster.leader(of: scene.queues.input)
            try cluster.nodes[leader].signal("KILL")
            hold(.seconds(10))
            try cluster.nodes[leader].resume()
            hold(.seconds(3))
            try scene.worker.ready(within: .seconds(60))
            try scene.check(try traffic.stop(), scenario: "15 leader killed", repeatsMax: 2 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        private func cutOffAMinority(_ cluster: PrivateCluster) throws {
            let scene = try cluster.scene()
            try scene.worker.startReady()
            let traffic = cluster.traffic(scene)
            hold(.seconds(2))
            let leader = try cluster.leader(of: scene.queues.input)
            try cluster.isolate(leader, true)
            hold(.seconds(20))
            try cluster.isolate(leader, false)
            try cluster.awaitWhole(asking: (leader + 1) % 3)
            try scene.worker.ready(within: .seconds(60))
            try scene.check(try traffic.stop(), scenario: "15 minority cut off", repeatsMax: 3 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        private func loseTheQuorum(_ cluster: PrivateCluster) throws {
            let scene = try cluster.scene()
            try scene.worker.startReady()
            let traffic = cluster.traffic(scene)
            hold(.seconds(2))
            for index in 1...2 { try cluster.nodes[index].signal("STOP") }
            let began = ContinuousClock.now
            while ContinuousClock.now - began < .seconds(30) {
                #expect(scene.worker.isLive)
                hold(.seconds(1))
            }
            for index in 1...2 { try cluster.nodes[index].signal("CONT") }
            try cluster.awaitWhole(asking: 0)
            try scene.worker.ready(within: .seconds(60))
            try scene.check(try traffic.stop(), scenario: "15 quorum lost", repeatsMax: 4 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }
    }
}
