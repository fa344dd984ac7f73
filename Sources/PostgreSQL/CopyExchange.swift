/// Rows on their way into a table.
///
/// COPY cannot be part of a pipeline, so that the pipeline is left for its time.
final class CopyExchange: Conversation {
    private enum Step {
        case beginning, sending, ending, leaving
    }

    let link: Link
    private let deadline: ContinuousClock.Instant
    private let bytes: [UInt8]
    private var step = Step.beginning
    private var sentCount = 0
    private var isFlushed = false
    private var results: [ServerResult] = []
    private var error: PostgreSQLError?
    private(set) var isOver = false
    private(set) var isLate = false

    /// How many bytes are handed to libpq at once.
    private static let chunk = 1 << 16

    init(_ link: Link, _ copy: CopyIn, until deadline: ContinuousClock.Instant) {
        self.link = link
        self.deadline = deadline
        bytes = copy.finished
        do throws(PostgreSQLError) {
            try link.connection.leavePipeline()
            try link.connection.send(query: "COPY \(copy.target) FROM STDIN (FORMAT binary)")
        } catch {
            self.error = error
            step = .leaving
        }
    }

    var wait: PostgreSQLSession.Wait {
        PostgreSQLSession.Wait(descriptor: link.connection.descriptor, forWriting: !isFlushed, deadline: deadline)
    }

    func advance() -> Exchange.Progress {
        do throws(PostgreSQLError) {
            while true {
                try link.connection.consumeInput()
                isFlushed = try link.connection.flush()
                switch step {
                case .beginning: guard try begin() else { return try waiting() }
                case .sending: guard try send() else { return try waiting() }
                case .ending: guard try end() else { return try waiting() }
                case .leaving:
                    try link.connection.enterPipeline()
                    isOver = true
                    if let error { return .failed(error) }
                    return .finished(results)
                }
            }
        } catch {
            return .failed(self.error ?? error)
        }
    }

    private func waiting() throws(PostgreSQLError) -> Exchange.Progress {
        guard ContinuousClock.now >= deadline else { return .waiting }
        isLate = true
        throw PostgreSQLError("the server did not take the rows in time")
    }

    /// Waits until the server wants the rows; false while that is not known.
    private func begin() throws(PostgreSQLError) -> Bool {
        guard isFlushed, !link.connection.isBusy else { return false }
        guard let result = link.connection.nextResult() else {
            throw PostgreSQLError("the server did not answer to COPY")
        }
        if result.status == .wantsRows {
            step = .sending
        } else {
            error = result.error
            step = .ending
        }
        return true
    }

    /// Sends what can be sent; false while there is more.
    private func send() throws(PostgreSQLError) -> Bool {
        while sentCount < bytes.count {
            guard isFlushed else { return false }
            let count = min(Self.chunk, bytes.count - sentCount)
            guard try link.connection.put(bytes, sentCount..<sentCount + count) else {
                isFlushed = false
                return false
            }
            sentCount += count
            isFlushed = try link.connection.flush()
        }
        guard try link.connection.endRows() else { return false }
        isFlushed = try link.connection.flush()
        step = .ending
        return true
    }

    /// Takes the results up to the last; false while one is missing.
    private func end() throws(PostgreSQLError) -> Bool {
        guard isFlushed else { return false }
        while !link.connection.isBusy {
            guard let result = link.connection.nextResult() else {
                step = .leaving
                return true
            }
            switch result.status {
            case .done: results.append(result)
            default:
                if error == nil { error = result.error }
                if !link.connection.isOpen { throw error ?? result.error }
            }
        }
        return false
    }
}
