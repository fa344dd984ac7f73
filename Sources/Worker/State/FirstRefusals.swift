/// Whether refusals are the publishing connection's fault rather than the reply queue's.
///
/// RabbitMQ refuses the first messages of a channel for a quorum queue whose leader it cannot reach, and 3.10 goes on
/// refusing them on that channel when another node leads already (`enqueue` in its `rabbit_fifo_client`). So a connection
/// of which the very first answers are refused is replaced, some times; after that the queue itself is taken to refuse.
struct FirstRefusals: Equatable {
    /// How many connections are replaced in a row: with the waits between them, for some seconds.
    static let replacementsMax = 5

    private var hasAccepted = false
    private var replacements = 0

    /// There is a new connection.
    mutating func opened() { hasAccepted = false }

    /// The reply queue took an answer.
    mutating func accepted() {
        hasAccepted = true
        replacements = 0
    }

    /// The reply queue did not take an answer; true where the connection is to be replaced.
    mutating func refused() -> Bool {
        guard !hasAccepted, replacements < Self.replacementsMax else { return false }
        replacements += 1
        return true
    }
}
