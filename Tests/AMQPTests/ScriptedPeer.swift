import Foundation
import Synchronization
import Testing

@testable import AMQP

/// A frame as the peer sees it.
struct Frame: Equatable, Sendable {
    let type: UInt8
    let channel: UInt16
    let payload: [UInt8]

    /// The method of a method frame.
    var method: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    /// The bytes on the wire.
    var bytes: [UInt8] {
        [type] + Frame.number(channel) + Frame.number(UInt32(payload.count)) + payload + [0xCE]
    }

    static func number(_ number: some FixedWidthInteger) -> [UInt8] {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
    }

    static func shortText(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }
    static func longText(_ text: String) -> [UInt8] { number(UInt32(text.utf8.count)) + text.utf8 }

    static func method(_ id: UInt32, _ arguments: [UInt8] = [], channel: UInt16 = 1) -> Frame {
        Frame(type: 1, channel: channel, payload: number(id) + arguments)
    }

    static func header(bodySize: UInt64, classID: UInt16 = 60, flags: UInt16 = 0, properties: [UInt8] = []) -> Frame {
        let payload = number(classID) + number(UInt16(0)) + number(bodySize) + number(flags) + properties
        return Frame(type: 2, channel: 1, payload: payload)
    }

    static func body(_ bytes: [UInt8]) -> Frame { Frame(type: 3, channel: 1, payload: bytes) }

    static func deliver(_ tag: UInt64, redelivered: Bool = false) -> Frame {
        method(0x003C_003C, shortText("c") + number(tag) + [redelivered ? 1 : 0] + shortText("") + shortText("q"))
    }
}

/// A broker of a few lines: it shakes hands as told and then does exactly what a test says.
final class ScriptedPeer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let socket = Mutex<Int32>(-1)

    init() throws {
        listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        unsafe inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        try #require(status)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(listener)
        socket.withLock { if $0 >= 0 { close($0) } }
    }

    /// Connects a client to the peer; it reads frames where they lie, as the worker does, or through the library.
    func connect(heartbeat: UInt16 = 0, query: String = "", readsDirectly: Bool = true) throws -> Connection {
        let hands = try NativeThread(name: "peer", stackByteCount: 1 << 20) { [self] in
            shakeHands(heartbeat: heartbeat)
        }
        let url = try AMQPURL("amqp://127.0.0.1:\(port)/?heartbeat=\(heartbeat)\(query)")
        let connection = Result { try Connection.open([url], name: "test") }
        hands.join()
        if readsDirectly { try connection.get().readDirectly() }
        return try connection.get()
    }

    private func shakeHands(heartbeat: UInt16) {
        let descriptor = accept(listener, nil, nil)
        socket.withLock { $0 = descriptor }
        _ = read(8)
        let start: [UInt8] = [0, 9] + Frame.number(UInt32(0)) + Frame.longText("PLAIN") + Frame.longText("en_US")
        send(.method(0x000A_000A, start, channel: 0))
        _ = readFrame()
        let tune = Frame.number(UInt16(2047)) + Frame.number(UInt32(131_072)) + Frame.number(heartbeat)
        send(.method(0x000A_001E, tune, channel: 0))
        _ = readFrame()
        _ = readFrame()
        send(.method(0x000A_0029, Frame.shortText(""), channel: 0))
        _ = readFrame()
        send(.method(0x0014_000B, Frame.longText("")))
    }

    /// Sends frames.
    func send(_ frames: Frame...) { send(frames.flatMap(\.bytes)) }

    /// Sends bytes.
    func send(_ bytes: [UInt8]) {
        let descriptor = socket.withLock { $0 }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads exactly so many bytes; fewer at the end.
    func read(_ count: Int) -> [UInt8] {
        let descriptor = socket.withLock { $0 }
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let got = unsafe part.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard got > 0 else { break }
            bytes += part.prefix(got)
        }
        return bytes
    }

    /// Reads a frame.
    func readFrame() -> Frame? {
        let head = read(7)
        guard head.count == 7 else { return nil }
        let size = head[3...].reduce(0) { $0 << 8 | Int($1) }
        let rest = read(size + 1)
        guard rest.count == size + 1, rest.last == 0xCE else { return nil }
        return Frame(type: head[0], channel: UInt16(head[1]) << 8 | UInt16(head[2]), payload: rest.dropLast())
    }

    /// Ends the connection.
    func hangUp() { socket.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) } }
}

extension Connection {
    /// The next event, awaited.
    func awaitEvent() throws -> FrameEvent {
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        while true {
            if let event = try nextEvent() { return event }
            try #require(TCPSocket.wait(descriptor, events: Int16(POLLIN), until: deadline), "no event came")
        }
    }
}
