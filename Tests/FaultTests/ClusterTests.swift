import AMQP
import Foundation
import TestSupport
import Testing

extension FaultTests {
    /// Three nodes, of which some die, hang or are cut off.
    @Suite(.enabled(if: FaultRun.isFull, Comment(rawValue: FaultRun.shortened)))
    struct ClusterTests {
        /// A cluster of three nodes that pauses a minority.
        private final class Cluster {
            let nodes: [PrivateBroker]

            init() throws {
                let configuration = "cluster_partition_handling = pause_minority\n"
                let first = try PrivateBroker(configuration: configuration)
                nodes = try [
                    first, PrivateBroker(configuration: configuration, joining: first),
                    PrivateBroker(configuration: configuration, joining: first),
                ]
            }

            var urls: [String] { nodes.map(\.access.url) }

            func name(_ index: Int) -> String { "deeplink-\(nodes[index].access.port)@localhost" }

            /// Which node leads a queue.
            func leader(of queue: String, asking index: Int = 0) throws -> Int {
                let text = try nodes[index].access.control("list_queues", "--no-table-headers", "name", "leader")
                let line = text.split(separator: "\n").first { $0.hasPrefix(queue + "\t") } ?? ""
                return try #require(nodes.indices.first { line.hasSuffix(name($0)) }, "\(text)")
            }

            /// Cuts a node off from the others, or lets it back: nodes with different cookies refuse each other.
            func isolate(_ index: Int, _ isolates: Bool) throws {
                for other in nodes.indices where other != index {
                    for (node, peer) in [(index, other), (other, index)] {
                        let cookie = isolates ? "'cut-off'" : "erlang:get_cookie()"
                        let cut = isolates ? ", erlang:disconnect_node('\(name(peer))')" : ""
                        try nodes[node].access.evaluate("erlang:set_cookie('\(name(peer))', \(cookie))\(cut).")
                    }
                }
            }

            func scene() throws -> Scene {
                try Scene(
                    nodes[0].access, throughProxy: false,
                    urls: urls.map { $0 + "?heartbeat=2&connection_timeout=2000" })
            }

            /// Traffic that goes to whichever node is there.
            func traffic(_ scene: Scene) -> Traffic {
                Traffic(
                    to: scene.queues.input, urls: urls.map { $0 + "?heartbeat=2&connection_timeout=2000" },
                    perSecond: 300)
            }
        }

        @Test func `15 a cluster loses its leader, a minority and its quorum, and no request`() throws {
            let cluster = try Cluster()
            try killTheLeader(cluster)
            try cutOffAMinority(cluster)
            try loseTheQuorum(cluster)
        }

        private func killTheLeader(_ cluster: Cluster) throws {
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

        private func cutOffAMinority(_ cluster: Cluster) throws {
            let scene = try cluster.scene()
            try scene.worker.startReady()
            let traffic = cluster.traffic(scene)
            hold(.seconds(2))
            let leader = try cluster.leader(of: scene.queues.input)
            try cluster.isolate(leader, true)
            hold(.seconds(20))
            try cluster.isolate(leader, false)
            try eventually("the cluster to be whole", within: .seconds(60)) {
                let text = (try? cluster.nodes[(leader + 1) % 3].access.evaluate("length(rabbit_nodes:all_running()).")) ?? ""
                return text.contains("3")
            }
            try scene.worker.ready(within: .seconds(60))
            try scene.check(try traffic.stop(), scenario: "15 minority cut off", repeatsMax: 3 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }

        private func loseTheQuorum(_ cluster: Cluster) throws {
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
            try eventually("the cluster to be whole", within: .seconds(90)) {
                let text = (try? cluster.nodes[0].access.evaluate("length(rabbit_nodes:all_running()).")) ?? ""
                return text.contains("3")
            }
            try scene.worker.ready(within: .seconds(60))
            try scene.check(try traffic.stop(), scenario: "15 quorum lost", repeatsMax: 4 * (scene.prefetch + 1))
            #expect(try scene.worker.terminate() == 0)
        }
    }
}
