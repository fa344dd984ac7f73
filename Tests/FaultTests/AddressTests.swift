import AMQP
import Foundation
import Glibc
import TestSupport
import Testing

extension FaultTests {
    /// Some of the places where the broker could be are dead.
    struct AddressTests {
        enum DeadPlace: String, CaseIterable {
            /// Nothing listens.
            case refused
            /// Connections are never answered.
            case silent
            /// The name cannot be resolved.
            case unknownName
        }

        @Test(arguments: DeadPlace.allCases)
        func `23 the worker finds the place that lives`(place: DeadPlace) throws {
            let broker = try BrokerAccess.shared()
            let deaf = try DeafListener()
            let dead =
                switch place {
                case .refused: "amqp://127.0.0.1:1/"
                case .silent: "amqp://127.0.0.1:\(deaf.port)/?connection_timeout=500"
                case .unknownName: "amqp://no-such-broker.invalid/?connection_timeout=2000"
                }
            // The URLs are tried in random order, so there are more dead ones than good ones.
            let worker = try WorkerProcess(
                QueueNames(), configuration: Request.configuration, urls: [dead, dead, dead, broker.url])
            let began = ContinuousClock.now
            try worker.startReady(within: .seconds(20))
            FaultRun.report("23", "\(place): ready after \((ContinuousClock.now - began) / .milliseconds(1)) ms")
            #expect(try worker.terminate() == 0)
        }

        @Test func `23 a name that leads to a dead IPv6 address and a good IPv4 address is enough`() throws {
            let broker = try BrokerAccess.shared()
            let worker = try WorkerProcess(
                QueueNames(), configuration: Request.configuration,
                urls: ["amqp://guest:guest@localhost:\(broker.port)/%2f?connection_timeout=2000"])
            try worker.startReady(within: .seconds(20))
            #expect(try worker.terminate() == 0)
        }
    }
}
