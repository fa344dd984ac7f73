/// Which places are tried in which order, and what became of them: a value without sockets or clocks.
struct ConnectPlan: Sendable {
    /// One attempt.
    struct Attempt: Hashable, Sendable {
        let endpoint: Endpoint
        /// libpq's `target_session_attrs`, which it judges by what the server says of itself.
        let session: String
    }

    private var attempts: [Attempt]
    private var next = 0
    private var errors: [PostgreSQLError]
    private(set) var isOver = false

    /// Plans for the endpoints; `problems` are why others are not among them.
    init(_ endpoints: [Endpoint], session: String?, problems: [String] = []) {
        let session = session ?? "any"
        // A standby is preferred: libpq itself would take the first server that it sees, for it sees only one.
        let passes = session == "prefer-standby" ? ["standby", "any"] : [session]
        attempts = passes.flatMap { pass in endpoints.map { Attempt(endpoint: $0, session: pass) } }
        errors = problems.map { PostgreSQLError($0) }
    }

    /// The next attempt; nil when there is none left.
    mutating func nextAttempt() -> Attempt? {
        guard !isOver, next < attempts.count else {
            isOver = true
            return nil
        }
        defer { next += 1 }
        return attempts[next]
    }

    /// An attempt failed.
    ///
    /// As with libpq, a server that refuses the log-in ends the list.
    mutating func failed(_ error: PostgreSQLError) {
        errors.append(error)
        if error.isRefusal { isOver = true }
    }

    /// Why none succeeded: a refusal, or all that was said, each once.
    var error: PostgreSQLError {
        if let refusal = errors.first(where: \.isRefusal) { return refusal }
        var messages: [String] = []
        for error in errors where !messages.contains(error.message) { messages.append(error.message) }
        let state = errors.last(where: { $0.state != nil })?.state
        return PostgreSQLError(state: state, messages.isEmpty ? "no host is named" : messages.joined(separator: "; "))
    }
}
