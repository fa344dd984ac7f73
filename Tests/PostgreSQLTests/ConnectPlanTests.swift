import Testing

@testable import PostgreSQL

struct ConnectPlanTests {
    private static let two = [Endpoint(host: "a"), Endpoint(host: "b")]

    @Test func `places are tried in order, and all reasons are told once`() {
        var plan = ConnectPlan(Self.two, session: "read-write")
        #expect(plan.nextAttempt() == ConnectPlan.Attempt(endpoint: Self.two[0], session: "read-write"))
        plan.failed(PostgreSQLError("nobody listens"))
        #expect(plan.nextAttempt()?.endpoint == Self.two[1])
        plan.failed(PostgreSQLError("nobody listens"))
        #expect(plan.nextAttempt() == nil)
        #expect(plan.error.message == "nobody listens")
        #expect(!plan.error.isRefusal)
    }

    @Test func `a refused log-in ends the list`() {
        var plan = ConnectPlan(Self.two, session: nil)
        _ = plan.nextAttempt()
        plan.failed(PostgreSQLError(state: "28P01", "password authentication failed"))
        #expect(plan.nextAttempt() == nil)
        #expect(plan.error.isRefusal)
    }

    @Test func `a standby is preferred before any server is taken`() {
        var plan = ConnectPlan(Self.two, session: "prefer-standby")
        var sessions: [String] = []
        while let attempt = plan.nextAttempt() { sessions.append(attempt.session) }
        #expect(sessions == ["standby", "standby", "any", "any"])
    }

    @Test func `names that cannot be resolved are told when nothing else is left`() {
        var plan = ConnectPlan([], session: nil, problems: ["the name x cannot be resolved (unknown)"])
        #expect(plan.nextAttempt() == nil)
        #expect(plan.error.message == "the name x cannot be resolved (unknown)")
    }

    @Test func `the code of a refused log-in is read from a message of any language`() {
        let error = PostgreSQLError(
            connecting:
                #"connection to server at "h" (::1), port 1 failed: FATAL:  28P01: falsch; LOCATION:  auth_failed, auth.c:1"#,
            lacksPassword: false)
        #expect(error.state == "28P01")
        #expect(error.isRefusal)
        #expect(error.message == #"connection to server at "h" (::1), port 1 failed: FATAL: falsch"#)
    }
}
