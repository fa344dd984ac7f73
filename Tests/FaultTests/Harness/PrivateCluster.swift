import Foundation
import TestSupport
import Testing

/// A cluster of three nodes that pauses a minority.
final class PrivateCluster {
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

    /// The nodes' URLs for clients that notice soon that a node is gone.
    var impatientURLs: [String] { urls.map { $0 + "?heartbeat=2&connection_timeout=2000" } }

    /// Waits until all nodes are in the cluster, as one of them sees it.
    func awaitWhole(asking index: Int, within limit: Duration = .seconds(90)) throws {
        try eventually("the cluster to be whole", within: limit) {
            let text = (try? nodes[index].access.evaluate("length(rabbit_nodes:all_running()).")) ?? ""
            return text.contains("3")
        }
    }

    func scene() throws -> Scene { try Scene(nodes[0].access, throughProxy: false, urls: impatientURLs) }

    /// Traffic that goes to whichever node is there.
    func traffic(_ scene: Scene) -> Traffic {
        Traffic(to: scene.queues.input, urls: impatientURLs, perSecond: 300)
    }
}
