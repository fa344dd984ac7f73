/// Statements that go to the server together and are answered together.
///
/// A framed round is one transaction. One that was lost with its connection may be sent once more, so that doing it twice
/// must be as good as once.
package struct Round: Sendable {
    /// How a round lies in transactions.
    package enum Frame: Sendable {
        /// It is a transaction of its own, and only reads, which a standby can do.
        case reading
        /// It is a transaction of its own.
        case writing
        /// Its statements begin a transaction of several rounds.
        case begins
        /// It belongs to the transaction that an earlier round began, and fails where that was lost.
        case continues
    }

    package var statements: [Statement]
    package var frame: Frame
    /// How long the server may work on one statement.
    package var statementTimeout: Duration

    package init(_ statements: [Statement], frame: Frame = .reading, statementTimeout: Duration) {
        self.statements = statements
        self.frame = frame
        self.statementTimeout = statementTimeout
    }
}
