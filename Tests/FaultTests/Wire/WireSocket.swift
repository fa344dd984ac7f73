import Glibc
import TestSupport

/// A plain TCP socket that sends and receives AMQP frames as bytes.
final class WireSocket {
    /// A frame that came.
    struct Frame {
        let type: UInt8
        let channel: UInt16
        let payload: [UInt8]

        /// The class and the number of a method.
        var method: (UInt16, UInt16)? {
            guard type == 1, payload.count >= 4 else { return nil }
            return (UInt16(payload[0]) << 8 | UInt16(payload[1]), UInt16(payload[2]) << 8 | UInt16(payload[3]))
        }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port of 127.0.0.1.
    convenience init(port: UInt16) throws {
        guard let descriptor = Loopback.connect(to: port) else {
            throw MissingInTest(what: "a connection to port \(port)")
        }
        self.init(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// Sends bytes; false when the peer is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }

    /// The next frame; nil at the end, or when none comes in time.
    func frame(within limit: Duration = .seconds(10)) -> Frame? {
        guard fill(7, limit) else { return nil }
        let size = received[3...6].reduce(0) { $0 << 8 | Int($1) }
        guard fill(size + 8, limit) else { return nil }
        defer { received.removeFirst(size + 8) }
        return Frame(
            type: received[0], channel: UInt16(received[1]) << 8 | UInt16(received[2]),
            payload: Array(received[7..<7 + size]))
    }

    /// Reads a frame, and says whether it is this method.
    func nextIsMethod(_ classID: UInt16, _ methodID: UInt16) -> Bool {
        guard let method = frame()?.method else { return false }
        return method == (classID, methodID)
    }

    /// Reads and drops so many bytes.
    func skip(_ count: Int) -> Bool {
        guard fill(count, .seconds(10)) else { return false }
        received.removeFirst(count)
        return true
    }

    private func fill(_ count: Int, _ limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while received.count < count {
            let rest = (deadline - .now) / .milliseconds(1)
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard rest > 0, unsafe poll(&entry, 1, Int32(rest.rounded(.up))) == 1 else { return false }
            let got = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { return false }
            received += buffer[0..<got]
        }
        return true
    }
}
