internal import AMQP

/// Judges what a request says about its body, in the contract's order after `reply_to`: size, content type, encoding.
struct RequestJudge {
    let bodyByteCountMax: Int
    private static let json = Array("application/json".utf8)
    private static let identity = Array("identity".utf8)

    /// Why the request is rejected unread; nil when its body shall be decoded.
    func judge(_ message: borrowing ReceivedMessage) -> Rejection? {
        if message.bodyByteCount > UInt64(bodyByteCountMax) {
            return Rejection(
                reason: .bodyTooLarge,
                detail: "The body has \(message.bodyByteCount) bytes; at most \(bodyByteCountMax) are taken.")
        }
        if !message.contentType.isEmpty, !Self.isJSON(message.bytes[message.contentType.indices]) {
            return Rejection(
                reason: .unsupportedContentType,
                detail: "The content type must be application/json or absent; it is "
                    + "\(message.text(message.contentType)).")
        }
        if !message.contentEncoding.isEmpty,
            !Self.equals(message.bytes[message.contentEncoding.indices], Self.identity)
        {
            return Rejection(
                reason: .unsupportedContentEncoding,
                detail: "The content encoding must be identity or absent; it is "
                    + "\(message.text(message.contentEncoding)).")
        }
        return nil
    }

    /// Whether a content type is JSON's, whatever its parameters.
    static func isJSON(_ type: ArraySlice<UInt8>) -> Bool {
        if type.count == json.count, type.elementsEqual(json) { return true }
        var name = type.prefix { $0 != UInt8(ascii: ";") }
        while let last = name.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { name.removeLast() }
        while let first = name.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { name.removeFirst() }
        return equals(name, json)
    }

    private static func equals(_ text: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
        text.count == lowercase.count
            && zip(text, lowercase).allSatisfy { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }
}
