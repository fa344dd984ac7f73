// Takes navigation commands from the default reply queue and carries each out once: here, prints it.
//
//     follow [COUNT]    ends after COUNT different commands; without it, never
//
// The broker is DEEPLINK_AMQP_URL.

import AMQP
import Foundation

let environment = ProcessInfo.processInfo.environment
let broker = environment["DEEPLINK_AMQP_URL"] ?? "amqp://guest:guest@localhost:5672/%2f"
let queue = environment["DEEPLINK_REPLY_QUEUE"] ?? "deeplink.commands"

/// What was carried out.
///
/// A service keeps that where it keeps what the commands change, best in one transaction with it.
struct Follower {
    private static let rememberedMax = 100_000

    var remaining: Int
    private var seen: Set<String> = []
    private var order: [String] = []

    init(count: Int) {
        remaining = count
    }

    /// Takes commands until enough came or the connection is lost.
    mutating func follow() throws(AMQPError) {
        let connection = try Connection.open([AMQPURL(broker)], name: "follow")
        try connection.consume(queue: queue, prefetch: 100, tag: "follow")
        while remaining != 0 {
            try connection.flush(now: .now)
            wait(for: connection)
            while remaining != 0, let event = try connection.nextEvent() {
                switch event {
                case .delivery(let tag, _):
                    carryOut(connection.message)
                    // Only now: what is not acknowledged when this program dies comes again.
                    try connection.acknowledge(tag, multiple: false)
                case .channelClosed(let reason), .connectionClosed(let reason):
                    throw AMQPError(.closed, "The broker closed: \(reason).", replyCode: reason.code)
                case .cancelled: throw AMQPError(.closed, "The queue \(queue) is gone.")
                default: break
                }
            }
            try connection.beat(now: .now)
        }
        try connection.close()
        try connection.flush(now: .now)
    }

    private func wait(for connection: Connection) {
        var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, 1000) > 0 { connection.noteInput(now: .now) }
    }

    private mutating func carryOut(_ message: ReceivedMessage) {
        // Requests without a message_id and a correlation_id cannot be told apart: their answers may share one.
        if !message.correlationID.isEmpty {
            let identifier = message.text(message.messageID)
            guard seen.insert(identifier).inserted else { return }
            order.append(identifier)
            if order.count > Self.rememberedMax { seen.remove(order.removeFirst()) }
        }
        FileHandle.standardOutput.write(Data(message.bytes[message.body.indices] + [UInt8(ascii: "\n")]))
        if remaining > 0 { remaining -= 1 }
    }
}

var follower = Follower(count: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? -1)
while follower.remaining != 0 {
    do {
        try follower.follow()
    } catch {
        FileHandle.standardError.write(Data("follow: \(error); connecting again\n".utf8))
        Thread.sleep(forTimeInterval: 1)
    }
}
