/// Why a peer closed a channel or a connection.
public struct CloseReason: Sendable, Hashable, CustomStringConvertible {
    /// The reply code, for example 404.
    public let code: UInt16
    /// The broker's words, without control characters.
    public let text: String

    /// The code and the words.
    public var description: String { "\(code) \(text)" }

    /// Whether the peer closed because of something that this side sent.
    ///
    /// 320 is an operator or a shutdown, 403 a permission that the user lacks, whatever is sent.
    public var isError: Bool { code != 200 && code != 320 && code != 403 }
}

/// What came in from the broker.
public enum FrameEvent: Sendable {
    /// A message; it is in the connection's `message`.
    case delivery(tag: UInt64, isRedelivered: Bool)
    /// The broker has taken responsibility for what was published, up to the tag when `multiple`.
    case confirmed(tag: UInt64, multiple: Bool)
    /// The broker has not taken what was published, up to the tag when `multiple`.
    case refused(tag: UInt64, multiple: Bool)
    /// A mandatory message that no queue took; it is in the connection's `message`. Its confirm follows.
    case returned(code: UInt16)
    /// The consumer exists.
    case consumeOK
    /// The consumer was cancelled as asked; no delivery follows.
    case cancelOK
    /// The broker cancelled the consumer, for example because its queue is gone.
    case cancelled
    /// The prefetch is set.
    case qosOK
    /// The broker takes no more messages, for the reason given.
    case blocked(String)
    /// The broker takes messages again.
    case unblocked
    /// The broker closed the channel; it has been answered.
    case channelClosed(CloseReason)
    /// The channel was closed as asked.
    case channelCloseOK
    /// The broker closes the connection; it has been answered.
    case connectionClosed(CloseReason)
    /// The connection was closed as asked.
    case connectionCloseOK
    /// A method that has no meaning here.
    case other(UInt32)
}
