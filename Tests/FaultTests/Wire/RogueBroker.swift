import Foundation
import Synchronization

/// A broker that logs clients in, and then sends bytes that no broker would.
final class RogueBroker: Sendable {
    /// The bytes for a connection, by its number.
    typealias Garbage = @Sendable (Int) -> [UInt8]

    private let state = Mutex((stops: false, served: 0))
    private let garbage: Garbage
    let port: UInt16

    /// How many connections were logged in and given their bytes.
    var servedCount: Int { state.withLock { $0.served } }

    init(garbage: @escaping Garbage) throws {
        let listener = try WireListener()
        port = listener.port
        self.garbage = garbage
        // The listener is the thread's alone from here on.
        let box = Mutex<WireListener?>(listener)
        Thread { [self] in
            guard let listener = box.withLock({ $0.take() }) else { return }
            serve(listener)
        }.start()
    }

    func stop() { state.withLock { $0.stops = true } }

    private func serve(_ listener: WireListener) {
        while !state.withLock({ $0.stops }) {
            guard let client = listener.accept(within: .milliseconds(100)), logIn(client) else { continue }
            let number = state.withLock { state in
                defer { state.served += 1 }
                return state.served
            }
            client.send(garbage(number))
            answer(client)
        }
    }

    private func logIn(_ client: WireSocket) -> Bool {
        guard client.skip(8) else { return false }
        let mechanisms = Wire.long(Array("PLAIN".utf8)) + Wire.long(Array("en_US".utf8))
        client.send(Wire.method(10, 10, channel: 0, [0, 9] + Wire.table([]) + mechanisms))
        guard client.nextIsMethod(10, 11) else { return false }
        let limits = Wire.number(UInt16(2047)) + Wire.number(UInt32(131_072)) + Wire.number(UInt16(60))
        client.send(Wire.method(10, 30, channel: 0, limits))
        guard client.nextIsMethod(10, 31), client.nextIsMethod(10, 40) else { return false }
        client.send(Wire.method(10, 41, channel: 0, [0]))
        guard client.nextIsMethod(20, 10) else { return false }
        client.send(Wire.method(20, 11, Wire.long([])))
        return true
    }

    /// Answers what the client still asks, so that it gets as far as it can.
    private func answer(_ client: WireSocket) {
        while let frame = client.frame(within: .milliseconds(200)) {
            switch frame.method {
            case (50, 10)?:
                client.send(Wire.method(50, 11, Wire.short("queue") + [UInt8](repeating: 0, count: 8)))
            case (85, 10)?: client.send(Wire.method(85, 11))
            case (60, 10)?: client.send(Wire.method(60, 11))
            case (60, 20)?: client.send(Wire.method(60, 21, Wire.short("deeplink-worker.1")))
            default: return
            }
        }
    }
}
