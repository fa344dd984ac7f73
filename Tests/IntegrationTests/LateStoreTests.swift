import AMQP
import Foundation
import Navigation
import PersistentStore
import Synchronization
import TestSupport
import Testing
import Worker

extension IntegrationTests {
    /// A store that answers later goes through the worker's loop, which goes on with everything else meanwhile.
    struct LateStoreTests {
        private static let rules = """
            entities:
              Movie: {command: openMovieDetail, arguments: {name: $object.name}}
            activities:
              - {activityType: tab, command: openTab}
            """
        private static let uri = "x-coredata://\(LateStore.storeIdentifier)/Movie/p1"
        private static let movie =
            #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"\#(uri)"}}"#

        /// How the configuration names its rules.
        enum Apps: CaseIterable {
            case one, several

            func configuration() throws -> ConfigurationSet {
                switch self {
                case .one: try ConfigurationSet(Array(rules.utf8), file: "deeplinks.yaml")
                case .several:
                    try ConfigurationSet(Array("apps: {a: a.yaml}\ndefault: b.yaml".utf8), file: "deeplinks.yaml") {
                        (_: String) throws(UnreadableFile) in Array(rules.utf8)
                    }
                }
            }
        }

        /// A worker whose stores are late, and a client.
        private struct Stage {
            let desk = LateStore.Desk()
            let running: RunningWorker
            let peer: Peer

            init(_ apps: Apps, change: (inout WorkerSettings) -> Void = { _ in }) throws {
                let configuration = try apps.configuration()
                let url = try Broker.requiredURLText() + "?heartbeat=1"
                let source = ResolverSource { [desk] () throws(StoreError) in
                    var resolvers: [Resolver] = []
                    for rules in configuration.configurations {
                        let stores = try StoreCoordinator(stores: [LateStore(desk)])
                        resolvers.append(Resolver(configuration: rules, stores: stores))
                    }
                    return NavigationResolving(AppResolver(configuration, resolvers: resolvers))
                }
                running = try RunningWorker(url: try AMQPURL(url), resolver: source, change: change)
                try running.ready()
                peer = try Peer()
                try peer.consume(running.queues.reply)
                // A worker takes one request first, and all that it may hold when it has survived that.
                try peer.publish(#"{"activityType":"tab"}"#, to: running.queues.input) {
                    $0.messageID = $0.text("first")
                }
                try peer.await(["re:first"])
            }

            /// Publishes requests that need the store, and waits until it has been asked.
            func ask(_ count: Int) throws {
                for number in 0..<count {
                    try peer.publish(LateStoreTests.movie, to: running.queues.input) {
                        $0.messageID = $0.text("m\(number)")
                        // Every other one is another app's, where there are several.
                        if number.isMultiple(of: 2) { $0.appID = $0.text("a") }
                    }
                }
                try peer.confirm()
                let metrics = running.worker.metrics
                try eventually("the store to be asked, and all to be held") {
                    desk.begunCount > 0 && metrics.inFlight.load(ordering: .relaxed) == count
                }
            }

            /// Waits for the answers, each of which must have come once.
            func answers(_ count: Int) throws {
                let ids = Set((0..<count).map { "re:m\($0)" })
                try peer.await(ids)
                #expect(peer.received.count { ids.contains($0.messageID) } == count)
                #expect(
                    peer.received.allSatisfy {
                        !ids.contains($0.messageID) || $0.text.contains(#""command":"openMovieDetail""#)
                    })
            }
        }

        @Test(arguments: Apps.allCases)
        func `heartbeats, confirms and acknowledgements go on while a store is waited for`(_ apps: Apps) throws {
            let stage = try Stage(apps)
            for number in 0..<50 {
                try stage.peer.publish(#"{"activityType":"tab"}"#, to: stage.running.queues.input) {
                    $0.messageID = $0.text("t\(number)")
                }
            }
            try stage.peer.await(Set((0..<50).map { "re:t\($0)" }))
            try stage.ask(10)
            // The broker closes a connection without heartbeats after two or three seconds.
            hold(.seconds(4))
            #expect(stage.running.worker.isLive)
            #expect(stage.running.worker.unreadyReasons.isEmpty)
            try stage.desk.answer()
            try stage.answers(10)
            #expect(stage.running.worker.metrics.deliveries.load(ordering: .relaxed) == 61)
            #expect(try stage.running.stop() == .clean)
        }

        @Test(arguments: Apps.allCases)
        func `a drain waits for the store, and is clean`(_ apps: Apps) throws {
            let stage = try Stage(apps)
            try stage.ask(10)
            stage.running.worker.stop()
            try eventually("the drain") { stage.running.worker.unreadyReasons.contains(.draining) }
            try stage.desk.answer()
            #expect(try stage.running.end() == .clean)
            try stage.answers(10)
        }

        @Test func `a drain does not wait longer than its time`() throws {
            let stage = try Stage(.one) { $0.drainTimeout = .seconds(1) }
            try stage.ask(10)
            let began = ContinuousClock.now
            #expect(try stage.running.stop() != .clean)
            #expect(ContinuousClock.now - began < .seconds(3))
            try eventually("the requests to be back") {
                try stage.peer.connection.inspect(queue: stage.running.queues.input).messageCount == 10
            }
        }

        @Test func `a store that is silent until its deadline is unavailable, and what it left is answered later`()
            throws
        {
            let stage = try Stage(.one)
            stage.desk.setPatience(.milliseconds(200))
            try stage.ask(10)
            try eventually("the outage") { stage.running.worker.unreadyReasons.contains(.storeUnavailable) }
            try eventually("attempts") { stage.desk.begunCount > 3 }
            try stage.desk.answer()
            try stage.answers(10)
            try stage.running.ready()
            #expect(try stage.peer.connection.inspect(queue: stage.running.queues.dead).messageCount == 0)
            #expect(stage.running.worker.metrics.deliveries.load(ordering: .relaxed) == 11)
            #expect(try stage.running.stop() == .clean)
        }
    }
}
