internal import Glibc

/// What is the same in the replies of a service: it is encoded once, and a reply's frames are made of it in few steps.
public final class ReplyForm: Sendable {
    /// The frame of `basic.publish` to the form's queue, with `mandatory`.
    let method: [UInt8]
    /// The header's frame as far as the content type; the sizes and the flags are left open.
    let headerStart: [UInt8]
    /// What is put in front of a request's `message_id`.
    let messageIDPrefix: [UInt8]
    /// `type`, encoded.
    let type: [UInt8]

    /// Where the frame's size, the body's size and the flags are in `headerStart`.
    static let sizePlace = 3
    static let bodySizePlace = 11
    static let flagsPlace = 19

    /// The properties that every reply has.
    static var flags: UInt16 {
        UInt16(
            truncatingIfNeeded: PropertyFlag.contentType | PropertyFlag.deliveryMode | PropertyFlag.correlationID
                | PropertyFlag.messageID | PropertyFlag.timestamp | PropertyFlag.type)
    }

    /// Prepares replies that go to `queue`, unless they are for another one; nil where a text has more than 255 bytes.
    public init?(queue: String, contentType: String, type: String, messageIDPrefix: String) {
        guard [queue, contentType, type].allSatisfy({ $0.utf8.count <= 255 }) else { return nil }
        method = Self.method(Array(queue.utf8))
        headerStart =
            [2, 0, UInt8(Connection.channel), 0, 0, 0, 0, 0, UInt8(Connection.basicClass), 0, 0]
            + [UInt8](repeating: 0, count: 10) + Self.shortText(Array(contentType.utf8))
        self.type = Self.shortText(Array(type.utf8))
        self.messageIDPrefix = Array(messageIDPrefix.utf8)
    }

    static func method(_ queue: [UInt8]) -> [UInt8] {
        // The method, a number without meaning, the default exchange, the queue, and `mandatory`.
        let payload: [UInt8] = [0, 60, 0, 40, 0, 0, 0] + shortText(queue) + [1]
        return [1, 0, UInt8(Connection.channel), 0, 0, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
            + [FrameHeader.end]
    }

    private static func shortText(_ text: [UInt8]) -> [UInt8] { [UInt8(text.count)] + text }
}
