/// What became of each request of a run: the checker of the delivery promise.
///
/// A request counts from when the broker has confirmed it; one whose confirm was lost may or may not be there.
struct Ledger: Sendable {
    private(set) var published: Set<String> = []
    private(set) var confirmed: Set<String> = []
    private(set) var answerCounts: [String: Int] = [:]
    private(set) var deadLetterReasons: [String: [String]] = [:]

    /// A request was published.
    mutating func publish(_ id: String) { published.insert(id) }

    /// The broker has a request.
    mutating func confirm(_ id: String) { confirmed.insert(id) }

    /// An answer came with this `message_id`.
    mutating func answer(messageID: String) {
        // An answer that names no request is unexpected under whatever name it has.
        let id = messageID.hasPrefix("re:") ? String(messageID.dropFirst(3)) : "?" + messageID
        answerCounts[id, default: 0] += 1
    }

    /// A dead letter came.
    mutating func deadLetter(messageID: String, reason: String) {
        deadLetterReasons[messageID, default: []].append(reason)
    }

    /// The requests that the broker has and that were neither answered nor dead-lettered.
    var lost: Set<String> { confirmed.filter { answerCounts[$0] == nil && deadLetterReasons[$0] == nil } }

    /// The requests that nobody sent and that were answered or dead-lettered all the same.
    var unexpected: Set<String> {
        Set(answerCounts.keys).union(deadLetterReasons.keys).subtracting(published)
    }

    /// How many answers and dead letters there were beyond the first of each request.
    var repeatCount: Int {
        let ends = answerCounts.values.reduce(0, +) + deadLetterReasons.values.map(\.count).reduce(0, +)
        return ends - Set(answerCounts.keys).union(deadLetterReasons.keys).count
    }

    /// The requests that were dead-lettered.
    var deadLettered: Set<String> { Set(deadLetterReasons.keys) }
}
