/// One round on its way through a connection.
final class Exchange {
    /// How far it is.
    enum Progress {
        case waiting
        case finished([ServerResult])
        case failed(PostgreSQLError)
    }

    /// What is expected next.
    private enum Step {
        /// The answer to a statement of the round.
        case result
        /// The answer to one around it: BEGIN, a setting, COMMIT, a preparation.
        case frame
        case synchronization
    }

    let link: Link
    private let deadline: ContinuousClock.Instant
    private var steps: ArraySlice<Step> = []
    private var preparing: [String] = []
    private var results: [ServerResult] = []
    private var error: PostgreSQLError?
    /// Whether the round was put between BEGIN and COMMIT.
    private var isFramed = false
    private var isFlushed = false
    /// Whether the server has said all that it had to say, so that the connection can be used again.
    private(set) var isOver = false
    /// Whether the deadline has passed.
    private(set) var isLate = false

    /// Sends a round.
    init(_ link: Link, _ round: Round, transfer: Duration) {
        self.link = link
        deadline = .now + round.statementTimeout * round.statements.count + transfer
        do throws(PostgreSQLError) { try send(round) } catch { self.error = error }
    }

    /// Sends the greeting.
    init(_ link: Link, greetingWith statementTimeout: Duration, until deadline: ContinuousClock.Instant) {
        self.link = link
        self.deadline = deadline
        let greeting = link.greeting(statementTimeout: statementTimeout)
        do throws(PostgreSQLError) {
            try link.connection.send(greeting, isPrepared: false)
            try link.connection.synchronize()
            steps = [.result, .synchronization]
        } catch { self.error = error }
    }

    /// What to wait for.
    var wait: PostgreSQLSession.Wait {
        PostgreSQLSession.Wait(
            descriptor: link.connection.descriptor, forWriting: !isFlushed, deadline: deadline)
    }

    /// Milliseconds as PostgreSQL's settings are written.
    static func milliseconds(_ duration: Duration) -> String { String(Int((duration / .milliseconds(1)).rounded(.up))) }

    private func send(_ round: Round) throws(PostgreSQLError) {
        let connection = link.connection
        var steps: [Step] = []
        func frame(_ sql: String) throws(PostgreSQLError) {
            try connection.send(Statement(sql), isPrepared: false)
            steps.append(.frame)
        }
        let timeout = Self.milliseconds(round.statementTimeout)
        switch round.frame {
        case .reading, .writing:
            // Until the synchronization all is one transaction; only a setting needs that to be said. Without a server of
            // one's own nothing may hold for longer.
            if link.mustSet(timeout: round.statementTimeout) {
                try frame(round.frame == .reading ? "BEGIN READ ONLY" : "BEGIN")
                try frame("SET LOCAL statement_timeout = \(timeout)")
                isFramed = true
            }
        case .begins:
            try frame("BEGIN")
            if link.mustSet(timeout: round.statementTimeout) { try frame("SET LOCAL statement_timeout = \(timeout)") }
        case .continues: break
        }
        for statement in round.statements {
            if link.mustPrepare(statement), let name = statement.name, !preparing.contains(name) {
                try connection.prepare(statement)
                preparing.append(name)
                steps.append(.frame)
            }
            try connection.send(statement, isPrepared: !link.isPooled && statement.name != nil)
            steps.append(.result)
        }
        if isFramed { try frame("COMMIT") }
        try connection.synchronize()
        steps.append(.synchronization)
        self.steps = steps[...]
    }

    /// Goes on as far as possible without waiting.
    func advance() -> Progress {
        // What could not even be sent leaves the connection in no state to be used.
        if let error, steps.isEmpty { return .failed(error) }
        do throws(PostgreSQLError) {
            try link.connection.consumeInput()
            if !isFlushed { isFlushed = try link.connection.flush() }
            try takeResults()
        } catch {
            // What the server has said explains more than that it is gone.
            return .failed(self.error ?? error)
        }
        guard steps.isEmpty else { return .waiting }
        if error != nil, isFramed { return leaveTransaction() }
        isOver = true
        if let error { return .failed(error) }
        link.notePrepared(preparing)
        return .finished(results)
    }

    /// After an error the transaction is still there, and takes nothing but its end.
    private func leaveTransaction() -> Progress {
        isFramed = false
        isFlushed = false
        do throws(PostgreSQLError) {
            try link.connection.send(Statement("ROLLBACK"), isPrepared: false)
            try link.connection.synchronize()
        } catch { return .failed(self.error ?? error) }
        steps = [.frame, .synchronization]
        return advance()
    }

    /// Takes what has come; throws when the deadline has passed before everything has.
    private func takeResults() throws(PostgreSQLError) {
        var gapCount = 0
        while let step = steps.first {
            guard !link.connection.isBusy else {
                guard ContinuousClock.now >= deadline else { return }
                isLate = true
                throw PostgreSQLError("the server did not answer in time")
            }
            guard let result = link.connection.nextResult() else {
                // One gap lies between two statements; more are a connection that has nothing to say any more.
                gapCount += 1
                if gapCount > 2 { throw PostgreSQLError("the server closed the connection") }
                continue
            }
            gapCount = 0
            try take(result, step)
            steps = steps.dropFirst()
        }
    }

    private func take(_ result: ServerResult, _ step: Step) throws(PostgreSQLError) {
        switch (step, result.status) {
        case (.synchronization, .synchronized), (.frame, .done): break
        case (.result, .done): results.append(result)
        case (.result, .skipped), (.frame, .skipped): break
        case (_, .failed):
            // Of several errors the first is the cause.
            if error == nil { error = result.error }
            if !link.connection.isOpen { throw error ?? result.error }
        default: throw PostgreSQLError("the server answered what it was not asked")
        }
    }
}
