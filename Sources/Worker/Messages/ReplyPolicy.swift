internal import AMQP

/// Where the answer to a request goes.
enum ReplyRoute: UInt8 {
    /// To the configured reply queue, because the request names none.
    case standard
    /// To the queue that the request names.
    case named
    /// To a requester that waits on its own connection (RabbitMQ's direct reply-to): at most once.
    case direct
    /// Nowhere: the name is not allowed.
    case forbidden
}

/// Judges `reply_to`, which anyone who can publish a request can set to any queue's name.
struct ReplyPolicy {
    static let directPrefix = Array("amq.rabbitmq.reply-to.".utf8)
    static let generatedPrefix = Array("amq.gen-".utf8)

    private let replyQueue: [UInt8]
    private let forbidden: [[UInt8]]
    private let patterns: [[UInt8]]
    /// The patterns for requests for an app, by its identifier.
    private let patternsOfApps: [[UInt8]: [[UInt8]]]
    private var lastName: [UInt8] = []
    private var lastAppID: [UInt8] = []
    private var lastRoute = ReplyRoute.standard

    /// Takes the configured reply queue, the worker's own other queues, and the patterns, in which `*` is any run.
    init(replyQueue: String, ownQueues: [String], patterns: ReplyPatterns) {
        self.replyQueue = Array(replyQueue.utf8)
        self.forbidden = ownQueues.map { Array($0.utf8) }
        self.patterns = patterns.patterns.map { Array($0.utf8) }
        patternsOfApps = Dictionary(
            patterns.ofApps.map { (Array($0.key.utf8), $0.value.map { Array($0.utf8) }) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The route of a request; requests that follow one another mostly name the same queue, which is then not judged
    /// again.
    mutating func route(of message: ReceivedMessage) -> ReplyRoute {
        let range = message.replyTo
        guard !range.isEmpty else { return .standard }
        let name = message.bytes[range.indices]
        if lastName.count == name.count, lastName.elementsEqual(name), isSameApp(message) { return lastRoute }
        lastName.removeAll(keepingCapacity: true)
        lastName.append(contentsOf: name)
        if !patternsOfApps.isEmpty { lastAppID = Array(message.bytes[message.appID.indices]) }
        lastRoute = judge(lastName, appID: lastAppID)
        return lastRoute
    }

    private func isSameApp(_ message: ReceivedMessage) -> Bool {
        patternsOfApps.isEmpty || message.bytes[message.appID.indices].elementsEqual(lastAppID)
    }

    /// The route for a name, and for an app where there are several.
    func judge(_ name: [UInt8], appID: [UInt8] = []) -> ReplyRoute {
        if forbidden.contains(name) { return .forbidden }
        if name == replyQueue { return .named }
        if name.starts(with: Self.directPrefix) { return .direct }
        if name.starts(with: Self.generatedPrefix) { return .named }
        return (patternsOfApps[appID] ?? patterns).contains { Self.matches(name, $0) } ? .named : .forbidden
    }

    /// Whether a name matches a pattern; linear in both but for what a `*` must try again.
    static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        var position = 0
        var place = 0
        var retry: (position: Int, place: Int)?
        while position < name.count {
            if place < pattern.count, pattern[place] == star {
                retry = (position, place + 1)
                place += 1
            } else if place < pattern.count, pattern[place] == name[position] {
                position += 1
                place += 1
            } else if let last = retry {
                retry = (last.position + 1, last.place)
                position = last.position + 1
                place = last.place
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == star }
    }
}
