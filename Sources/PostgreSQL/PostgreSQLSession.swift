/// One server, reached when there is something to ask and reached again when it was lost; it never blocks.
///
/// It belongs to one thread, and to one round at a time. Every step has a deadline.
package final class PostgreSQLSession {
    /// How long each step may take.
    package struct Timeouts: Sendable {
        /// For each address, and for resolving the names.
        package var connect: Duration
        /// For a round beyond what its statements may take, for its way there and back.
        package var transfer: Duration

        package init(connect: Duration = .seconds(5), transfer: Duration = .seconds(2)) {
            self.connect = connect
            self.transfer = transfer
        }
    }

    /// How far a round is.
    package enum Progress {
        /// One result for each statement.
        case finished([ServerResult])
        /// The round was not done; the connection may still be of use.
        case failed(PostgreSQLError)
        /// Wait for the descriptor or the deadline, then `resume`.
        case waiting(Wait)
    }

    /// What a round waits for.
    package struct Wait: Hashable {
        package let descriptor: Int32
        package let forWriting: Bool
        package let deadline: ContinuousClock.Instant
    }

    private enum Phase {
        case closed
        case resolving(HostResolver, deadline: ContinuousClock.Instant)
        case connecting(PostgreSQLConnection, ConnectPlan, wantsToWrite: Bool, deadline: ContinuousClock.Instant)
        case greeting(Exchange, ConnectPlan)
        case idle(Link)
        case working(Exchange)
    }

    private let url: PostgreSQLURL
    private let endpoints: EndpointList
    private let timeouts: Timeouts
    private var phase = Phase.closed
    private var round: Round?
    /// Whether the round's connection was opened for it, so that its loss is no news of the past.
    private var isFresh = false
    /// How often a session has been opened: who keeps something of a session looks whether it still is the same.
    package private(set) var epoch = 0

    /// Makes a session; nothing is connected yet.
    package init(_ url: PostgreSQLURL, timeouts: Timeouts = Timeouts()) {
        self.url = url
        var timeouts = timeouts
        if let seconds = url.options["connect_timeout"].flatMap(Int.init), seconds > 0 {
            timeouts.connect = .seconds(seconds)
        }
        self.timeouts = timeouts
        endpoints = EndpointList(url.options)
    }

    /// Starts a round.
    package func begin(_ round: Round) -> Progress {
        precondition(self.round == nil, "a session works on one round at a time")
        self.round = round
        isFresh = false
        if case .idle(let link) = phase, link.isAlive { return work(on: link) }
        guard round.frame != .continues else { return end(PostgreSQLError("the connection was lost")) }
        return connect()
    }

    /// Goes on with a round that waits.
    package func resume() -> Progress {
        switch phase {
        case .resolving(let resolver, let deadline): return resolved(resolver, deadline)
        case .connecting(let connection, let plan, _, let deadline): return goOn(connection, plan, deadline)
        case .greeting(let exchange, let plan): return greeted(exchange, plan)
        case .working(let exchange): return worked(exchange)
        case .closed, .idle: preconditionFailure("there is no round to resume")
        }
    }

    /// Drops the connection, and the round that is under way.
    package func close() {
        phase = .closed
        round = nil
    }

    // MARK: Connecting

    private func connect() -> Progress {
        isFresh = true
        let names = endpoints.names
        guard !names.isEmpty else { return attempt(plan(HostResolver.Answer())) }
        let resolver = HostResolver(names)
        phase = .resolving(resolver, deadline: .now + timeouts.connect)
        return wait
    }

    private func resolved(_ resolver: HostResolver, _ deadline: ContinuousClock.Instant) -> Progress {
        if let answer = resolver.take() { return attempt(plan(answer)) }
        guard ContinuousClock.now >= deadline else { return wait }
        let names = endpoints.names.joined(separator: ", ")
        return end(PostgreSQLError("\(names) was not resolved within \(timeouts.connect)"))
    }

    private func plan(_ answer: HostResolver.Answer) -> ConnectPlan {
        ConnectPlan(
            endpoints.endpoints(resolving: answer.addresses), session: url.options["target_session_attrs"],
            problems: answer.problems)
    }

    private func attempt(_ plan: ConnectPlan) -> Progress {
        var plan = plan
        while let attempt = plan.nextAttempt() {
            do throws(PostgreSQLError) {
                let connection = try PostgreSQLConnection(starting: options(attempt))
                let deadline = ContinuousClock.now + timeouts.connect
                phase = .connecting(connection, plan, wantsToWrite: true, deadline: deadline)
                return goOn(connection, plan, deadline)
            } catch {
                plan.failed(error)
            }
        }
        return end(plan.error)
    }

    /// The URL's parameters for one place; what it does not say is set so that a dead peer is noticed.
    private func options(_ attempt: ConnectPlan.Attempt) -> [(String, String)] {
        var options = url.options
        for name in ["host", "hostaddr", "port", "target_session_attrs"] { options[name] = nil }
        let silence: [(String, String)] = [
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"), ("fallback_application_name", "deeplink-worker"),
        ]
        for (name, value) in silence where options[name] == nil { options[name] = value }
        options["client_encoding"] = "UTF8"
        return options.sorted { $0.key < $1.key } + attempt.endpoint.options
            + [("target_session_attrs", attempt.session)]
    }

    private func goOn(
        _ connection: PostgreSQLConnection, _ plan: ConnectPlan, _ deadline: ContinuousClock.Instant
    ) -> Progress {
        var plan = plan
        guard ContinuousClock.now < deadline else {
            plan.failed(PostgreSQLError("\(url) did not answer within \(timeouts.connect)"))
            return attempt(plan)
        }
        // libpq takes it that the socket is ready when it is called.
        if case .waiting(let wait) = wait, !wait.isReady { return .waiting(wait) }
        switch connection.open() {
        case .reading: phase = .connecting(connection, plan, wantsToWrite: false, deadline: deadline)
        case .writing: phase = .connecting(connection, plan, wantsToWrite: true, deadline: deadline)
        case .open: return greet(connection, plan, deadline)
        case .failed(let error):
            plan.failed(error)
            return attempt(plan)
        }
        return wait
    }

    private func greet(
        _ connection: PostgreSQLConnection, _ plan: ConnectPlan, _ deadline: ContinuousClock.Instant
    ) -> Progress {
        let exchange = Exchange(Link(connection), greetingWith: round?.statementTimeout ?? .zero, until: deadline)
        return greeted(exchange, plan)
    }

    private func greeted(_ exchange: Exchange, _ plan: ConnectPlan) -> Progress {
        switch exchange.advance() {
        case .waiting:
            phase = .greeting(exchange, plan)
            return wait
        case .failed(let error):
            var plan = plan
            plan.failed(error)
            return attempt(plan)
        case .finished(let results):
            epoch += 1
            exchange.link.learn(greeting: results)
            return work(on: exchange.link)
        }
    }

    // MARK: Working

    private func work(on link: Link) -> Progress {
        guard let round else { preconditionFailure("there is a round") }
        return worked(Exchange(link, round, transfer: timeouts.transfer))
    }

    private func worked(_ exchange: Exchange) -> Progress {
        switch exchange.advance() {
        case .waiting:
            phase = .working(exchange)
            return wait
        case .finished(let results):
            phase = .idle(exchange.link)
            round = nil
            return .finished(results)
        case .failed(let error):
            let isUsable = exchange.isOver && !error.isLostConnection
            if round?.frame != .continues {
                if isUsable, error.isLostStatement, exchange.link.forgetStatements() { return work(on: exchange.link) }
                // What was lost while nobody looked, as by a server's restart, is found only by asking.
                if !isUsable, !isFresh, !exchange.isLate { return connect() }
            }
            phase = isUsable ? .idle(exchange.link) : .closed
            round = nil
            return .failed(error)
        }
    }

    private func end(_ error: PostgreSQLError) -> Progress {
        phase = .closed
        round = nil
        return .failed(error)
    }

    private var wait: Progress {
        switch phase {
        case .resolving(let resolver, let deadline):
            .waiting(Wait(descriptor: resolver.descriptor, forWriting: false, deadline: deadline))
        case .connecting(let connection, _, let wantsToWrite, let deadline):
            .waiting(Wait(descriptor: connection.descriptor, forWriting: wantsToWrite, deadline: deadline))
        case .greeting(let exchange, _), .working(let exchange):
            .waiting(exchange.wait)
        case .closed, .idle: preconditionFailure("nothing is waited for")
        }
    }
}
