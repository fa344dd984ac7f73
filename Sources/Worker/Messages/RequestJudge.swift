internal import AMQP

/// Judges what a request says about its body, in the contract's order after `reply_to`: size, content type, encoding.
struct RequestJudge {
    let bodyByteCountMax: Int
    private static let json = Array("application/json".utf8)
    private static let identity = Array("identity".utf8)

    /// Why the request is rejected unread; nil when its body shall be decoded.
    func judge(_ message: ReceivedMessage, as form: EventForm) -> Rejection? {
        if message.bodyByteCount > UInt64(bodyByteCountMax) {
            return Rejection(
                reason: .bodyTooLarge,
                detail: "The body has \(message.bodyByteCount) bytes; at most \(bodyByteCountMax) are taken.")
        }
        if form != .structured, !message.contentType.isEmpty,
            !message.text(message.contentType, equals: "application/json"),
            !Self.isJSON(message.bytes[message.contentType.indices])
        {
            return Rejection(
                reason: .unsupportedContentType,
                detail: "The content type must be application/json, application/cloudevents+json or absent; it is "
                    + "\(message.text(message.contentType)).")
        }
        if !message.contentEncoding.isEmpty,
            !MediaType.isWord(message.bytes[message.contentEncoding.indices], Self.identity)
        {
            return Rejection(
                reason: .unsupportedContentEncoding,
                detail: "The content encoding must be identity or absent; it is "
                    + "\(message.text(message.contentEncoding)).")
        }
        return nil
    }

    /// Whether a content type is JSON's, whatever its parameters.
    static func isJSON(_ type: ArraySlice<UInt8>) -> Bool { MediaType.equals(type, json) }
}
