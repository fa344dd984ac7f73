import Synchronization
import TestSupport
import Testing

/// The proxy must do the harm that it says, and no other.
struct FaultProxyTests {
    private struct Pair {
        let proxy: FaultProxy
        let client: WireSocket
        let server: WireSocket

        init() throws {
            let listener = try WireListener()
            proxy = try FaultProxy(to: listener.port)
            client = try WireSocket(port: proxy.port)
            guard let server = listener.accept(within: .seconds(5)) else { throw MissingInTest(what: "a connection") }
            self.server = server
        }

        /// Whether a frame that the client sends arrives in time.
        func passes(_ payload: [UInt8] = [1, 2, 3], within limit: Duration = .seconds(5)) -> Bool {
            client.send(Wire.frame(8, payload))
            return server.frame(within: limit)?.payload == payload
        }
    }

    @Test func `without a fault everything passes, both ways`() throws {
        let pair = try Pair()
        defer { pair.proxy.stop() }
        #expect(pair.passes(Array(repeating: 7, count: 300_000)))
        pair.server.send(Wire.frame(8, [9]))
        #expect(pair.client.frame()?.payload == [9])
        #expect(pair.proxy.connectionCount == 1)
    }

    @Test(arguments: [Fault.slice(byteCount: 1), .delay(.milliseconds(20)), .throttle(bytesPerSecond: 20_000)])
    func `a fault that only slows changes no byte`(fault: Fault) throws {
        let pair = try Pair()
        defer { pair.proxy.stop() }
        pair.proxy.inject(fault)
        #expect(pair.passes((0..<5000).map { UInt8(truncatingIfNeeded: $0) }))
    }

    @Test func `a delay delays, and a throttle throttles`() throws {
        let pair = try Pair()
        defer { pair.proxy.stop() }
        let clock = ContinuousClock()
        pair.proxy.inject(.delay(.milliseconds(100)))
        #expect(clock.measure { _ = pair.passes() } >= .milliseconds(100))
        pair.proxy.inject(.throttle(bytesPerSecond: 10_000))
        #expect(clock.measure { _ = pair.passes(Array(repeating: 0, count: 3000)) } >= .milliseconds(250))
    }

    @Test func `a stall keeps what comes, in one direction alone, and a black hole drops it`() throws {
        let pair = try Pair()
        defer { pair.proxy.stop() }
        pair.proxy.inject(.stall, .upstream)
        #expect(!pair.passes([1], within: .milliseconds(200)))
        pair.server.send(Wire.frame(8, [9]))
        #expect(pair.client.frame()?.payload == [9])
        pair.proxy.heal()
        #expect(pair.server.frame()?.payload == [1])
        pair.proxy.inject(.blackhole, .upstream)
        #expect(!pair.passes([2], within: .milliseconds(200)))
        pair.proxy.heal()
        #expect(pair.passes([3]), "what was dropped stays dropped")
    }

    @Test func `a cut ends both sides, and only the connections with that name`() throws {
        let pair = try Pair()
        defer { pair.proxy.stop() }
        #expect(pair.passes(Array("I am bob".utf8)))
        pair.proxy.cut(connections: "alice")
        #expect(pair.passes([1]))
        pair.proxy.inject(.stall, connections: "alice")
        #expect(pair.passes([2]))
        pair.proxy.cut(connections: "bob")
        #expect(pair.client.frame() == nil && pair.server.frame() == nil)
        try eventually("the end") { pair.proxy.connectionCount == 0 }
    }

    @Test func `a watched text is told before it passes, also in pieces`() throws {
        let pair = try Pair()
        defer { pair.proxy.stop() }
        let told = Atomic(0)
        pair.proxy.inject(.slice(byteCount: 2), .upstream)
        pair.proxy.watch(for: "poison") { told.add(1, ordering: .sequentiallyConsistent) }
        pair.server.send(Wire.frame(8, Array("harmless".utf8)))
        #expect(pair.client.frame() != nil && told.load(ordering: .sequentiallyConsistent) == 0)
        pair.server.send([8, 0, 1, 0, 0, 0, 8] + Array("a poi".utf8))
        #expect(pair.client.frame(within: .milliseconds(100)) == nil)
        pair.server.send(Array("son".utf8) + [0xCE])
        #expect(pair.client.frame() != nil && told.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test func `refused connections are closed at once`() throws {
        let listener = try WireListener()
        let proxy = try FaultProxy(to: listener.port)
        defer { proxy.stop() }
        proxy.refuseConnections(true)
        #expect(try WireSocket(port: proxy.port).frame() == nil)
        #expect(proxy.connectionCountEver == 1)
    }
}
