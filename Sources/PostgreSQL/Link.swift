/// A connection that is open, and what is known of what lies behind it.
final class Link {
    let connection: PostgreSQLConnection
    /// Whether a pooler stands between, so that two rounds may meet two servers.
    private(set) var isPooled = true
    /// The names of the statements that the server keeps.
    private var prepared: Set<String> = []
    /// The time-out that the session was opened with.
    private var statementTimeout: Duration = .zero

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    /// Whether the connection has not ended while nothing was asked.
    var isAlive: Bool {
        do throws(PostgreSQLError) {
            try connection.consumeInput()
            return connection.isOpen
        } catch { return false }
    }

    /// The statement that finds out about a pooler, and sets what a server of one's own keeps.
    ///
    /// A pooler tells its clients a number of its own for the server's process. Behind one nothing may be set, for it would
    /// be found by others.
    func greeting(statementTimeout: Duration) -> Statement {
        self.statementTimeout = statementTimeout
        let sql = """
            SELECT CASE WHEN pg_catalog.pg_backend_pid() = $1 THEN \
            pg_catalog.set_config('statement_timeout', $2, false) \
            || pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', false) END IS NOT NULL
            """
        let number = Int64(connection.processID)
        return Statement(sql, [.integer(number), .text(Exchange.milliseconds(statementTimeout))])
    }

    /// Whether a transaction must set its own time-out.
    func mustSet(timeout: Duration) -> Bool { isPooled || timeout != statementTimeout }

    /// Takes the answer to the greeting.
    func learn(greeting results: [ServerResult]) {
        isPooled = !(results.first.map { $0.rowCount == 1 && $0.boolean(0, 0) } ?? false)
    }

    /// Whether a statement must be prepared before it is used by its name.
    func mustPrepare(_ statement: Statement) -> Bool {
        guard let name = statement.name, !isPooled else { return false }
        return !prepared.contains(name)
    }

    func notePrepared(_ names: [String]) { prepared.formUnion(names) }

    /// Takes it that a pooler stands between after all; false when that was known.
    func forgetStatements() -> Bool {
        guard !isPooled else { return false }
        isPooled = true
        prepared = []
        return true
    }
}
