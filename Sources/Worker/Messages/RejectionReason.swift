/// Why a request goes to the dead-letter queue: the values of `deeplink-reason`.
public enum RejectionReason: String, Sendable, CaseIterable {
    /// The body is not an activity.
    case malformedMessage
    /// The body is larger than the limit.
    case bodyTooLarge
    /// The content type is neither JSON nor a form that is known.
    case unsupportedContentType
    /// The body is compressed or otherwise encoded.
    case unsupportedContentEncoding
    /// The request names a reply queue that it must not use.
    case replyToNotAllowed
    /// The broker returned the answer: there is no such queue.
    case replyUnroutable
    /// The broker keeps refusing the answer.
    case replyRefused

    /// The reason's place in tables.
    var index: Int {
        switch self {
        case .malformedMessage: 0
        case .bodyTooLarge: 1
        case .unsupportedContentType: 2
        case .unsupportedContentEncoding: 3
        case .replyToNotAllowed: 4
        case .replyUnroutable: 5
        case .replyRefused: 6
        }
    }

    /// Whether the request itself is at fault, so that its sender is told.
    var isAnswered: Bool {
        switch self {
        case .malformedMessage, .bodyTooLarge, .unsupportedContentType, .unsupportedContentEncoding: true
        case .replyToNotAllowed, .replyUnroutable, .replyRefused: false
        }
    }
}

/// A rejection: the reason and a sentence for people.
struct Rejection {
    let reason: RejectionReason
    let detail: String

    /// The most bytes that a detail may have in a header.
    static let detailByteCountMax = 1024

    /// The detail for a header: cut between characters, without control characters.
    var headerText: [UInt8] {
        var bytes: [UInt8] = []
        for character in detail {
            guard bytes.count + character.utf8.count <= Self.detailByteCountMax else { break }
            for scalar in character.unicodeScalars {
                bytes += Array(String(scalar.isUnprintable ? " " : scalar).utf8)
            }
        }
        return bytes
    }
}
