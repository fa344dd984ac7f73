/// Which of the requests were answered, and how.
///
/// Requests are numbered from 0. It remembers those from the oldest unanswered one on.
struct AnswerLedger {
    /// What an answer is.
    enum Verdict: Equatable {
        /// The first answer to a request that was meant to be sent at a time; late when a later one was answered before.
        case first(intended: Int64, isLate: Bool)
        /// A further answer.
        case duplicate
        /// The answer to a request that was never sent.
        case unknown
    }

    private static let answered = Int64.min
    /// The intended times of the requests from `base` on; `answered` where there is nothing to wait for.
    private var times: [Int64] = []
    /// The place in `times` of the oldest unanswered request.
    private var head = 0
    private var base = 0
    private var highest = -1
    private(set) var sentCount = 0
    private(set) var answeredCount = 0

    /// The requests without an answer.
    var openCount: Int { sentCount - answeredCount }

    /// Notes that the next request is sent, and returns its number.
    mutating func send(intended: Int64) -> Int {
        times.append(intended)
        defer { sentCount += 1 }
        return sentCount
    }

    /// Whether a request has an answer.
    func isAnswered(_ number: Int) -> Bool { number < base + head || times[number - base] == Self.answered }

    /// The numbers of the requests without an answer.
    var open: [Int] { (base + head..<sentCount).filter { !isAnswered($0) } }

    /// Notes an answer.
    mutating func answer(_ number: Int) -> Verdict {
        guard number >= 0, number < sentCount else { return .unknown }
        guard !isAnswered(number) else { return .duplicate }
        let intended = times[number - base]
        times[number - base] = Self.answered
        answeredCount += 1
        let isLate = number < highest
        highest = max(highest, number)
        while head < times.count, times[head] == Self.answered { head += 1 }
        if head >= 4096, head * 2 >= times.count {
            times.removeFirst(head)
            base += head
            head = 0
        }
        return .first(intended: intended, isLate: isLate)
    }
}
